import fc, { type Arbitrary } from "fast-check";
import ipaddr from "ipaddr.js";
import { ttls } from "../../api";
import type { Bag } from "../../provider/engine/values";

/** The same text in other letters. */
export const cased = (text: string): Arbitrary<string> =>
  fc.mixedCase(fc.constant(text), { untoggleAll: (raw) => raw });

/** The same entries in another order, each once, written in one of its ways. */
export const reordered = <T>(
  entries: readonly T[],
  written: (entry: T) => Arbitrary<T> = fc.constant,
): Arbitrary<T[]> => listOf(entries, written).chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));

/** The same entries in another order, some of them twice, each written in one of its ways. */
export const setOf = <T>(entries: readonly T[], written: (entry: T) => Arbitrary<T> = fc.constant): Arbitrary<T[]> =>
  fc
    .tuple(
      listOf(entries, written),
      fc.subarray([...entries]).chain((again) => listOf(again, written)),
    )
    .chain(([all, again]) => fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }));

/** The same entries in the same order, each written in one of its ways. */
export const listOf = <T>(entries: readonly T[], written: (entry: T) => Arbitrary<T>): Arbitrary<T[]> =>
  fc.tuple(...entries.map(written));

export const tags = (entries: readonly string[]): Arbitrary<string[]> => setOf(entries, cased);

/** Numbers come as strings where a program computes them. */
export const number = (value: number): Arbitrary<number> => fc.constantFrom(value, String(value) as never);

/** An IPv6 address with more or fewer zeros, in small or capital letters. */
export const address = (text: string): Arbitrary<string> => {
  if (!text.includes(":")) return fc.constant(text);
  const ip = ipaddr.IPv6.parse(text);
  const groups = ip.parts.map((part) => part.toString(16));
  const padded = (digits: number) => groups.map((group) => group.padStart(digits, "0")).join(":");
  return fc.constantFrom(ip.toString(), ip.toNormalizedString(), padded(3), padded(4)).chain(cased);
};

/** A network with any host bits; a single address also without its length. */
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

/** Ports in another order, some twice, with and without a space. */
export const ports = (text: string): Arbitrary<string> =>
  fc.tuple(setOf(text.split(", ")), fc.constantFrom(",", ", ")).map(([parts, comma]) => parts.join(comma));

/** Seconds that the service rounds to the given ones: up for a zone's times, to the nearest for a record's. */
export const seconds = (value: (typeof ttls)[number], rounding: "up" | "nearest"): Arbitrary<number> => {
  const at = ttls.indexOf(value);
  const half = (other: number | undefined) => (other === undefined ? value : (value + other) / 2);
  const least = rounding === "up" ? (ttls[at - 1] ?? 0) + 1 : half(ttls[at - 1]);
  const most = rounding === "up" ? value : Math.ceil(half(ttls[at + 1])) - 1;
  return fc.integer({ min: Math.ceil(least), max: Math.max(value, most) });
};

/** A host name in any letters, with and without the last period. */
export const host = (name: string): Arbitrary<string> =>
  fc.tuple(cased(name), fc.constantFrom("", ".")).map((parts) => parts.join(""));

/** A record's name, alone or with the domain's behind it. */
export const nameIn = (domain: string, name: string): Arbitrary<string> =>
  fc.oneof(cased(name), host(`${name}.${domain}`));

/** The values that mean unset. */
export const nothing = fc.constantFrom(undefined, null);

/** A certificate or key of a load balancer with other line breaks, escaped ones too, and other white space at its end. */
export const pem = (text: string): Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom("\n", "\r\n", "\\n"), fc.constantFrom("", "\n", " \n"))
    .map(([newline, end]) => (text.trim() + end).replaceAll("\n", newline));

/** Values that have only one form. */
export const constants = (bag: Bag): { [key: string]: Arbitrary<unknown> } =>
  Object.fromEntries(Object.entries(bag).map(([key, value]) => [key, fc.constant(value)]));
