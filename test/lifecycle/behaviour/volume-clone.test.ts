import { describe, expect } from "vitest";
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
});
