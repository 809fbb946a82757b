import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { machine } from "./accounts";
import { testsOf } from "./tests";

const test = testsOf("Volume");

const data = { label: "data", region: "us-east" };

describe("Volume", () => {
  test("attaches a volume, moves it, stops managing the attachment, and detaches it", async ({ world, it }) => {
    const [web, sql] = [await machine(world, "web"), await machine(world, "sql")];
    world.calls();
    await it.up({ label: "data", computeId: web });
    expect(world.calls()).toEqual(["volumes.create"]);
    expect(it.outs).toMatchObject({ region: "us-east", computeId: web, status: "active" });
    await it.up({ label: "data", computeId: sql });
    expect(world.calls()).toEqual(["volumes.detach", "volumes.attach"]);
    // The program now omits `computeId`, so the attachment is not managed and the volume stays attached.
    expect((await it.up(data)).op).toBe("same");
    expect(await it.refresh()).toBe("same");
    expect(it.outs).toMatchObject({ computeId: sql });
    await it.up({ ...data, computeId: null });
    expect(world.calls()).toEqual(["volumes.detach"]);
    expect(it.outs).toMatchObject({ computeId: null });
    expect(await it.refresh()).toBe("same");
  });

  test("the instance of a volume is compared only if the program declares it", async ({ world }) => {
    const [web, sql] = [await machine(world, "web"), await machine(world, "sql")];
    const declared = new Managed("Volume", world.host);
    const open = new Managed("Volume", world.host);
    await declared.up({ label: "stated", computeId: web });
    await open.up({ ...data, label: "open" });
    for (const { id } of [declared, open]) {
      const path = { volumeId: Number(id) };
      if (id === declared.id) await world.api.volumes.detach({ path });
      await world.api.volumes.attach({ path, body: { compute_id: sql } });
    }
    expect(await declared.refresh()).toBe("changed");
    expect(await open.refresh()).toBe("same");
    await declared.up({ label: "stated", computeId: web });
    expect(declared.outs).toMatchObject({ computeId: web });
  });

  test("an attached volume is deleted with one call, and before its replacement is created", async ({ world, it }) => {
    const web = await machine(world, "web");
    await it.up({ ...data, computeId: web });
    world.calls();
    await it.up({ label: "data", region: "eu-west" });
    expect(world.calls()).toEqual(["volumes.delete", "volumes.create"]);
    await it.destroy();
    expect(world.world.volumes.all()).toEqual([]);
  });

  test("state contains the config of an attachment whose attach response was lost", async ({ world, it }) => {
    const computeId = await machine(world, "web");
    const { id: configId } = await world.api.instanceConfigs.create({
      path: { computeId },
      body: { label: "rescue", devices: {} },
    });
    await it.up(data);
    world.emulator.faults.add({ kind: "cut-after", path: "volumes.attach" });
    await it.up({ ...data, computeId, configId });
    expect(it.outs).toMatchObject({ computeId, configId });
    expect((await it.up({ ...data, computeId, configId })).op).toBe("same");
  });
});
