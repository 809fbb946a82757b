import { expect, test } from "vitest";
import { camel, kebab, operations, pascal, sentence, singular, wrapped } from "../../../api";
import { kinds } from "../../../provider/resources";

test.each([
  ["ttl_sec", "ttlSec"],
  ["lkeClusters", "lkeClusters"],
  ["ipv6_64", "ipv664"],
  ["_private", "_private"],
])("camel: %s becomes %s", (name, expected) => expect(camel(name)).toBe(expected));

test.each([
  ["inbound_policy", "InboundPolicy"],
  ["lkePools", "LkePools"],
  ["us-east", "UsEast"],
  ["g6.nano", "G6Nano"],
])("pascal: %s becomes %s", (name, expected) => expect(pascal(name)).toBe(expected));

test.each([
  ["lkeClusters", "lke-clusters"],
  ["compute_id", "compute-id"],
  ["OAuthClient", "oauth-client"],
  ["IPv6Range", "ipv6-range"],
])("kebab: %s becomes %s", (name, expected) => expect(kebab(name)).toBe(expected));

test.each([
  ["policies", "policy"],
  ["addresses", "address"],
  ["volumes", "volume"],
  ["access", "access"],
])("singular: %s becomes %s", (name, expected) => expect(singular(name)).toBe(expected));

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
