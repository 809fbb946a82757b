import { expect, test } from "vitest";
import { z } from "zod";
import { namedOperations, operations, visit } from "../../../api";
import { Settings } from "../../../provider/pulumi/settings";
import { kinds } from "../../../provider/resources";

/** Texts that are longer than any limit and that begin like the values of most fields. */
const long = ["a", "a.", "A1", "1", "1 ", "é", "a\n", "1h", "a/"].flatMap((part) =>
  ["", "!", "-a", "\n"].map((end) => part.repeat(2_000_000) + end),
);

test("a value of any length is either valid or invalid, in every field", () => {
  const schemas = new Map<z.core.$ZodType, string>();
  const add = (name: string, whole: z.core.$ZodType) => {
    for (const { schema, field = "" } of visit(whole)) schemas.set(schema, `${name}: ${field}`);
  };
  for (const kind of Object.values(kinds)) add(kind.name, kind.inputs);
  for (const { name, operation } of namedOperations(operations))
    for (const part of [operation.body, operation.query, ...Object.values(operation.params ?? {})])
      if (part) add(name, part);
  add("configuration", Settings);
  const broken = [...schemas].filter(([schema]) => {
    if (!(schema instanceof z.core.$ZodString)) return false;
    try {
      for (const text of long) z.safeParse(schema, text);
      return false;
    } catch {
      return true;
    }
  });
  expect(broken.map(([, name]) => name)).toEqual([]);
});
