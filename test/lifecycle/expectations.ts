import { expect } from "vitest";
import { camel } from "../../api";
import { fieldOf } from "../../provider/engine/definition";
import type { Bag } from "../../provider/engine/values";
import { type AnyEdit, onTheWire, type Scenario } from "./scenario";

/** Neither a preview nor a refresh finds a difference, and neither changes anything. */
export async function expectNoDifference({ managed, calls, anew, kind }: Scenario, inputs: Bag): Promise<void> {
  anew();
  const before = managed.state;
  expect(await managed.preview(inputs)).toMatchObject({ op: "same" });
  expect(await managed.refresh()).toBe("same");
  expect(managed.state?.outs).toEqual(before?.outs);
  expect(applied(kind, managed.state?.inputs)).toEqual(applied(kind, before?.inputs));
  expect(await managed.preview(inputs)).toMatchObject({ op: "same" });
  expect(calls(), "looking changes nothing").toEqual([]);
}

/** Checks that the API returns the declared values. */
export async function expectShown({ kind, managed, view }: Scenario, key: string, edit: AnyEdit): Promise<void> {
  const now = edit.read ? { [key]: await edit.read(lastOf(managed.id) as never) } : await view();
  expect(now).toMatchObject({ [key]: onTheWire(kind, key, edit.to) });
}

/** Without those that were only noted: their values in state are those that the object was made with. */
const applied = (kind: Scenario["kind"], inputs: Bag = {}): Bag =>
  Object.fromEntries(
    Object.entries(inputs).filter(([name]) => {
      const key = Object.keys(kind.fields).find((each) => camel(each) === name);
      return !key || !["local", "writeOnly"].includes(fieldOf(kind, key).change);
    }),
  );

/** The object's own part of an id that names its parents as well; a number where it is one. */
export function lastOf(id: string): number | string {
  const last = id.split("/").at(-1) ?? "";
  return /^\d+$/.test(last) ? Number(last) : last;
}
