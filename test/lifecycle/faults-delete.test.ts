import { describe, expect, test } from "vitest";
import { attempt, callsOf, faultCases } from "./fault-cases";
import { names, type Scenario, scenario } from "./scenario";

describe.each(names)("%s: what befalls its deletion", async (name) => {
  const up = (it: Scenario) => it.managed.up(it.fixture.base);
  await using clean = await scenario(name);
  await up(clean);
  clean.anew();
  await clean.managed.destroy();

  test.each(faultCases(callsOf(clean)))("%s %s", async (_call, _what, fault) => {
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
