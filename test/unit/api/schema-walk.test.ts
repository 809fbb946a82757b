import { expect, test } from "vitest";
import { z } from "zod";
import {
  elementOf,
  fieldsOf,
  filterableFields,
  formOf,
  holdsSecret,
  innerOf,
  layersOf,
  mapParts,
  partsOf,
  valueTypeOf,
  visit,
} from "../../../api";

const Rule = z.strictObject({ port: z.int().meta({ filterable: true }), key: z.string().meta({ secret: true }) });
const Shape = z.union([z.string(), z.strictObject({ width: z.int() })]);
const Item = z.strictObject({
  label: z.string().meta({ filterable: true }).optional(),
  rules: z.array(Rule).nullable().default(null),
  sizes: z.record(z.string(), Shape),
  owner: z.strictObject({ id: z.int().meta({ filterable: true }) }),
  tags: z.array(z.string()).meta({ filterable: true }),
});

test("unwraps optional, nullable and default", () => {
  const { rules } = Item.shape;
  expect(layersOf(rules)).toMatchObject({ nullable: true, optional: false, initial: null });
  expect(innerOf(rules)).toBeInstanceOf(z.core.$ZodArray);
  expect(elementOf(rules)).toBe(Rule);
  expect(Object.keys(fieldsOf(Item.optional()))).toEqual(["label", "rules", "sizes", "owner", "tags"]);
  expect(valueTypeOf(Item.shape.sizes)).toBe(Shape);
  expect([elementOf(Item), valueTypeOf(Item)]).toEqual([undefined, undefined]);
});

test("visits every part once, with the name of its field", () => {
  expect([...visit(Item)].map(({ field }) => field)).toEqual([
    undefined,
    ...["label", "rules", "rules", "port", "key"],
    ...["sizes", "sizes", "sizes", "sizes", "sizes", "width"],
    ...["owner", "id", "tags", "tags"],
  ]);
});

test("finds a secret at any depth", () => {
  expect([Item, Item.shape.rules, Rule, Item.shape.sizes, Item.shape.owner].map(holdsSecret)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

const compared = (schema: z.core.$ZodType) =>
  [...filterableFields(schema)].map(([name, { path, value }]) => [name, path, value._zod.def.type]);

test("lists can be filtered by marked fields and by those of nested records, but not by those of nested lists", () => {
  expect(compared(Item)).toEqual([
    ["label", "label", "optional"],
    ["owner.id", "owner.id", "number"],
    ["tags", "tags", "string"],
  ]);
});

test("a filter by a marked list of records compares their marked field", () => {
  const rules = z.array(Rule).meta({ filterable: true });
  expect(compared(z.strictObject({ rules, owner: z.strictObject({ rules }) }))).toEqual([
    ["rules", "rules.port", "number"],
    ["owner.rules", "owner.rules.port", "number"],
  ]);
});

test("each part of a value has the schema of its field, element or map", () => {
  expect(partsOf(Item, { label: "x", sizes: { a: "m" }, unexpected: 1 }).map(({ key }) => key)).toEqual([
    "label",
    "sizes",
  ]);
  expect(partsOf(Item.shape.sizes, { a: "m" })).toEqual([{ key: "a", schema: Shape, value: "m" }]);
  expect(partsOf(Item, { constructor: 1 })).toEqual([]);
  expect(partsOf(Rule, [1])).toEqual([]);
});

test("applies a function to the parts that have a schema, and keeps the others", () => {
  const double = (_: unknown, value: unknown) => `${value}${value}`;
  expect(mapParts(Item, { label: "x", unexpected: 1 }, double)).toEqual({ label: "xx", unexpected: 1 });
  expect(mapParts(Item.shape.tags, ["a", "b"], double)).toEqual(["aa", "bb"]);
  expect(mapParts(Item, "text", double)).toBe("text");
});

test("selects the variant of a union that accepts the value", () => {
  const one = z.strictObject({ type: z.literal("one"), a: z.string() });
  const other = z.strictObject({ type: z.literal("other"), b: z.string() });
  const either = z.discriminatedUnion("type", [one, other]);
  expect(formOf(either, { type: "other" })).toBe(other);
  expect(formOf(either, { type: "third" })).toBe(either);
  expect(formOf(one, { type: "other" })).toBe(one);
});
