import { describe, expect, test } from "vitest";
import { toWire } from "../../api";
import { isReturned, read } from "../../provider/engine/observe";
import { differences } from "../../provider/engine/values";
import { stateSchema } from "../../provider/heads/state";
import type { KindName } from "../../provider/resources";
import { expectNoDifference } from "./expectations";
import { counts, names, scenario } from "./scenario";

/** What only a program's word tells: which of many it means, and what the service never shows. */
const partly: Partial<Record<KindName, string[]>> = {
  IpAssignment: ["assignments"],
  LkeCluster: ["pools"],
  ObjectStorageBucket: ["certificate"],
  Tag: ["computes"],
};

describe.each(names)("%s", (name) => {
  test("is there although nobody saw the states on the way", async () => {
    await using it = await scenario(name, { pace: "instant" });
    await it.managed.up(it.fixture.base);
    await expectNoDifference(it, it.fixture.base);
    await it.managed.destroy();
    expect(it.made()).toEqual({});
  });

  test("is made again in the moment after its deletion", async () => {
    await using it = await scenario(name);
    await it.managed.up(it.fixture.base);
    const things = counts(it.made());
    await it.managed.destroy();
    await it.managed.up(it.fixture.base);
    expect(counts(it.made())).toEqual(things);
    await expectNoDifference(it, it.fixture.base);
  });

  test("is read by its id alone, with all that the service shows of it", async () => {
    await using it = await scenario(name);
    const { inputs } = await it.managed.up(it.fixture.base);
    it.anew();
    const { kind, host } = it;
    const found = await read(kind, host, it.managed.id, {});
    expect(found, it.managed.id).toBeDefined();
    const want = toWire(stateSchema(kind), inputs);
    const differs = [...differences(kind, found?.outs ?? {}, want as object as never).keys()];
    expect(differs.filter((key) => isReturned(kind, key))).toEqual(partly[name] ?? []);
  });
});
