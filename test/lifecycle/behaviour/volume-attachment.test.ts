import { describe, expect, test } from "vitest";
import { Managed } from "../../../testing/provider";
import { type Account, account, machine } from "./accounts";

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
  test("an attachment and a volume that omits its instance do not conflict", async () => {
    await using it = await things();
    const { web, sql, volume, volumeId } = it;
    const attachment = new Managed("VolumeAttachment", it.host);
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

  test("does not take a volume from another instance", async () => {
    await using it = await things();
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

  test("an existing attachment is adopted, and moved to the declared config", async () => {
    await using it = await things();
    const { web, volumeId, api } = it;
    const path = { computeId: web };
    const second = await api.instanceConfigs.create({ path, body: { label: "second", devices: {} } });
    const [first] = it.world.instanceConfigs.by("compute_id", web);
    await api.volumes.attach({ path: { volumeId }, body: { compute_id: web, config_id: Number(first?.id) } });
    it.calls();
    const attachment = new Managed("VolumeAttachment", it.host);
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

  test("an update moves a volume back that was moved outside Pulumi, and a deletion does not detach it", async () => {
    await using it = await things();
    const { web, sql, volumeId, api } = it;
    const attachment = new Managed("VolumeAttachment", it.host);
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

  test("the resource is deleted with its volume and with its instance", async () => {
    await using it = await things();
    const { web, volume, volumeId, api } = it;
    const attachment = new Managed("VolumeAttachment", it.host);
    await attachment.up({ volumeId, computeId: web });
    await api.instances.delete({ path: { computeId: web } });
    it.emulator.settle();
    expect(await attachment.refresh()).toBe("gone");
    await attachment.up({ volumeId, computeId: it.sql });
    await volume.destroy();
    expect(await attachment.refresh()).toBe("gone");
  });

  test("replacing an instance with the old one deleted first moves its attachment to the new one", async () => {
    await using it = await things();
    const { web, sql, volumeId, api } = it;
    const attachment = new Managed("VolumeAttachment", it.host);
    await attachment.up({ volumeId, computeId: web });
    await api.instances.delete({ path: { computeId: web } });
    it.emulator.settle();
    it.calls();
    await attachment.up({ volumeId, computeId: sql });
    expect(it.calls()).toEqual(["volumes.attach"]);
    expect(await attachment.refresh()).toBe("same");
  });

  test("a failed move is completed by the next update, or can be deleted before", async () => {
    await using it = await things();
    const { web, sql, volumeId } = it;
    const attachment = new Managed("VolumeAttachment", it.host);
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

  test("shows the API's error for a volume in another region, and keeps nothing in state", async () => {
    await using it = await things();
    const volume = new Managed("Volume", it.host);
    await volume.up({ label: "far", region: "eu-west" });
    const attachment = new Managed("VolumeAttachment", it.host);
    await expect(attachment.up({ volumeId: Number(volume.id), computeId: it.web })).rejects.toThrow(
      "Must be in eu-west, the region of the volume",
    );
    expect(attachment.state).toBeUndefined();
  });
});
