import fc, { type Arbitrary } from "fast-check";
import ipaddr from "ipaddr.js";
import { ttls } from "../../api";
import type { Bag } from "../../provider/engine/values";

/** The same text with random upper and lower case, for example `WeB-1` for `web-1`. */
export const cased = (text: string): Arbitrary<string> =>
  fc.mixedCase(fc.constant(text), { untoggleAll: (raw) => raw });

/** Lists with the same entries in another order. Each entry can also be written in an equivalent way. */
export const reordered = <T>(
  entries: readonly T[],
  written: (entry: T) => Arbitrary<T> = fc.constant,
): Arbitrary<T[]> => listOf(entries, written).chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));

/**
 * Lists with the same entries in another order, some of them twice. Each entry can also be written in an equivalent
 * way.
 */
export const setOf = <T>(entries: readonly T[], written: (entry: T) => Arbitrary<T> = fc.constant): Arbitrary<T[]> =>
  fc
    .tuple(
      listOf(entries, written),
      fc.subarray([...entries]).chain((again) => listOf(again, written)),
    )
    .chain(([all, again]) => fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }));

/** Lists with the same entries in the same order. Each entry can also be written in an equivalent way. */
export const listOf = <T>(entries: readonly T[], written: (entry: T) => Arbitrary<T>): Arbitrary<T[]> =>
  fc.tuple(...entries.map(written));

export const tags = (entries: readonly string[]): Arbitrary<string[]> => setOf(entries, cased);

/** A number, also as a string, because programs may compute it as a string. */
export const number = (value: number): Arbitrary<number> => fc.constantFrom(value, String(value) as never);

/** The same IPv6 address with more or fewer zeros, in upper and lower case. */
export const address = (text: string): Arbitrary<string> => {
  if (!text.includes(":")) return fc.constant(text);
  const ip = ipaddr.IPv6.parse(text);
  const groups = ip.parts.map((part) => part.toString(16));
  const padded = (digits: number) => groups.map((group) => group.padStart(digits, "0")).join(":");
  return fc.constantFrom(ip.toString(), ip.toNormalizedString(), padded(3), padded(4)).chain(cased);
};

/** The same network with different host bits. A single address is also written without the prefix length. */
export const network = (text: string): Arbitrary<string> => {
  const [start = "", length = ""] = text.split("/");
  const bytes = ipaddr.parse(start).toByteArray();
  const hosts = bytes.length * 8 - Number(length);
  const within = fc.bigInt({ min: 0n, max: (1n << BigInt(hosts)) - 1n }).chain((host) => {
    const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) | host;
    const filled = bytes.map((_, i) => Number((value >> BigInt(8 * (bytes.length - 1 - i))) & 255n));
    return address(ipaddr.fromByteArray(filled).toString());
  });
  return within.chain((ip) => (hosts === 0 ? fc.constantFrom(ip, `${ip}/${length}`) : fc.constant(`${ip}/${length}`)));
};

/** The same ports in another order, some of them twice, with and without spaces. */
export const ports = (text: string): Arbitrary<string> =>
  fc.tuple(setOf(text.split(", ")), fc.constantFrom(",", ", ")).map(([parts, comma]) => parts.join(comma));

/**
 * Numbers of seconds that the service rounds to the given value: up for a domain's times such as `refresh_sec`, and to
 * the nearest supported value for the TTL of a record.
 */
export const seconds = (value: (typeof ttls)[number], rounding: "up" | "nearest"): Arbitrary<number> => {
  const at = ttls.indexOf(value);
  const half = (other: number | undefined) => (other === undefined ? value : (value + other) / 2);
  const min = rounding === "up" ? (ttls[at - 1] ?? 0) + 1 : half(ttls[at - 1]);
  const max = rounding === "up" ? value : Math.ceil(half(ttls[at + 1])) - 1;
  return fc.integer({ min: Math.ceil(min), max: Math.max(value, max) });
};

/** The same host name in upper and lower case, with and without the period at its end. */
export const host = (name: string): Arbitrary<string> =>
  fc.tuple(cased(name), fc.constantFrom("", ".")).map((parts) => parts.join(""));

/** The same name of a record, with and without the domain's name. */
export const nameIn = (domain: string, name: string): Arbitrary<string> =>
  fc.oneof(cased(name), host(`${name}.${domain}`));

/** All values that mean that an input is not set. */
export const nothing = fc.constantFrom(undefined, null);

/**
 * The same PEM text of a certificate or key with other line breaks, including a literal `\n`, and with white space
 * around it. All inputs for certificates accept these forms.
 */
export const pem = (text: string): Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom("\n", "\r\n", "\\n"), fc.constantFrom("", "\n"), fc.constantFrom("", "\n", " \n"))
    .map(([newline, start, end]) => (start + text.trim() + end).replaceAll("\n", newline));

/** The same PEM text in all forms of {@link pem}, also Base64-encoded, as object storage accepts it. */
export const pemOrBase64 = (text: string): Arbitrary<string> =>
  pem(text).chain((form) => fc.constantFrom(form, Buffer.from(form).toString("base64")));

/** Inputs whose values can be written in only one way. */
export const constants = (bag: Bag): { [key: string]: Arbitrary<unknown> } =>
  Object.fromEntries(Object.entries(bag).map(([key, value]) => [key, fc.constant(value)]));
