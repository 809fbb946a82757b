import { describe, expect, test as vitest } from "vitest";
import { DynamicProvider } from "../../provider/dynamic/provider";
import type { Kind } from "../../provider/engine/definition";
import type { Bag } from "../../provider/engine/values";
import { kinds } from "../../provider/resources";
import { cloud } from "../../testing/cloud";
import { Managed } from "../../testing/provider";
import { fresh } from "../fresh";
import { expected, inputsAround, inputsOf, isApplied, names, onEachEdit } from "./scenario";

const test = vitest.extend("account", fresh(cloud));

/** Outputs that are derived from an input and change with it. */
const derived = ["contentHash", "etag"];

describe.each(names)("%s: Pulumi sees which inputs change, as replaceOnChanges requires", (name) => {
  test.each(inputsOf(name))("%s", async (input) => {
    await onEachEdit(name, input, async (it, edit) => {
      const { before, after } = inputsAround(it.fixture, input, edit);
      await it.managed.up(before);
      const { diffs } = await it.managed.preview(after);
      const edited = [input, ...Object.keys(edit.along ?? {})];
      if (isApplied(expected(name, input, edit))) expect(diffs).toContain(input);
      else expect(diffs).toEqual([]);
      expect(diffs.filter((key) => !edited.includes(key) && !derived.includes(key))).toEqual([]);
    });
  });
});

const grown = { region: "us-east", label: "data", size: 40 };

test("a change that no input shows is still an update", async ({ account }) => {
  const { grow: _, ...steps } = kinds.Volume.steps ?? {};
  const stuck = { ...kinds.Volume, steps: { ...steps, grow: { run: async () => undefined } } } as Kind;
  const provider = new DynamicProvider(stuck, () => account.host);
  const { inputs } = await provider.check({}, { ...grown, size: 20 });
  const { id, outs } = await provider.create(inputs as Bag);
  const updated = await provider.update(id, outs as Bag, { ...inputs, size: 40 });
  expect(updated.outs).toMatchObject({ size: 20, __unmet: "size" });
  // Pulumi compares the new input with the input in state. Both are 40, although the update had no effect and the size
  // is still 20.
  expect(await provider.diff(id, updated.outs as Bag, { ...inputs, size: 40 })).toMatchObject({ changes: true });
  expect(account.waits.slice(1)).toEqual([`Volume "data" (${id}): /size: 20 → 40`]);
  const both = await provider.diff(id, updated.outs as Bag, { ...inputs, size: 40, tags: ["new"] });
  expect(both).not.toHaveProperty("changes");
  const { props = {} } = await provider.read(id, updated.outs as Bag);
  expect(props, "a refresh puts into the inputs what is there").not.toHaveProperty("__unmet");
});

test("a replacement by options deletes the old object first, unless its label is generated", async ({ account }) => {
  const declared = new Managed("Volume", account.host, "data");
  await declared.up({ ...grown, size: 20 });
  expect(await declared.preview(grown)).toMatchObject({ op: "update", diffs: ["size"], deleteBeforeReplace: true });
  const named = new Managed("Volume", account.host, "other");
  await named.up({ region: "us-east" });
  expect(await named.preview({ region: "us-east", size: 40 })).toMatchObject({
    op: "update",
    deleteBeforeReplace: false,
  });
});

test("state of an earlier version is upgraded first, and then has the current version", async ({ account }) => {
  const migrate = ({ name, ...state }: Bag): Bag => (name === undefined ? state : { ...state, label: name });
  const provider = new DynamicProvider({ ...kinds.Volume, migrate } as Kind, () => account.host);
  const { inputs = {} } = await provider.check({}, grown);
  const { id, outs } = await provider.create(inputs as Bag);
  expect(outs).toMatchObject({ __version: 1 });
  const { label, __version: _, ...old } = outs as Bag;
  const first = { ...old, name: label };
  expect(await provider.diff(id, first, inputs as Bag)).toMatchObject({ changes: false, replaces: [] });
  expect((await provider.read(id, first)).props).toMatchObject({ label: "data", __version: 1 });
});
