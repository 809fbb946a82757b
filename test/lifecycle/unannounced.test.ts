import { describe, expect, test } from "vitest";
import { fieldOf } from "../../provider/engine/definition";
import { isReturned } from "../../provider/engine/observe";
import type { KindName } from "../../provider/resources";
import { Managed, type State } from "../../testing/provider";
import { forEveryChangeOfPlugin } from "../nightly";
import { expectNoDifference, expectShown } from "./expectations";
import { attempt, stepsOf } from "./fault-cases";
import {
  type AnyEdit,
  type AnyManaged,
  definition,
  editsOf,
  expected,
  inputsAround,
  keyOf,
  names,
  type Scenario,
  scenario,
} from "./scenario";

interface Pair {
  /** The input that changes outside the program. */
  input: string;
  edit: AnyEdit;
  /** The input that the program changes. */
  other: string;
  otherEdit: AnyEdit;
}

/** For each input that the API returns and that changes in place, another one that the program changes meanwhile. */
function pairsOf({ kind, fixture }: Scenario): Pair[] {
  const name = kind.name as KindName;
  const inPlace = Object.keys(fixture.changes).flatMap((input) =>
    editsOf(fixture, input)
      .filter((edit) => Array.isArray(expected(name, input, edit)))
      .slice(0, 1)
      .map((edit) => ({ input, edit })),
  );
  return (
    inPlace
      .filter(({ input }) => isReturned(kind, keyOf({ kind }, input)))
      // The state shows the real value of an input that the service cannot change back, and the preview warns about it.
      .filter(({ input }) => !fieldOf(kind, keyOf({ kind }, input)).unsupported)
      .flatMap(({ input, edit }) => {
        const isIndependent = (one: { input: string; edit: AnyEdit }): boolean =>
          one.input !== input &&
          !one.edit.before &&
          !(input in (one.edit.along ?? {})) &&
          !(one.input in (edit.along ?? {}));
        const other = inPlace.find(isIndependent);
        return other ? [{ input, edit, other: other.input, otherEdit: other.edit }] : [];
      })
  );
}

/**
 * The requests of the same update if nothing has changed outside the program, and the position of the first one that
 * changes something. Undefined if the update fails then, too.
 */
async function usualUpdate(
  name: KindName,
  nth: number,
): Promise<{ calls: string[]; change: number | undefined } | undefined> {
  await using it = await scenario(name);
  const { input, edit, other, otherEdit } = pairsOf(it)[nth] as Pair;
  const { before } = inputsAround(it.fixture, input, edit);
  await it.managed.up(before);
  const declared = { ...before, [input]: before[input] ?? it.managed.outs[input] };
  await it.managed.up(declared);
  it.anew();
  const failure = await attempt(() => it.managed.up({ ...declared, [other]: otherEdit.to, ...otherEdit.along }));
  const change = it.emulator.requests.list().findIndex(({ method, status }) => method !== "GET" && status === 200);
  return failure ? undefined : { calls: it.calls(), change: change === -1 ? undefined : change + 1 };
}

/** Inputs that were changed outside the program, as `Volume.tags`. */
const changed: Record<"usual" | "afterFailure", string[]> = { usual: [], afterFailure: [] };

const updates = names.flatMap((name) => [
  { name, update: "an update", fails: false },
  { name, update: "the update after one that has failed halfway", fails: true },
]);

test.each(updates)("$name: $update keeps what has changed outside the program", async ({ name, fails }) => {
  await using first = await scenario(name);
  for (const [nth, { input, other }] of pairsOf(first).entries()) {
    await using it = await scenario(name);
    const { edit, otherEdit } = pairsOf(it)[nth] as Pair;
    const { before, after } = inputsAround(it.fixture, input, edit);
    await it.managed.up(before);
    const declared = { ...before, [input]: before[input] ?? it.managed.outs[input] };
    if (declared[input] === undefined || (await attempt(() => it.managed.up(declared)))) continue;
    const state = it.managed.state as State;
    const outside = new Managed(name, it.reconnect()) as AnyManaged;
    outside.state = state;
    if ((await attempt(() => outside.up(after))) || outside.id !== state.id) continue;
    const { calls, change } = (await usualUpdate(name, nth)) ?? {};
    if (fails && !change) continue;
    it.anew();
    const news = { ...declared, [other]: otherEdit.to, ...otherEdit.along };
    if (fails && change) {
      it.emulator.faults.add({ kind: "cut-after", nth: change });
      it.emulator.faults.add({ kind: "status", status: 401, nth: change + 1, times: 1000 });
      expect(String(await attempt(() => it.managed.up(news))), `${input}, ${other}`).toContain("401");
      it.emulator.faults.clear();
      it.anew();
    }
    const failure = await attempt(() => it.managed.up(news));
    if (calls && !fails) expect(it.calls(), `${input}, ${other}: ${failure}`).toEqual(calls);
    if (failure) continue;
    await expectShown(it, keyOf(it, input), edit);
    expect(it.managed.state?.outs[input], `${input} in the state`).toEqual(state.outs[input]);
    it.anew();
    expect((await it.managed.preview(news)).op, `${input}, ${other}`).toBe("same");
    changed[fails ? "afterFailure" : "usual"].push(`${name}.${input}`);
  }
});

