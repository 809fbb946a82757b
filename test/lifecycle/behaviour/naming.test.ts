import { expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { testsOf } from "./tests";

const test = testsOf("Volume", "data");

test("a resource without a label gets a label from its name, and keeps it", async ({ world }) => {
  const it = new Managed("Volume", world.host, "my data!");
  await it.up({ region: "us-east" });
  const { label } = it.outs;
  expect(label).toMatch(/^my-data-[0-9a-f]{7}$/);
  expect((await it.preview({ region: "us-east" })).op).toBe("same");
  expect(await it.refresh()).toBe("same");
  await it.up({ region: "us-east", size: 40 });
  expect(it.outs).toMatchObject({ label, size: 40 });
});

test("a generated label that was changed outside Pulumi is not drift and stays", async ({ world, it }) => {
  await it.up({ region: "us-east" });
  await world.api.volumes.update({ path: { volumeId: Number(it.id) }, body: { label: "renamed" } });
  it.reconnect(world.reconnect());
  world.calls();
  await it.up({ region: "us-east", size: 40 });
  expect(world.calls()).toEqual(["volumes.resize"]);
  expect(await it.refresh()).toBe("same");
  expect(it.outs).toMatchObject({ label: "renamed", size: 40 });
  expect((await it.up({ region: "us-east", size: 40 })).op).toBe("same");

  // A label is managed as soon as the program declares it.
  expect(await it.preview({ region: "us-east", size: 40, label: "mine" })).toMatchObject({
    op: "update",
    diffs: ["label"],
  });
});
