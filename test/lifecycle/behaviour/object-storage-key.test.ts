import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { account } from "./accounts";
import { testsOf } from "./tests";

const test = testsOf("ObjectStorageKey");

describe("ObjectStorageKey", () => {
  test("a key's secret is returned once and kept in state; an imported key has none", async ({ world, it }) => {
    await it.up({ label: "web" });
    const { secretKey, accessKey } = it.outs;
    expect([secretKey, accessKey]).toEqual([expect.stringMatching(/^\w{40}$/), expect.stringMatching(/^\w{20}$/)]);
    await it.up({ label: "worker" });
    expect(await it.refresh()).toBe("same");
    expect(it.outs).toMatchObject({ label: "worker", secretKey, accessKey });
    const provider = new Managed("ObjectStorageKey", world.host);
    await provider.up({ label: "other" });
    expect(provider.outs.secretKey).not.toBe(secretKey);
  });

  test("a key whose secret was lost is deleted and created again", async () => {
    for (const kind of ["cut-after", "cut-mid"] as const) {
      await using world = await account();
      const it = new Managed("ObjectStorageKey", world.host);
      world.emulator.faults.add({ kind, path: "objectStorageKeys.create" });
      await it.up({ label: "web" });
      expect(world.world.objectStorageKeys.all()).toHaveLength(1);
      expect(it.outs.secretKey).toMatch(/^\w{40}$/);
      expect(world.calls()).toEqual([
        "objectStorageKeys.create",
        "objectStorageKeys.delete",
        "objectStorageKeys.create",
      ]);
    }
  });

  test("the error about a key without its secret that cannot be deleted has its id", async ({ world, it }) => {
    world.emulator.faults.add({ kind: "cut-after", path: "objectStorageKeys.create" });
    world.emulator.faults.add({ kind: "status", status: 403, path: "objectStorageKeys.delete" });
    const [error] = await Promise.allSettled([it.up({ label: "web" })]);
    const [{ id } = { id: 0 }] = world.world.objectStorageKeys.all();
    expect(String((error as PromiseRejectedResult).reason.message)).toBe(
      `ObjectStorageKey ${id} was created, but the response to its create request was lost, and deleting it failed: ` +
        "objectStorageKeys.delete: 403 Injected by a fault: 403 (requires the scope object_storage:read_write). Delete it before the next update",
    );
    expect(it.state).toBeUndefined();
  });

  test("creates the new key before revoking the old one; replaces a key of a deleted bucket", async ({ world, it }) => {
    const cluster = "us-east-1";
    for (const label of ["photos", "films"]) await world.api.objectStorageBuckets.create({ body: { label, cluster } });
    const access = (bucketName: string) => ({ bucketName, cluster, permissions: "read_write" as const });
    await it.up({ label: "web", bucketAccess: [access("photos"), access("films")] });
    const before = it.outs;
    world.calls();
    await it.up({ label: "web", bucketAccess: [access("photos")] });
    expect(world.calls()).toEqual(["objectStorageKeys.create", "objectStorageKeys.delete"]);
    expect(it.outs.secretKey).not.toBe(before.secretKey);
    const path = { clusterId: cluster, bucket: "photos" };
    await world.api.objectStorageBuckets.delete({ path });
    await world.api.objectStorageBuckets.create({ body: { label: "photos", cluster } });
    expect(await it.refresh()).toBe("changed");
    expect((await it.up({ label: "web", bucketAccess: [access("photos")] })).op).toBe("replace");
  });
});
