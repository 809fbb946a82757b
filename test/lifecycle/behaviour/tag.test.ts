import { describe, expect } from "vitest";
import { type Account, machine } from "./accounts";
import { testsOf } from "./tests";

const test = testsOf("Tag");

const tagsOf = (world: Account, id: number) => world.world.instances.get(id).tags;

describe("Tag", () => {
  test("adds a tag to an object's other tags, and removes it from every object on deletion", async ({ world, it }) => {
    const [web, sql] = [await machine(world, "web"), await machine(world, "sql")];
    await world.api.instances.update({ path: { computeId: web }, body: { tags: ["own"] } });
    await it.up({ label: "prod/eu", computes: [web] });
    expect(it.id).toBe("prod/eu");
    expect(tagsOf(world, web)).toEqual(["own", "prod/eu"]);
    await it.up({ label: "prod/eu", computes: [web, sql] });
    expect(tagsOf(world, sql)).toEqual(["prod/eu"]);
    await it.up({ label: "prod/eu", computes: [sql] });
    expect(tagsOf(world, web)).toEqual(["own"]);
    // Another client has added the tag to this object.
    await world.api.instances.update({ path: { computeId: web }, body: { tags: ["own", "PROD/EU"] } });
    expect(await it.refresh()).toBe("same");
    await it.destroy();
    expect([tagsOf(world, web), tagsOf(world, sql)]).toEqual([["own"], []]);
  });

  test("a tag removed outside Pulumi is drift, and is restored", async ({ world, it }) => {
    const [web, sql] = [await machine(world, "web"), await machine(world, "sql")];
    const declared = { label: "prod", computes: [web, sql] };
    await it.up(declared);
    await world.api.instances.update({ path: { computeId: web }, body: { tags: [] } });
    expect(await it.refresh()).toBe("changed");
    expect(it.outs).toMatchObject({ computes: [sql] });
    world.calls();
    await it.up(declared);
    expect(world.calls()).toEqual(["instances.update"]);
    expect(await it.refresh()).toBe("same");
  });

  test("deletion succeeds if a tagged object does not exist", async ({ world, it }) => {
    const [web, sql] = [await machine(world, "web"), await machine(world, "sql")];
    await it.up({ label: "prod", computes: [web, sql] });
    await world.api.instances.delete({ path: { computeId: web } });
    world.emulator.settle();
    await it.up({ label: "prod", computes: [sql] });
    expect(it.outs).toMatchObject({ computes: [sql] });
  });

  test("an update fails if the tag cannot be removed from an object, and the next one removes it", async ({
    world,
    it,
  }) => {
    const [web, sql] = [await machine(world, "web"), await machine(world, "sql")];
    await it.up({ label: "prod", computes: [web, sql] });
    world.emulator.faults.add({ path: "instances.update", kind: "status", status: 401 });
    await expect(it.up({ label: "prod", computes: [sql] })).rejects.toThrow("instances.update: 401");
    expect(tagsOf(world, web)).toEqual(["prod"]);
    await it.up({ label: "prod", computes: [sql] });
    expect(tagsOf(world, web)).toEqual([]);
  });

  test("shows the API's error for a tag that exists", async ({ world, it }) => {
    const web = await machine(world, "web");
    await world.api.instances.update({ path: { computeId: web }, body: { tags: ["Prod"] } });
    await expect(it.up({ label: "prod" })).rejects.toThrow("label:");
    expect(it.state).toBeUndefined();
    expect(tagsOf(world, web)).toEqual(["Prod"]);
  });

  test("the error names objects that do not exist, and no object gets the tag", async ({ world, it }) => {
    const web = await machine(world, "web");
    await expect(it.up({ label: "prod", computes: [web, 999_999] })).rejects.toThrow("There is no instance 999999");
    expect(tagsOf(world, web)).toEqual([]);
  });
});
