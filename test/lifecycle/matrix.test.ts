import { describe, expect, test } from "vitest";
import type { KindName } from "../../provider/resources";
import { forEveryChangeOfPlugin } from "../nightly";
import { expectNoDifference, expectShown, lastOf } from "./expectations";
import { stepsOf } from "./fault-cases";
import type { Effect } from "./fixture";
import { kindTests } from "./kinds";
import {
  type AnyEdit,
  definition,
  expected,
  fileOf,
  inputsAround,
  inputsOf,
  isApplied,
  keyOf,
  names,
  onEachEdit,
  operationsIn,
  type Scenario,
  scenario,
} from "./scenario";

/** Whether no input before has the same effect, such as a replacement or an update by the same operations. */
const isFirstOfEffect = (name: KindName, input: string): boolean => {
  const effects = kindTests[name].effects as Readonly<Record<string, Effect>>;
  return (
    inputsOf(name).findIndex((other) => String(effects[other]) === String(effects[input])) ===
    inputsOf(name).indexOf(input)
  );
};

describe.each(names)("%s", (name) => {
  test("is created, and repeated reads show no difference", async () => {
    await using it = await scenario(name, { shuffle: true });
    await it.managed.up(it.fixture.base);
    for (let look = 0; look < 10; look++) {
      await it.fixture.changeUnmanaged(lastOf(it.managed.id) as never);
      await expectNoDifference(it, it.fixture.base);
    }
    expect(it.warnings).toEqual([]);
  });

  test("is created again after a deletion outside Pulumi, without orphans", async () => {
    await using it = await scenario(name);
    if (it.fixture.remove === null) return await expectLasting(it);
    await it.managed.up(it.fixture.base);
    await it.remove();
    expect(await it.managed.refresh()).toBe("gone");
    expect(it.warnings).toEqual([expect.stringMatching(/ no longer exists: the next update creates it again$/)]);
    expect((await it.managed.up(it.fixture.base).catch(explained(it))).op).toBe("create");
    await expectNoDifference(it, it.fixture.base);
    await it.managed.destroy();
    expect(it.created()).toEqual({});
  });

  test("counts as deleted if it does not exist", async () => {
    await using it = await scenario(name);
    if (it.fixture.remove === null) return await expectLasting(it);
    await it.managed.up(it.fixture.base);
    await it.remove();
    await it.managed.destroy();
    // Requesting a pre-signed URL is a POST, but changes nothing. The provider requests it before it deletes an object
    // in a bucket.
    expect(it.calls().filter((call) => !call.startsWith("objectStorageObjects.createUrl "))).toEqual([]);
    expect(it.created()).toEqual({});
  });

  // The plugin only receives an input in another way, so each of its inputs is either changed or set at creation.
  test.each(forEveryChangeOfPlugin(inputsOf(name), (input) => isFirstOfEffect(name, input)))(
    "changing %s has the expected effect",
    (input) => onEach(name, input, change),
  );

  test.each(forEveryChangeOfPlugin(inputsOf(name), (input) => !isFirstOfEffect(name, input)))(
    "%s can be set at creation",
    (input) => onEach(name, input, state),
  );
});

test.each(names.filter((name) => Object.keys(definition(name).steps ?? {}).length))(
  "%s > is created again if an update finds it deleted, which the preview announces",
  async (name) => {
    await using it = await scenario(name);
    if (it.fixture.remove === null) return await expectLasting(it);
    const [{ before, after }] = stepsOf(it) as [ReturnType<typeof stepsOf>[number]];
    await it.managed.up(before);
    await it.remove();
    expect((await it.managed.preview(after)).op).toBe("replace");
    expect(it.warnings).toEqual([expect.stringMatching(/ no longer exists: .* It will be created again$/)]);
    await it.managed.up(after).catch(explained(it));
    await expectNoDifference(it, after);
  },
);

/**
 * Adds advice for the author of the test data to the error of a create that should have succeeded after the object was
 * deleted.
 */
const explained =
  ({ kind }: Scenario) =>
  (cause: unknown): never => {
    const advice = `After \`remove\` of the fixture in ${fileOf(kind.name as KindName)}, the object must not exist and a create must succeed. If another object has to change before, set \`remove\` to null, and test this case in test/lifecycle/behaviour`;
    throw new Error(`${cause instanceof Error ? cause.message : cause}. ${advice}`, { cause });
  };

