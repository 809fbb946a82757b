import { describe, expect, test } from "vitest";
import { attempt, callsOf, faultCases, tryEach } from "./fault-cases";
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
  test("keeps it in state until it is gone, and the next deletion ends it", async () => {
    await tryEach(faultCases(await undisturbed(name)), async ({ fault }) => {
      await using it = await scenario(name);
      await up(it);
      it.anew();
      it.emulator.faults.add(fault);
      const failure = await attempt(() => it.managed.destroy());
      expect(it.managed.state === undefined, "state forgets only what is gone").toBe(failure === undefined);
      it.emulator.faults.clear();
      it.anew();
      await it.managed.destroy();
      expect(it.made()).toEqual({});
    });
  });
});
