import { describe, expect, test } from "vitest";
import { z } from "zod";
import { changedParts, doubtOf, merged } from "../../../provider/engine/merge";

const sorted = (list: unknown): unknown => (Array.isArray(list) ? list.toSorted() : list);
const Ordered = z.array(z.string());
const Tags = Ordered.meta({ canonical: sorted });
const Caseless = z.string().meta({ canonical: (text) => String(text).toLowerCase() });
const byAddress = (list: unknown): unknown =>
  Array.isArray(list) ? list.toSorted((a, b) => a.address.localeCompare(b.address)) : list;
const Assignments = z
  .array(z.object({ address: z.string(), compute_id: z.int() }))
  .meta({ canonical: byAddress, entryKey: "address" });

/** The program has removed `a` and added `c`. Another client has added `x`. */
const tags = { old: ["a", "b"], declared: ["c", "b"], unchanged: ["x", "b", "a"], changed: ["c", "b"] };
const certain = doubtOf({});

describe("a merge of lists", () => {
  test("without an order keeps entries that the program has not changed", () => {
    expect(merged(Tags, tags, certain, "/tags")).toEqual(["c", "b", "x"]);
  });

  test("with an order takes the whole list, unless the program has not changed it", () => {
    expect(merged(Ordered, tags, certain, "/tags")).toEqual(["c", "b"]);
    expect(merged(Ordered, { ...tags, old: ["c", "b"] }, certain, "/tags")).toEqual(["x", "b", "a"]);
  });

  test("does not count another order as a change only of those without an order", () => {
    const reversed = { ...tags, old: ["b", "c"] };
    expect(merged(Tags, reversed, certain, "/tags")).toEqual(["b", "x", "a"]);
    expect(merged(Ordered, reversed, certain, "/tags")).toEqual(["c", "b"]);
  });

  test("takes an entry that a failed update may have changed from the program", () => {
    const uncertain = changedParts(Tags, ["x"], [], "/tags");
    expect(merged(Tags, tags, doubtOf({ uncertain }), "/tags")).toEqual(["c", "b"]);
  });

  test("merges those without an order inside an object", () => {
    const schema = z.object({ tags: Tags });
    const of = (list: string[]) => ({ tags: list });
    const versions = {
      old: of(tags.old),
      declared: of(tags.declared),
      unchanged: of(tags.unchanged),
      changed: of(tags.changed),
    };
    expect(merged(schema, versions, certain, "/alerts")).toEqual({ tags: ["c", "b", "x"] });
  });

  test("recognizes an entry by its key, or by all of its fields", () => {
    const [mine, moved] = [
      { address: "192.0.2.1", compute_id: 1 },
      { address: "192.0.2.1", compute_id: 2 },
    ];
    const theirs = { address: "192.0.2.2", compute_id: 3 };
    const versions = { old: [mine], declared: [moved], unchanged: [theirs, mine], changed: [moved] };
    expect(merged(Assignments, versions, certain, "/assignments")).toEqual([moved, theirs]);
    const keyless = z.array(Assignments.element).meta({ canonical: byAddress });
    const shared = { ...versions, old: [], unchanged: [theirs, mine] };
    expect(merged(keyless, shared, certain, "/assignments")).toEqual([moved, theirs, mine]);
  });
});

describe("a merge", () => {
  const schema = z.object({ cpu: z.int(), io: z.int() });
  /** The program has changed `cpu`. Another client has changed `io`. */
  const alerts = {
    old: { cpu: 90, io: 1 },
    declared: { cpu: 80, io: 1 },
    unchanged: { cpu: 90, io: 2 },
    changed: { cpu: 80, io: 1 },
  };

  test("of objects keeps the fields that the program has not changed", () => {
    expect(merged(schema, alerts, certain, "/alerts")).toEqual({ cpu: 80, io: 2 });
  });

  test.each(["old", "declared", "unchanged", "changed"])("takes the whole value if the %s one is null", (key) => {
    for (const [type, versions] of [
      [schema, alerts],
      [Tags, tags],
    ] as const) {
      const some = { ...versions, [key]: null };
      expect(merged(type, some, certain, "/input")).toEqual(some.changed);
    }
  });

  test("takes a list from the program if a failed update may have changed a part of it", () => {
    const same = { old: ["b"], declared: ["b"], unchanged: ["x"], changed: ["b"] };
    expect(merged(Ordered, same, doubtOf({ uncertain: ["/tags/0"] }), "/tags")).toEqual(["b"]);
    expect(merged(Ordered, same, doubtOf({ uncertain: ["/tags2"] }), "/tags")).toEqual(["x"]);
  });

  test("takes what state lacks, or what a failed update may have changed, from the program", () => {
    const same = { old: "b", declared: "b", unchanged: "x", changed: "b" };
    expect(merged(Caseless, same, certain, "/country")).toBe("x");
    expect(merged(Caseless, same, doubtOf({ uncertain: ["/country"] }), "/country")).toBe("b");
    expect(merged(Caseless, same, doubtOf({ uncertain: "all" }), "/country")).toBe("b");
    expect(merged(Tags, tags, doubtOf({ uncertain: "all" }), "/tags")).toEqual(["c", "b"]);
    expect(merged(Caseless, { ...same, old: undefined, declared: undefined }, certain, "/country")).toBe("b");
    expect(merged(schema, alerts, doubtOf({ uncertain: ["/alerts/io"] }), "/alerts")).toEqual({ cpu: 80, io: 1 });
  });
});

describe("the changed parts", () => {
  test("of an object are its changed, added and removed fields", () => {
    const schema = z.object({ cpu: z.int(), io: z.int(), note: z.string(), tags: Tags });
    const before = { cpu: 90, io: 1, note: "old", tags: ["a", "b"] };
    const after = { cpu: 80, io: 1, tags: ["b", "a"] };
    expect(changedParts(schema, before, after, "/alerts")).toEqual(["/alerts/cpu", "/alerts/note"]);
    expect(changedParts(schema, after, before, "/alerts")).toEqual(["/alerts/cpu", "/alerts/note"]);
    expect(changedParts(schema, null, after, "/alerts")).toEqual(["/alerts"]);
    expect(changedParts(schema, before, null, "/alerts")).toEqual(["/alerts"]);
  });

  test("of a list without an order are its added and removed entries, by a digest of each", () => {
    const [added, removed] = [changedParts(Tags, [], ["c"], "/tags"), changedParts(Tags, ["a"], [], "/tags")];
    expect(added).toEqual([expect.stringMatching(/^\/tags\/[0-9a-f]{16}$/)]);
    expect(removed).not.toEqual(added);
    expect(changedParts(Tags, tags.old, tags.declared, "/tags")).toEqual([...removed, ...added]);
    expect(changedParts(Tags, ["b", "a"], ["a", "b"], "/tags")).toEqual([]);
  });

  test("of a list with an order are the whole list", () => {
    expect(changedParts(Ordered, ["b", "a"], ["a", "b"], "/tags")).toEqual(["/tags"]);
    expect(changedParts(Ordered, ["a"], ["a"], "/tags")).toEqual([]);
  });

  test("of a text with equivalent values are the text, if the values are not equivalent", () => {
    expect(changedParts(Caseless, "DE", "de", "/country")).toEqual([]);
    expect(changedParts(Caseless, "DE", "US", "/country")).toEqual(["/country"]);
  });

  test("of an entry that is recognized by its key are one part", () => {
    const [before, after] = [[{ address: "192.0.2.1", compute_id: 1 }], [{ address: "192.0.2.1", compute_id: 2 }]];
    expect(changedParts(Assignments, before, after, "/assignments")).toHaveLength(1);
  });
});
