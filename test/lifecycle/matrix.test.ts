import { describe, expect, test } from "vitest";
import { camel } from "../../provider/names";
import type { Bag, Change } from "../../provider/resource";
import { editsOf, inputsOf, type AnyEdit, names, onTheWire, type Stage, stage } from "./stage";

describe.each(names)("%s", (name) => {
  test("is created, and nothing differs however often one looks", async () => {
    await using it = await stage(name, { shuffle: true });
    await it.managed.up(it.scene.base);
    for (let look = 0; look < 3; look++) {
      await it.scene.stir(lastOf(it.managed.id));
      await expectNoDifference(it, it.scene.base);
    }
    expect(it.said).toEqual([]);
  });

  test("is seen to be gone, created again, and leaves nothing behind", async () => {
    await using it = await stage(name);
    await it.managed.up(it.scene.base);
    await it.remove();
    expect(await it.managed.refresh()).toBe("gone");
    expect((await it.managed.up(it.scene.base)).op).toBe("create");
    await expectNoDifference(it, it.scene.base);
    await it.managed.destroy();
    expect(it.made()).toEqual({});
  });

  test("is deleted although it is gone already", async () => {
    await using it = await stage(name);
    await it.managed.up(it.scene.base);
    await it.remove();
    await it.managed.destroy();
    expect(it.calls()).toEqual([]);
    expect(it.made()).toEqual({});
  });

  test.each(inputsOf(name))("a change of %s does what its table says", async (input) => {
    await using first = await stage(name);
    for (const nth of editsOf(first.scene, input).keys()) {
      await using it = await stage(name);
      await change(it, input, editsOf(it.scene, input)[nth] as AnyEdit);
    }
  });
});

async function change(it: Stage, input: string, edit: AnyEdit): Promise<void> {
  const { managed, scene, kind } = it;
  const before = { ...scene.base, ...edit.given };
  const after = { ...before, [input]: edit.to, ...edit.along };
  await managed.up(before);
  const { id } = managed;
  it.anew();
  const key = keyOf(it, input);
  const meaning = kind.changes[key] as Change<string>;
  const changed = [input, ...Object.keys(edit.along ?? {})].map((name) => keyOf(it, name));
  const plan = await managed.preview(after);
  expect(it.calls(), "a preview changes nothing").toEqual([]);
  expect(await managed.up(after)).toEqual(plan);
  if (meaning === "replace") await expectReplaced(it, plan, { id, input });
  else {
    const inPlace = meaning !== "local" && typeof meaning === "string";
    expect(plan).toMatchObject({ op: inPlace ? "update" : "same", replaces: [] });
    expect(managed.id).toBe(id);
    const plain = [[`${String(kind.area)}.update`, ...changed.sort()].join(" ")];
    expect(it.calls()).toEqual(inPlace ? (edit.calls ?? plain) : []);
    if (typeof meaning === "object") expect(it.said.join()).toContain(meaning.kept);
  }
  if (typeof meaning === "string" && meaning !== "local") await expectShown(it, key, edit);
  await expectNoDifference(it, after);
  await managed.destroy();
  expect(it.made()).toEqual({});
}

async function expectReplaced(it: Stage, plan: { op: string; replaces: string[] }, { id, input }: { id: string; input: string }) {
  expect(plan).toMatchObject({ op: "replace", replaces: expect.arrayContaining([input]) });
  expect(it.managed.id).not.toBe(id);
  await expect(it.shown(id)).rejects.toMatchObject({ status: 404 });
}

/** What the API shows is what the program states. */
async function expectShown({ kind, managed, shown }: Stage, key: string, edit: AnyEdit) {
  const now = edit.shown ? { [key]: await edit.shown(lastOf(managed.id)) } : await shown();
  expect(now).toMatchObject({ [key]: onTheWire(kind, key, edit.to) });
}

async function expectNoDifference({ managed, calls, anew, kind }: Stage, inputs: Bag) {
  anew();
  const before = managed.state;
  expect(await managed.preview(inputs)).toMatchObject({ op: "same" });
  expect(await managed.refresh()).toBe("same");
  expect(managed.state?.outs).toEqual(before?.outs);
  expect(applied(kind, managed.state?.inputs)).toEqual(applied(kind, before?.inputs));
  expect(await managed.preview(inputs)).toMatchObject({ op: "same" });
  expect(calls(), "looking changes nothing").toEqual([]);
}

/** Without those that were only noted: their values in state are those that the object was made with. */
const applied = ({ changes }: Stage["kind"], inputs: Bag = {}): Bag =>
  Object.fromEntries(
    Object.entries(inputs).filter(([name]) => {
      const change = Object.entries(changes).find(([key]) => camel(key) === name)?.[1];
      return change !== "local" && typeof change !== "object";
    }),
  );

const keyOf = ({ kind }: Stage, input: string): string =>
  Object.keys(kind.changes).find((key) => camel(key) === input) as string;

const lastOf = (id: string): number => Number(id.split("/").at(-1));
