import { describe, expect, test } from "vitest";
import { Managed } from "../../../testing/provider";
import { account } from "./accounts";

describe("VolumeClone", () => {
  test("clones the source, then grows and tags the clone, and leaves the source when it is deleted", async () => {
    await using world = await account();
    const source = await world.api.volumes.create({ body: { label: "source", region: "us-east", size: 20 } });
    world.emulator.settle();
    const it = new Managed("VolumeClone", world.host);
    world.calls();
    await it.up({ label: "copy", sourceVolumeId: source.id, size: 40, tags: ["prod"] });
    expect(world.calls()).toEqual(["volumes.clone", "volumes.update", "volumes.resize"]);
    expect(it.outs).toMatchObject({ label: "copy", size: 40, tags: ["prod"], region: "us-east", status: "active" });
    await it.destroy();
    expect(world.world.volumes.all().map(({ id }) => id)).toEqual([source.id]);
  });

  test("waits for a source that is still being created", async () => {
    await using world = await account();
    const source = await world.api.volumes.create({ body: { label: "source", region: "us-east", size: 20 } });
    expect(source.status).toBe("creating");
    const it = new Managed("VolumeClone", world.host);
    await it.up({ label: "copy", sourceVolumeId: source.id });
    expect(it.outs).toMatchObject({ label: "copy", size: 20, status: "active" });
  });

  test("a source that does not exist is the error of the clone request", async () => {
    await using world = await account();
    const it = new Managed("VolumeClone", world.host);
    await expect(it.up({ label: "copy", sourceVolumeId: 999 })).rejects.toThrow("volumes.clone: 404");
  });
});
