import { expect } from "vitest";
import { camel } from "../../api";
import { fieldOf } from "../../provider/engine/definition";
import { parentInputs, pathOf } from "../../provider/engine/identity";
import type { Bag } from "../../provider/engine/values";
import { type AnyEdit, onTheWire, type Scenario } from "./scenario";

/** Expects that a preview and a refresh find no difference and change nothing. */
export async function expectNoDifference({ managed, calls, anew, kind }: Scenario, inputs: Bag): Promise<void> {
  anew();
  const before = managed.state;
  expect(await managed.preview(inputs)).toMatchObject({ op: "same" });
  expect(await managed.refresh()).toBe("same");
  // If the account could not be read before, the refresh adds it.
  const { __account, ...outs } = managed.state?.outs ?? {};
  expect({ __account, ...outs }).toEqual({ __account, ...before?.outs });
  expect(applied(kind, managed.state?.inputs)).toEqual(applied(kind, before?.inputs));
  expect(await managed.preview(inputs)).toMatchObject({ op: "same" });
  expect(calls(), "looking changes nothing").toEqual([]);
}

/** Expects that the API returns the declared values. */
export async function expectShown({ kind, managed, view }: Scenario, key: string, edit: AnyEdit): Promise<void> {
  const now = edit.read
    ? { [key]: await edit.read(lastOf(managed.id) as never) }
    : { ...parentInputs(kind, pathOf(kind, managed.id)), ...(await view()) };
  expect(now).toMatchObject({ [key]: onTheWire(kind, key, edit.to) });
}

/**
 * Removes inputs whose changes are never sent to the API: write-only inputs, which are used only at creation, and local
 * inputs such as `allowReboot`, which only control the provider. For them, state can contain the values from creation
 * instead of the declared ones.
 */
const applied = (kind: Scenario["kind"], inputs: Bag = {}): Bag =>
  Object.fromEntries(
    Object.entries(inputs).filter(([name]) => {
      const key = Object.keys(kind.fields).find((each) => camel(each) === name);
      return !key || !["local", "writeOnly"].includes(fieldOf(kind, key).change);
    }),
  );

/** The last part of a resource's id, for example 34 for "12/34". Numeric text becomes a number, as in the API. */
export function lastOf(id: string): number | string {
  const last = id.split("/").at(-1) ?? "";
  return /^\d+$/.test(last) ? Number(last) : last;
}
