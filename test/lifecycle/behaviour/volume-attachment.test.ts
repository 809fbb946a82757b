import { describe, expect, test as vitest } from "vitest";
import { Managed } from "../../../testing/provider";
import { fresh } from "../../fresh";
import { type Account, account, machine } from "./accounts";

const test = vitest
  .extend("it", fresh(things))
  .extend("attachment", async ({ it }) => new Managed("VolumeAttachment", it.host));

async function things() {
  const world = await account();
  const [web, sql] = [await machine(world, "web"), await machine(world, "sql")];
  const volume = new Managed("Volume", world.host);
  await volume.up({ label: "data", region: "us-east" });
  world.calls();
  return Object.assign(world, { web, sql, volume, volumeId: Number(volume.id) });
}

const holder = ({ world }: Pick<Account, "world">, id: number) => world.volumes.get(id).compute_id;

describe("VolumeAttachment", () => {
  test("an attachment and a volume that omits its instance do not conflict", async ({ it, attachment }) => {
    const { web, sql, volume, volumeId } = it;
    await attachment.up({ volumeId, computeId: web });
    expect(it.calls()).toEqual(["volumes.attach"]);
    expect(attachment.id).toBe(volume.id);
    expect(attachment.outs).toMatchObject({ filesystemPath: "/dev/disk/by-id/scsi-0Compute_Volume_data" });
    for (const computeId of [web, sql]) {
      await attachment.up({ volumeId, computeId });
      expect(await volume.refresh()).toBe("same");
      expect(await volume.up({ label: "data", region: "us-east" })).toMatchObject({ op: "same" });
      expect(await attachment.refresh()).toBe("same");
    }
    await volume.up({ label: "data", region: "us-east", size: 40 });
    expect(await attachment.refresh()).toBe("same");
    await attachment.destroy();
    expect(holder(it, volumeId)).toBeNull();
    expect(await volume.refresh()).toBe("same");
  });

  test("does not take a volume from another instance", async ({ it }) => {
    const { web, sql, volumeId } = it;
    const [one, other] = [new Managed("VolumeAttachment", it.host), new Managed("VolumeAttachment", it.host)];
    await one.up({ volumeId, computeId: web });
    it.calls();
    await expect(other.up({ volumeId, computeId: sql })).rejects.toThrow(
      `volume ${volumeId} is attached to instance ${web} (web), not to ${sql}: detach it there first`,
    );
    expect(it.calls()).toEqual([]);
    expect(other.state).toBeUndefined();
  });

  test("an existing attachment is adopted, and moved to the declared config", async ({ it, attachment }) => {
    const { web, volumeId, api } = it;
    const path = { computeId: web };
    const second = await api.instanceConfigs.create({ path, body: { label: "second", devices: {} } });
    const [first] = it.world.instanceConfigs.by("compute_id", web);
    await api.volumes.attach({ path: { volumeId }, body: { compute_id: web, config_id: Number(first?.id) } });
    it.calls();
    await attachment.up({ volumeId, computeId: web });
    expect(it.calls()).toEqual([]);
    await attachment.up({ volumeId, computeId: web, configId: second.id });
    expect(it.calls()).toEqual(["volumes.detach", "volumes.attach"]);
    expect(attachment.outs).toMatchObject({ configId: second.id });
    // Attaches the volume by another config outside Pulumi. The update moves it back to the declared config.
    await api.volumes.detach({ path: { volumeId } });
    await api.volumes.attach({ path: { volumeId }, body: { compute_id: web, config_id: Number(first?.id) } });
    expect(await attachment.refresh()).toBe("changed");
    await attachment.up({ volumeId, computeId: web, configId: second.id });
    expect(it.world.instanceConfigs.get(second.id).devices.sda?.volume_id).toBe(volumeId);
  });

  test("an update moves a volume back, and a deletion does not detach a moved one", async ({ it, attachment }) => {
    const { web, sql, volumeId, api } = it;
    const move = async () => {
      await api.volumes.detach({ path: { volumeId } });
      await api.volumes.attach({ path: { volumeId }, body: { compute_id: sql } });
    };
    await attachment.up({ volumeId, computeId: web });
    await move();
    expect(await attachment.refresh()).toBe("changed");
    await attachment.up({ volumeId, computeId: web });
    expect(holder(it, volumeId)).toBe(web);
    await move();
    it.calls();
    await attachment.destroy();
    expect(it.calls()).toEqual([]);
    expect(holder(it, volumeId)).toBe(sql);
  });

  test("the resource is deleted with its volume and with its instance", async ({ it, attachment }) => {
    const { web, volume, volumeId, api } = it;
    await attachment.up({ volumeId, computeId: web });
    await api.instances.delete({ path: { computeId: web } });
    it.emulator.settle();
    expect(await attachment.refresh()).toBe("gone");
    await attachment.up({ volumeId, computeId: it.sql });
    await volume.destroy();
    expect(await attachment.refresh()).toBe("gone");
  });

  test("an instance replaced after its deletion gets the attachment of the old one", async ({ it, attachment }) => {
    const { web, sql, volumeId, api } = it;
    await attachment.up({ volumeId, computeId: web });
    await api.instances.delete({ path: { computeId: web } });
    it.emulator.settle();
    it.calls();
    await attachment.up({ volumeId, computeId: sql });
    expect(it.calls()).toEqual(["volumes.attach"]);
    expect(await attachment.refresh()).toBe("same");
  });

  test("a failed move is completed by the next update, or can be deleted before", async ({ it, attachment }) => {
    const { web, sql, volumeId } = it;
    await attachment.up({ volumeId, computeId: web });
    const fails = async () => {
      it.emulator.faults.add({ kind: "status", status: 400, path: "volumes.attach", times: 1 });
      await expect(attachment.up({ volumeId, computeId: sql })).rejects.toThrow("volumes.attach");
      expect(holder(it, volumeId)).toBeNull();
      it.emulator.faults.clear();
    };
    await fails();
    await attachment.up({ volumeId, computeId: sql });
    expect(holder(it, volumeId)).toBe(sql);
    await attachment.up({ volumeId, computeId: web });
    await fails();
    await attachment.destroy();
    expect(attachment.state).toBeUndefined();
  });

  test("shows the API's error for a volume in another region", async ({ it, attachment }) => {
    const volume = new Managed("Volume", it.host);
    await volume.up({ label: "far", region: "eu-west" });
    await expect(attachment.up({ volumeId: Number(volume.id), computeId: it.web })).rejects.toThrow(
      "Must be in eu-west, the region of the volume",
    );
    expect(attachment.state).toBeUndefined();
  });
});
