import { expect, test } from "vitest";
import { check, create, destroy, diff, read, update } from "../../provider/engine";
import { kinds } from "../../provider/kinds";
import type { Bag, Kind } from "../../provider/resource";
import { cloud } from "../../testing/cloud";

const volume = kinds.Volume as Kind;

test("a volume is ready when created, grows in place, and is gone when deleted", async () => {
  await using world = await cloud();
  const checked = await check(
    volume,
    world.host,
    "data",
    {},
    { region: "us-east", label: "data", tags: ["abc", "Def"] },
  );
  expect(checked.failures).toEqual([]);
  const made = await create(volume, world.host, checked.inputs);
  expect(made.outs).toMatchObject({ status: "active", size: 20 });
  expect(diff(volume, made.outs, checked.inputs).changed).toEqual([]);
  const next: Bag = { ...checked.inputs, size: 40, tags: ["DEF", "abc"] };
  expect(diff(volume, made.outs, next)).toMatchObject({ changed: ["size"], replaces: [], steps: ["grow"] });
  const outs = await update(volume, world.host, made.id, made.outs, next);
  expect(outs).toMatchObject({ size: 40, status: "active" });
  expect((await read(volume, world.host, made.id, outs, Object.keys(next)))?.outs).toEqual(outs);
  await destroy(volume, world.host, made.id, outs);
  await destroy(volume, world.host, made.id, outs);
  expect(world.world.volumes.all()).toEqual([]);
});
