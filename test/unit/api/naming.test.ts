import { expect, test } from "vitest";
import { camel, kebab, operations, pascal, sentence, singular, wrapped } from "../../../api";
import { kinds } from "../../../provider/resources";

const conversions = { camel, pascal, kebab, singular };

test.each<[keyof typeof conversions, name: string, expected: string]>([
  ["camel", "ttl_sec", "ttlSec"],
  ["camel", "lkeClusters", "lkeClusters"],
  ["camel", "ipv6_64", "ipv664"],
  ["camel", "_private", "_private"],
  ["pascal", "inbound_policy", "InboundPolicy"],
  ["pascal", "lkePools", "LkePools"],
  ["pascal", "us-east", "UsEast"],
  ["pascal", "g6.nano", "G6Nano"],
  ["kebab", "lkeClusters", "lke-clusters"],
  ["kebab", "compute_id", "compute-id"],
  ["kebab", "OAuthClient", "oauth-client"],
  ["kebab", "IPv6Range", "ipv6-range"],
  ["singular", "policies", "policy"],
  ["singular", "addresses", "address"],
  ["singular", "volumes", "volume"],
  ["singular", "access", "access"],
])("%s: %s becomes %s", (conversion, name, expected) => expect(conversions[conversion](name)).toBe(expected));

test.each([
  ["area", Object.keys(operations)],
  ["kind", Object.keys(kinds)],
])("no two names of an %s have the same file name", (_, names) => {
  expect(new Set(names.map(kebab)).size).toBe(names.length);
});

test("a sentence begins with a capital letter and ends with one mark", () => {
  expect(["size of it", "Done.", "why?"].map(sentence)).toEqual(["Size of it.", "Done.", "why?".replace("w", "W")]);
});

test("wraps between words only", () => {
  expect(wrapped("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrapped("a-word-too-long it", 8)).toEqual(["a-word-too-long", "it"]);
});
