import { describe, expect, test } from "vitest";
import { kinds } from "../../provider/resources";
import { interrupted } from "./changed-responses";
import { attempt, callsOf, expectOnlyAccount, faultCases, leavesObject, tryEach } from "./fault-cases";
import { names, type Scenario, scenario } from "./scenario";

const up = (it: Scenario) => it.managed.up(it.fixture.base);

/** Deletes an object without faults, to learn which API calls a deletion sends. */
async function undisturbed(name: (typeof names)[number]) {
  await using it = await scenario(name);
  await up(it);
  it.anew();
  await it.managed.destroy();
  return callsOf(it);
}

describe.each(names)("%s: faults while it is deleted", (name) => {
  test("stays in state until it is deleted, and the next deletion completes", async () => {
    const calls = await undisturbed(name);
    if (leavesObject(kinds[name])) return expectOnlyAccount(calls);
    const cases = faultCases(calls);
    await tryEach(cases, async ({ fault }) => {
      await using it = await scenario(name);
      await up(it);
      it.anew();
      it.emulator.faults.add(fault);
      const failure = await attempt(() => it.managed.destroy());
      expect(it.managed.state === undefined, "state drops only deleted objects").toBe(failure === undefined);
      it.emulator.faults.clear();
      it.anew();
      await it.managed.destroy();
      expect(it.created()).toEqual({});
    });
  });

  test("succeeds if the object is deleted between the read and the delete request", async () => {
    await using first = await scenario(name);
    const { finish, remove } = first.fixture;
    const ends = {
      "it is deleted": remove !== null && ((it: Scenario) => it.removeNow()),
      "`finish` of the fixture ends it": finish && (async (it: Scenario) => it.fixture.finish?.(it.managed.id)),
    };
    for (const [what, end] of Object.entries(ends)) {
      if (!end || leavesObject(kinds[name])) continue;
      let hasEnded = false;
      await using it = await scenario(name);
      await up(it);
      it.anew();
      const ended = async () => {
        hasEnded = true;
        await end(it);
      };
      it.managed.reconnect(interrupted({ ...it, host: it.reconnect() }, ended));
      const failure = await attempt(() => it.managed.destroy());
      expect(
        failure,
        `the deletion if ${what} first: \`delete.run\` of ${name} handles a rejected request by reading the object again, and throws only if it still has to be deleted`,
      ).toBeUndefined();
      expect(hasEnded, `${what} before the delete request`).toBe(true);
      if (what === "it is deleted") expect(it.created()).toEqual({});
    }
  });
});
