import { describe, expect, test } from "vitest";
import { kinds } from "../../provider/resources";
import { attempt, callsOf, faultCases, leavesObject, tryEach } from "./fault-cases";
import { names, type Scenario, scenario } from "./scenario";

const up = (it: Scenario) => it.managed.up(it.fixture.base);

/** The calls of a deletion that nothing befalls. */
async function undisturbed(name: (typeof names)[number]) {
  await using it = await scenario(name);
  await up(it);
  it.anew();
  await it.managed.destroy();
  return callsOf(it);
}

describe.each(names)("%s: what befalls its deletion", (name) => {
  test("keeps it in state until it is deleted, and the next deletion completes", async () => {
    const cases = faultCases(await undisturbed(name));
    if (leavesObject(kinds[name])) return expect(cases).toEqual([]);
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
      expect(it.made()).toEqual({});
    });
  });
});
