import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { newCommand } from "./machines";
import { testsOf } from "./tests";

const test = testsOf("VolumeClone");

const volume = { label: "source", region: "us-east", size: 20 };

describe("VolumeClone", () => {
  test("clones the source, then grows and tags the clone, and leaves the source when it is deleted", async ({
    world,
    it,
  }) => {
    const source = await world.api.volumes.create({ body: volume });
    world.emulator.settle();
    world.calls();
    await it.up({ label: "copy", sourceVolumeId: source.id, size: 40, tags: ["prod"] });
    expect(world.calls()).toEqual(["volumes.clone", "volumes.update", "volumes.resize"]);
    expect(it.outs).toMatchObject({ label: "copy", size: 40, tags: ["prod"], region: "us-east", status: "active" });
    await it.destroy();
    expect(world.world.volumes.all().map(({ id }) => id)).toEqual([source.id]);
  });

  test("waits for a source that is still being created", async ({ world, it }) => {
    const source = await world.api.volumes.create({ body: volume });
    expect(source.status).toBe("creating");
    await it.up({ label: "copy", sourceVolumeId: source.id });
    expect(it.outs).toMatchObject({ label: "copy", size: 20, status: "active" });
  });

  test("a source that does not exist is the error of the clone request", async ({ it }) => {
    await expect(it.up({ label: "copy", sourceVolumeId: 999 })).rejects.toThrow("volumes.clone: 404");
  });

  test("a search for a lost Volume waits for the clone that is being created", async ({ world, it }) => {
    const { id: sourceVolumeId } = await world.api.volumes.create({ body: volume });
    world.emulator.settle();
    world.emulator.faults.add({ path: "volumes.clone", kind: "delay", delay: 2_000 });
    world.emulator.faults.add({ path: "volumes.create", kind: "cut-before" });
    const other = new Managed("Volume", world.host, "other");
    const [clone, lost] = await Promise.allSettled([
      it.up({ label: "data", sourceVolumeId }),
      other.up({ label: "data", region: "us-east" }),
    ]);
    expect([clone.status, lost.status]).toEqual(["fulfilled", "rejected"]);
    expect(other.state).toBeUndefined();
  });

  test("a clone is not deleted if the same update has made it a Volume", async ({ world, it }) => {
    const { id: sourceVolumeId } = await world.api.volumes.create({ body: volume });
    await it.up({ label: "data", sourceVolumeId });
    const moved = new Managed("Volume", world.host, "data");
    await moved.adopt(it.id);
    newCommand(world, moved as never, it as never);
    await moved.apply(await moved.preview({ label: "data", region: "us-east", size: 30 }));
    await it.remove();
    expect(world.messages()).toContainEqual(expect.stringMatching(/another resource of this update manages it now/));
    expect(world.world.volumes.all().map(({ label }) => label)).toContain("data");
  });
});
