import { describe, expect, test } from "vitest";
import { attempt, broken, callsOf } from "./breakage";
import { names, type Stage, stage } from "./stage";

describe.each(names)("%s: what befalls its deletion", async (name) => {
  const up = (it: Stage) => it.managed.up(it.scene.base);
  await using clean = await stage(name);
  await up(clean);
  clean.anew();
  await clean.managed.destroy();

  test.each(broken(callsOf(clean)))("%s %s", async (_call, _breakage, fault) => {
    await using it = await stage(name);
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
