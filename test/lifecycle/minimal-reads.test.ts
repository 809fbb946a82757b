import { describe, expect, test } from "vitest";
import { camel, toWire } from "../../api";
import { differences } from "../../provider/engine/comparison";
import { isReturned, read } from "../../provider/engine/observe";
import { stateSchema } from "../../provider/pulumi/state";
import { expectNoDifference } from "./expectations";
import { counts, fileOf, names, scenario } from "./scenario";

describe.each(names)("%s", (name) => {
  test("becomes ready even if no intermediate status is observed", async () => {
    await using it = await scenario(name, { pace: "instant" });
    await it.managed.up(it.fixture.base);
    await expectNoDifference(it, it.fixture.base);
    await it.managed.destroy();
    expect(it.created()).toEqual({});
  });

  test("can be created again immediately after its deletion", async () => {
    await using it = await scenario(name);
    await it.managed.up(it.fixture.base);
    const things = counts(it.created());
    await it.managed.destroy();
    await it.managed.up(it.fixture.base);
    expect(counts(it.created())).toEqual(things);
    await expectNoDifference(it, it.fixture.base);
  });

  test("can be read by its id alone, with all inputs that the API returns", async () => {
    await using it = await scenario(name);
    const { inputs } = await it.managed.up(it.fixture.base);
    it.anew();
    const { kind, host } = it;
    const found = await read(kind, host, it.managed.id, {});
    expect(found, it.managed.id).toBeDefined();
    const want = toWire(stateSchema(kind), inputs);
    const differs = [...differences(kind, found?.outs ?? {}, want as object as never).keys()];
    expect(
      differs.filter((key) => isReturned(kind, key)).map(camel),
      `outputs that a read by the id alone returns differently than they were set: \`notRead\` of the fixture in ${fileOf(name)} must list exactly these (received), and only if no response has them`,
    ).toEqual(it.fixture.notRead ?? []);
  });
});
