import { describe, expect, test } from "vitest";
import { contains, parsedPath, propertyPath, withOld } from "../../../provider/pulumi/property-path";

/** The cases of Pulumi's own tests, in sdk/go/common/resource/properties_path_test.go. */
describe("property paths are parsed as Pulumi does", () => {
  test.each<[string, (string | number)[]]>([
    ["root", ["root"]],
    ["root.nested", ["root", "nested"]],
    ['root["nested"]', ["root", "nested"]],
    ['root.double["nest"]', ["root", "double", "nest"]],
    ['root["double"]["nest"]', ["root", "double", "nest"]],
    ["root.array[0].nested", ["root", "array", 0, "nested"]],
    ["root.array[100]", ["root", "array", 100]],
    ["root.array2[0][1].nested", ["root", "array2", 0, 1, "nested"]],
    ['root["key with \\"escaped\\" quotes"]', ["root", 'key with "escaped" quotes']],
    ['root["key with a ."]', ["root", "key with a ."]],
    ['["root key with a ."][100]', ["root key with a .", 100]],
    ["root.array[*].field", ["root", "array", "*", "field"]],
    ['root.array["*"].field', ["root", "array", "*", "field"]],
    ["root.[0]", ["root", 0]],
    ["foo-bar", ["foo-bar"]],
    ["*", ["*"]],
  ])("%s", (text, parts) => expect(parsedPath(text)).toEqual(parts));

  test.each(["", ".root", "root.", 'root["nested', 'root["nested"', "root[0", "root[x]", "root[]"])(
    "%j is not valid",
    (text) => expect(parsedPath(text)).toBeUndefined(),
  );
});

describe("Pulumi reads the paths of the provider", () => {
  test.each([
    { path: ["rules", "inbound", 0, "ports"] },
    { path: ["pools", "a.b", "count"] },
    { path: ["pools", 'a "quoted" name', "count"] },
    { path: ["pools", 'a\\"b', "count"] },
    { path: ["pools", "a\\b\nc", "count"] },
  ])("$path", ({ path }) => expect(parsedPath(propertyPath(path))).toEqual(path));

  test("of a key that ends with a backslash, which Pulumi cannot read, it is the path of the map", () => {
    expect(propertyPath(["pools", "c\\", "count"])).toBe("pools");
  });
});

describe("ignored paths have their old values, as in Pulumi", () => {
  test.each<[string, string, object, object, object]>([
    ["a key that neither has", "missing", { root: 1 }, { root: 2 }, { root: 2 }],
    ["a key of a value that is not an object", "root.missing", { root: 1 }, { root: 2 }, { root: 2 }],
    ["a value that became an object", "root.nested", { root: 1 }, { root: { nested: 2 } }, { root: {} }],
    ["a changed value", "root", { root: 1 }, { root: 2 }, { root: 1 }],
    ["a nested value", "root.nested", { root: { nested: 1 } }, { root: { nested: 2 } }, { root: { nested: 1 } }],
    ["an added nested value", "root.nested", { root: {} }, { root: { nested: 2 } }, { root: {} }],
    ["a removed nested value", "root.nested", { root: { nested: 1 } }, { root: {} }, { root: { nested: 1 } }],
    ["a nested value of a removed object", "root.nested", { root: { nested: 1 } }, {}, {}],
    ["an entry of a list", "array[0]", { array: [1] }, { array: [2] }, { array: [1] }],
    [
      "a part of an entry",
      "array[0].item",
      { array: [{ item: 1 }] },
      { array: [{ item: 2 }] },
      { array: [{ item: 1 }] },
    ],
    ["an added entry", "array[0]", { array: [] }, { array: [2] }, { array: [2] }],
    ["a removed entry", "array[0]", { array: [1] }, { array: [] }, { array: [] }],
    ["an entry that only one list has", "array[1]", { array: [2] }, { array: [3, 4] }, { array: [3, 4] }],
    ["a negative index", "array[-1]", { array: [1] }, { array: [2] }, { array: [2] }],
    ["everything", "*", { root: 1, deleted: 2 }, { root: 2, added: 3 }, { root: 1, deleted: 2 }],
    [
      "a key of everything",
      "*.nested",
      { a: { nested: 1 } },
      { a: { nested: 2, other: 3 } },
      { a: { nested: 1, other: 3 } },
    ],
    [
      "every entry of a list",
      "a[*].b",
      { a: [{ b: 1 }, { b: 2 }] },
      { a: [{ b: 3 }, { b: 4 }] },
      { a: [{ b: 1 }, { b: 2 }] },
    ],
    ["every entry of a longer list", "a[*]", { a: [1] }, { a: [2, 3] }, { a: [1, 3] }],
    ["a list that became an object", "root.*", { root: [1] }, { root: { nested: 2 } }, { root: { nested: 2 } }],
    ["the prototype", "__proto__.x", {}, { root: 1 }, { root: 1 }],
  ])("%s: %s", (_, path, old, now, expected) => {
    const before = structuredClone(now);
    expect(withOld([parsedPath(path) ?? []], { ...old }, { ...now })).toEqual(expected);
    expect(now, "is not changed").toEqual(before);
  });
});

test("a path contains itself and the paths below it", () => {
  expect(contains(["alerts"], ["alerts", "cpu"])).toBe(true);
  expect(contains(["alerts", "*"], ["alerts", "cpu"])).toBe(true);
  expect(contains(["*"], ["size"])).toBe(true);
  expect(contains(["alerts", "cpu"], ["alerts"])).toBe(false);
  expect(contains(["alerts", "cpu"], ["alerts", "io"])).toBe(false);
});
