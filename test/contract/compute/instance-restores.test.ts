import { expect } from "vitest";
import { history, messages, restricted, test } from "../cloud";
import { proves } from "../proves";
import { debian, empty, known, type Machine, machine, rule } from "./instance";

const documents = "part 1 · Resources · Backups of an instance";
const stored = { ...debian, backups_enabled: true };

test("creates an instance from a backup of another one, with its disks, configs and root password", async (one) => {
  proves(rule(4));
  const { send, world } = one;
  const web = await machine(one, stored);
  const backup = await web.request("POST /backups", { label: "first" });
  const body = { region: debian.region, type: debian.type, backup_id: backup.id };
  const created = await send("POST /compute/instances", { body });
  expect(created.body).toMatchObject({ status: "provisioning", image: debian.image });
  one.settle();
  const copy = known(one, created.body.id);
  expect(await copy.status()).toBe("running");
  const disks = await copy.list("disks");
  expect(disks).toMatchObject([
    { label: "Debian 11 Disk", size: 50_688, status: "ready" },
    { size: 512, status: "ready" },
  ]);
  expect(await copy.list("configs")).toMatchObject([
    { devices: { sda: { disk_id: disks[0].id }, sdb: { disk_id: disks[1].id } } },
  ]);
  const [root] = await web.list("disks");
  expect(world.disks.get(disks[0].id).root_pass).toBe(world.disks.get(root.id).root_pass);
  const refusals = async (body: object) => messages(await send("POST /compute/instances", { body }));
  expect(await refusals({ ...body, region: "us-east", type: "g6-nanode-1" })).toEqual([
    `region: Must be eu-central, the region of backup ${backup.id}`,
    `type: Must have at least 51200 MB of storage for backup ${backup.id}; it has 25600 MB`,
  ]);
  expect(await refusals({ ...debian, backup_id: backup.id })).toEqual([
    `image: Must be omitted when restoring backup ${backup.id}, which has its own disks`,
  ]);
});

test(`${documents}: a backup replaces the existing disks, or is restored in addition to them if there is enough space`, async (one) => {
  const web = await machine(one, stored);
  const backup = await web.request("POST /backups", { label: "first" });
  const restore = `POST /backups/${backup.id}/restore` as const;
  const before = await web.list("disks");
  expect(await web.rejected(restore, { compute_id: web.id })).toEqual([
    "compute_id: The instance has 0 MB of free disk space; the backup requires 51200 MB",
  ]);
  await web.request("POST /shutdown");
  await one.send(`POST ${web.path}/backups/${backup.id}/restore`, { body: { compute_id: web.id, overwrite: true } });
  expect(await web.status()).toBe("restoring");
  one.settle();
  expect(await web.status()).toBe("offline");
  const after = await web.list("disks");
  expect(after.map(({ label, size }) => [label, size])).toEqual(before.map(({ label, size }) => [label, size]));
  expect(after.map(({ id }) => id)).not.toContain(before[0].id);
  await web.request("POST /boot");

  const big = await machine(one, { ...debian, type: "g6-standard-4" });
  const [root] = await big.list("disks");
  await big.request("POST /shutdown");
  await big.request(`POST /disks/${root.id}/resize`, { size: 50_000 });
  await big.request("POST /boot");
  await web.request(restore, { compute_id: big.id });
  expect(await big.status()).toBe("running");
  expect(await big.list("disks")).toHaveLength(4);
  expect(await big.list("configs")).toHaveLength(2);
  expect(history(one).at(-1)).toBe("backups_restore finished");
});

test("an instance keeps its boot config when a backup is restored, and one without boots that of the backup", async (one) => {
  const web = await machine(one, stored);
  const backup = await web.request("POST /backups", { label: "first" });
  const spacious = { ...empty, type: "g6-standard-4" };
  const restore = async (to: Machine) => {
    await web.request(`POST /backups/${backup.id}/restore`, { compute_id: to.id });
    return one.world.instances.get(to.id).booted_config;
  };
  const [own, bare] = [await machine(one, spacious), await machine(one, spacious)];
  const disk = await own.request("POST /disks", { label: "own", size: 1000 });
  const config = await own.request("POST /configs", { label: "own", devices: { sda: { disk_id: disk.id } } });
  await own.request("POST /boot");
  expect(await restore(own)).toBe(config.id);
  const restored = await restore(bare);
  expect(await bare.list("configs")).toMatchObject([{ id: restored }]);
});

test("restoring a backup over a running instance succeeds, and boots the instance again", async (one) => {
  const web = await machine(one, stored);
  const backup = await web.request("POST /backups", { label: "first" });
  const path = `POST ${web.path}/backups/${backup.id}/restore` as const;
  const body = { compute_id: web.id, overwrite: true };
  const before = await web.list("disks");
  expect(await one.send(path, { body })).toMatchObject({ status: 200, body: {} });
  expect(await web.status()).toBe("restoring");
  expect(await web.rejected("POST /shutdown")).toEqual(["Compute busy."]);
  one.settle();
  expect(await web.status()).toBe("running");
  const after = await web.list("disks");
  expect(after.map(({ label, size, status }) => [label, size, status])).toEqual(
    before.map(({ label, size }) => [label, size, "ready"]),
  );
  expect(after.map(({ id }) => id)).not.toContain(before[0].id);
  expect(history(one).slice(-2)).toEqual(["backups_restore finished", "compute_boot finished"]);
  one.faults.add({ path: "instanceBackups.restore", kind: "job-fail" });
  await one.send(path, { body });
  one.settle();
  expect(await web.status()).toBe("offline");
});

test("a running instance stays off if the restored backup contains no config", async (one) => {
  const web = await machine(one, stored);
  for (const { id } of await web.list("configs")) await web.request(`DELETE /configs/${id}`);
  const backup = await web.request("POST /backups", { label: "first" });
  await web.request(`POST /backups/${backup.id}/restore`, { compute_id: web.id, overwrite: true });
  expect(await web.status()).toBe("offline");
});

test(`${documents}: rejects restoring a backup to another region, to a missing instance, and without access`, async (one) => {
  const web = await machine(one, stored);
  const far = await machine(one, { region: "us-east", type: "g6-standard-1" });
  const backup = await web.request("POST /backups", { label: "first" });
  const restore = `POST /backups/${backup.id}/restore` as const;
  expect(await web.rejected(restore, { compute_id: far.id })).toEqual([
    "compute_id: The instance is in us-east, the backup in eu-central; both must be in the same region",
  ]);
  expect(await web.rejected(restore, { compute_id: 1 })).toEqual(["compute_id: There is no instance 1"]);
  const token = await restricted(one, { entities: { compute: { [web.id]: "read_write", [far.id]: "read_only" } } });
  const body = { compute_id: far.id };
  expect((await one.send(`POST ${web.path}/backups/${backup.id}/restore`, { token, body })).status).toBe(403);
});
