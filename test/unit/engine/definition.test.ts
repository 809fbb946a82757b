import { expect, test } from "vitest";
import { type Field, fieldOf, type Readiness } from "../../../provider/engine/definition";
import { widget } from "./widgets";

test("a field is the name of a step or a record; both mean the same", () => {
  const kind = widget();
  expect(fieldOf(kind, "label")).toEqual({ change: "edit" });
  const note = "widgets cannot shrink";
  const grown = widget({ fields: { ...kind.fields, size: { change: "grow", note } } as never });
  expect(fieldOf(grown, "size")).toEqual({ change: "grow", note });
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
