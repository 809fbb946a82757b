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

test("a label that the program sets and that was changed outside Pulumi is drift", async ({ world, it }) => {
  await it.up({ region: "us-east", label: "data" });
  await world.api.volumes.update({ path: { volumeId: Number(it.id) }, body: { label: "renamed" } });
  it.reconnect(world.reconnect());
  expect(await it.refresh()).toBe("changed");
  await it.up({ region: "us-east", label: "data" });
  expect(it.outs).toMatchObject({ label: "data" });
});

test("with generated labels, a replacement is created before the old object is deleted", async ({ world, it }) => {
  await it.up({ region: "us-east" });
  const { label } = it.outs;
  world.calls();
  expect(await it.up({ region: "eu-west" })).toMatchObject({ op: "replace", deleteBeforeReplace: false });
  expect(world.calls()).toEqual(["volumes.create", "volumes.delete"]);
  expect(it.outs.label).not.toBe(label);
});

test("deletes the old object before a replacement with the same declared label", async ({ world, it }) => {
  await it.up({ label: "data", region: "us-east" });
  world.calls();
  expect(await it.up({ label: "data", region: "eu-west" })).toMatchObject({ op: "replace", deleteBeforeReplace: true });
  expect(world.calls()).toEqual(["volumes.delete", "volumes.create"]);
});

test("the API rejects a label in use, and no object is created", async ({ world, it }) => {
  await world.api.volumes.create({ body: { label: "data", region: "us-east" } });
  await expect(it.up({ label: "data", region: "us-east" })).rejects.toThrow(
    "volumes.create: 400 label: Label must be unique",
  );
  expect(it.state).toBeUndefined();
  expect(world.world.volumes.all()).toHaveLength(1);
});