/**
 * Tests each edit of an input, then checks that the edits together have called exactly the operations that are expected
 * for this input.
 */
async function onEach(name: KindName, input: string, attempt: typeof change): Promise<void> {
  const effects = kindTests[name].effects as Readonly<Record<string, Effect>>;
  const meant = (key: string) => [effects[key]].flat() as string[];
  const edits: AnyEdit[] = [];
  const operations: string[] = [];
  await onEachEdit(name, input, async (it, edit) => {
    edits.push(edit);
    operations.push(...((await attempt(it, input, edit, expected(name, input, edit))) ?? []));
  });
  if (attempt === state || !edits.length || typeof effects[input] !== "object") return;
  // Edits can change other inputs too (`along`). The operations for those inputs are not counted.
  const along = edits.flatMap(({ along = {} }) => Object.keys(along).flatMap(meant));
  const own = operations.filter((operation) => meant(input).includes(operation) || !along.includes(operation));
  expect([...new Set(own)].sort(), `${name}.${input} changes by the operations of its effect`).toEqual(meant(input));
}

async function state(it: Scenario, input: string, edit: AnyEdit, effect: Effect): Promise<undefined> {
  const { after } = inputsAround(it.fixture, input, edit);
  await it.managed.up(after);
  if (isApplied(effect)) await expectShown(it, keyOf(it, input), edit);
  await expectNoDifference(it, after);
  await it.managed.destroy();
  expect(it.created()).toEqual({});
}

async function change(
  it: Scenario,
  input: string,
  edit: AnyEdit,
  effect: Effect,
): Promise<readonly string[] | undefined> {
  const { managed } = it;
  const { before, after } = inputsAround(it.fixture, input, edit);
  await managed.up(before);
  const { id } = managed;
  it.anew();
  const changed = [input, ...Object.keys(edit.along ?? {})].map((name) => keyOf(it, name));
  const plan = await managed.preview(after);
  expect(it.calls(), "a preview changes nothing").toEqual([]);
  expect(await managed.up(after)).toEqual(plan);
  const calls = it.calls();
  if (effect === "replace") await expectReplaced(it, plan, { id, input });
  else {
    expect(plan).toMatchObject({ op: isApplied(effect) ? "update" : "same", replaces: [] });
    expect(managed.id).toBe(id);
    const update = typeof effect === "object" ? effect.filter((operation) => operation.endsWith(".update")) : [];
    const advice = `the requests of the change; if they are right, list them in \`calls\` of the edit of ${input} in ${fileOf(it.kind.name as KindName)}`;
    expect(calls, advice).toEqual(edit.calls ?? update.map((operation) => [operation, ...changed.sort()].join(" ")));
    if (effect === "write-only") expect(it.warnings.join()).toContain(input);
  }
  if (isApplied(effect)) await expectShown(it, keyOf(it, input), edit);
  await expectNoDifference(it, after);
  await managed.destroy();
  expect(it.created()).toEqual({});
  return effect === "replace" ? undefined : operationsIn(calls);
}

/**
 * Tests a resource whose object cannot be deleted outside Pulumi, or cannot be created again afterwards, such as
 * account settings: after `pulumi destroy`, the next `pulumi up` succeeds, and a further preview shows no difference.
 */
async function expectLasting(it: Scenario): Promise<void> {
  await it.managed.up(it.fixture.base);
  await it.managed.destroy();
  expect(it.created()).toEqual({});
  await it.managed.up(it.fixture.base);
  await expectNoDifference(it, it.fixture.base);
}

async function expectReplaced(
  it: Scenario,
  plan: { op: string; replaces: string[] },
  { id, input }: { id: string; input: string },
) {
  expect(plan).toMatchObject({ op: "replace", replaces: expect.arrayContaining([input]) });
  const { run, retained } = it.kind.delete ?? {};
  if (run === "none" || (retained && !retained.when)) return;
  expect(
    it.managed.id,
    `${input} is "replace", but the new object has the id of the old one: declare a step that deletes it and creates it again`,
  ).not.toBe(id);
  expect(
    await it.exists(id),
    `the replaced ${it.kind.name} still exists after its deletion. If the API still returns it, with a status such as "cancelled", \`extend\` of its definition returns undefined for that status`,
  ).toBe(false);
}
