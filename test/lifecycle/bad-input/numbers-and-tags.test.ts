import { describe, expect, test } from "vitest";
import { DynamicProvider } from "../../../provider/dynamic/provider";
import type { Kind } from "../../../provider/engine/definition";
import type { Bag } from "../../../provider/engine/values";
import { type KindName, kinds } from "../../../provider/resources";
import { cloud } from "../../contract/cloud";
import { account } from "../behaviour/accounts";
import { refusals } from "./refusals";

test("NaN is not shown as null", async () => {
  await using own = await account();
  const provider = new DynamicProvider(kinds.Volume as Kind, () => own.host);
  const rejected = async (size: number) =>
    (await provider.check({}, { label: "data", region: "us-east", size })).failures;
  expect(await rejected(Number.NaN)).toEqual([{ property: "size", reason: "must be a number (given NaN)" }]);
  expect(await rejected(Number.POSITIVE_INFINITY)).toEqual([
    { property: "size", reason: "must be a number (given Infinity)" },
  ]);
});

describe("tags", () => {
  const many = Array.from({ length: 501 }, (_, i) => `tag-${i}`);
  const kinds: [KindName, Bag][] = [
    ["Volume", { label: "data", region: "us-east" }],
    ["Domain", { domain: "example.org", type: "master", soaEmail: "a@example.org" }],
    ["Instance", { label: "web", region: "us-east", type: "g6-nanode-1" }],
  ];

  test.each(kinds)("of a %s have no line breaks, and there are at most 500", async (kind, base) => {
    const rule = "must not contain line breaks or other control characters";
    expect(await refusals(kind, { ...base, tags: ["fine", "two\nlines"] })).toBe(
      `tags[1]: ${rule} (given "two\\nlines")`,
    );
    expect(await refusals(kind, { ...base, tags: ["esc\u001b[2J"] })).toContain(rule);
    expect(await refusals(kind, { ...base, tags: many })).toMatch(
      /^\["tags"\]: must have at most 500 entries \(given \[/,
    );
    expect(await refusals(kind, { ...base, tags: many.slice(1) })).toBe("");
  });

  test("the emulator rejects them by the same rule", async () => {
    await using one = await cloud();
    const create = async (tags: string[]) =>
      (await one.send("POST /volumes", { body: { label: "data", region: "us-east", tags } })).body.errors;
    expect(await create(["two\nlines"])).toEqual([
      { field: "tags.0", reason: "Must not contain line breaks or other control characters" },
    ]);
    expect(await create(many)).toEqual([{ field: "tags", reason: "Must have at most 500 entries" }]);
    expect(await create(many.slice(1))).toBeUndefined();
    const named = await one.send("POST /tags", { body: { label: "two\nlines" } });
    expect(named.body.errors).toEqual([
      { field: "label", reason: "Must not contain line breaks or other control characters" },
    ]);
  });
});