test("the changed inputs include those with side effects", () => {
  const known = ["Instance.tags", "LkeCluster.tags", "Volume.tags", "Domain.soaEmail"];
  for (const inputs of Object.values(changed)) {
    expect(inputs).toEqual(expect.arrayContaining(known));
    expect(inputs.length).toBeGreaterThan(60);
  }
});

/** Kinds whose create uses an object that exists already. */
const shared: KindName[] = [];
const sharedLater: KindName[] = [];

test.each(names)("%s: a resource that was renamed without an alias keeps its object", async (name) => {
  await using it = await scenario(name);
  await it.managed.up(it.fixture.base);
  it.anew();
  const renamed = new Managed(name, it.host, "other") as AnyManaged;
  const host = it.reconnect();
  renamed.reconnect(host);
  it.managed.reconnect(host);
  const plan = await renamed.preview(it.fixture.base);
  // Most kinds have unique labels, or the create makes a second object.
  if ((await attempt(() => renamed.apply(plan))) || renamed.id !== it.managed.id) return;
  // The deletion changes nothing.
  if (it.kind.delete?.run === "none") return;
  shared.push(name);
  await it.managed.remove();
  const warning = expect.stringMatching(/ was not deleted, because another resource of this update manages it now/);
  expect(it.warnings).toContainEqual(warning);
  expect(await it.exists(renamed.id)).toBe(true);
  expect((await renamed.preview(it.fixture.base)).op).toBe("same");
  expect(await renamed.refresh()).toBe("same");
});

test.each(names)(
  "%s: a resource that was renamed without an alias keeps its object if the next command deletes the old resource",
  async (name) => {
    await using it = await scenario(name);
    await it.managed.up(it.fixture.base);
    it.anew();
    const renamed = new Managed(name, it.host, "other") as AnyManaged;
    renamed.reconnect(it.reconnect());
    // The first command fails before it deletes the old resource.
    if ((await attempt(() => renamed.up(it.fixture.base))) || renamed.id !== it.managed.id) return;
    if (it.kind.delete?.run === "none") return;
    sharedLater.push(name);
    const host = it.reconnect();
    for (const one of [renamed, it.managed]) one.reconnect(host);
    await renamed.preview(it.fixture.base);
    await it.managed.remove();
    expect(it.warnings).toContainEqual(expect.stringMatching(/ was not deleted, because .* declares it now$/));
    expect(await it.exists(renamed.id)).toBe(true);
    expect((await renamed.preview(it.fixture.base)).op).toBe("same");
    expect(await renamed.refresh()).toBe("same");
  },
);

test("kinds whose new resource uses the existing object are tested", () => {
  const known = ["IpSharing", "ObjectStorageObject", "PaymentMethod", "ReverseDns", "VolumeAttachment"];
  expect(shared).toEqual(expect.arrayContaining(known));
  expect(sharedLater).toEqual(shared);
});

describe.each(names.filter((name) => Object.keys(definition(name).steps ?? {}).length))("%s", (name) => {
  test.each(forEveryChangeOfPlugin([1, 3, 20], (times) => times === 3))(
    "an object that a preview does not find %d times is not deleted",
    async (times) => {
      await using it = await scenario(name);
      const [way] = stepsOf(it);
      if (!way) return;
      await it.managed.up(way.before);
      const { id } = it.managed;
      it.anew();
      const path = `${String(it.kind.identity.area)}.*`;
      it.emulator.faults.add({ method: "GET", path, kind: "status", status: 404, times });
      const failure = await attempt(() => it.managed.up(way.after));
      it.emulator.faults.clear();
      expect(await it.exists(id), String(failure)).toBe(true);
      // An update that deletes the object and creates it again may do so here too.
      const own: readonly string[] = [expected(name, way.input, way.edit)].flat();
      const deletions = it.calls().filter((call) => /\.(delete|revoke|cancel)/.test(call));
      expect(deletions.filter((call) => !own.includes(call))).toEqual([]);
      if (it.managed.state?.id !== id) return;
      it.anew();
      await it.managed.up(way.after);
      await expectNoDifference(it, way.after);
    },
  );
});
