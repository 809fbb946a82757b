import { expect, test } from "vitest";
import { type Field, factsOf, fieldOf, nameField, type Readiness } from "../../../provider/engine/definition";
import type { Inventory } from "../../../provider/engine/inventory";
import { widget } from "./widgets";

test("a field is the name of a step or a record; both mean the same", () => {
  const kind = widget();
  expect(fieldOf(kind, "label")).toEqual({ change: "edit" });
  const note = "widgets cannot shrink";
  const grown = widget({ fields: { ...kind.fields, size: { change: "grow", note } } as never });
  expect(fieldOf(grown, "size")).toEqual({ change: "grow", note });
});

test("an input that the API never returns replaces the object only for a declared reason", () => {
  const { fields } = widget();
  expect(() => widget({ fields: { ...fields, password: "replace" } as never })).toThrow(
    "Widget: the input password replaces the object, but the API never returns it: no output has this name. " +
      'Write { change: "writeOnly", note: "…" }, or say in replaceReason why a change must replace the object ' +
      "(docs/decisions/0007-create-only-inputs-never-replace.md)",
  );
  expect(() => widget({ fields: { ...fields, password: { change: "edit", replaceUnless: {} } } as never })).toThrow(
    "the input password replaces the object",
  );
  const reasoned = { change: "replace", replaceReason: "the disk is encrypted with it" };
  expect(fieldOf(widget({ fields: { ...fields, password: reasoned } as never }), "password")).toEqual(reasoned);
});

type Seen = { status?: "new" | "active" | undefined };
type SizeField = Field<"edit" | "grow", { size: number }, number, Seen>;

test("unknown steps, operations and statuses are type errors", () => {
  const fields: SizeField[] = ["edit", "replace", "local", { change: "grow", by: ["volumes.resize"] }];
  // @ts-expect-error: the step does not exist
  fields.push("shrink");
  // @ts-expect-error: the operation does not exist
  fields.push({ change: "grow", by: ["volumes.grow"] });
  const readiness: Readiness<object, Seen> = { byStatus: { new: "wait", active: "ready" } };
  // @ts-expect-error: the status has no meaning
  readiness.byStatus = { new: "wait" };
  expect(fields).toHaveLength(6);
});

type WidgetInventory = Inventory<{ volumeId: number }, { size: number }, { label: string }, { label?: string }>;

test("facts about the objects of an account that are missing or contradict each other are type errors", () => {
  const facts: WidgetInventory[] = ["none", { file: "compute", list: "operation", title: "label" }];
  // @ts-expect-error: the name of an imported resource is missing
  facts.push({ file: "compute", list: "operation" });
  // @ts-expect-error: the objects have no `domain`
  facts.push({ file: "compute", list: "operation", title: "domain" });
  // @ts-expect-error: the file of an imported project is missing
  facts.push({ list: "operation", title: "label" });
  // @ts-expect-error: the search is missing
  facts.push({ file: "compute", list: "search", title: "label" });
  // @ts-expect-error: the reason for the report of an import is missing
  facts.push({ file: "compute", list: "byId", title: "label" });
  // @ts-expect-error: the kind has no input `parts`
  facts.push({ file: "compute", list: "operation", title: "label", declares: { parts: ["instanceDisks"] } });
  expect(facts).toHaveLength(8);
});

test("an object's name is the output that `title` names; other titles are not names that a user has given", () => {
  expect(nameField(widget())).toBe("label");
  expect(nameField(widget({ inventory: { file: "compute", list: "operation", title: "id" } }))).toBeUndefined();
  expect(nameField(widget({ inventory: { file: "compute", list: "operation", title: () => "x" } }))).toBeUndefined();
  expect(factsOf(widget({ inventory: "none" }))).toEqual({});
});
