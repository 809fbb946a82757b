import { expect } from "vitest";
import { history, test } from "../cloud";
import { cluster } from "../kubernetes/lke";
import { proves } from "../proves";
import { debian, known, machine } from "./instance";

const documents = "part 1 · Endpoints · Compute instances";
const rule = (number: number): string => `${documents} · rule ${number}`;
const old = { ...debian, type: "g5-standard-1" };

test(`${documents}: a mutation changes a retired type to its successor, and resizes the disk`, async (one) => {
  const web = await machine(one, old);
  expect((await web.view()).specs.disk).toBe(30_720);
  await one.send(`POST ${web.path}/mutate`, { body: {} });
  expect(await web.view()).toMatchObject({ status: "migrating", type: "g5-standard-1" });
  expect(await web.rejected("POST /mutate")).toEqual(["Compute busy."]);
  one.settle();
  expect(await web.view()).toMatchObject({ status: "running", type: "g6-standard-1", specs: { disk: 51_200 } });
  expect(await web.list("disks")).toMatchObject([{ size: 51_200 - 512 }, { size: 512 }]);
  expect(history(one).slice(2)).toEqual([
    "compute_mutate_create notification",
    "compute_mutate finished",
    "compute_boot finished",
  ]);
  expect(await web.rejected("POST /mutate")).toEqual(["Type g6-standard-1 is not retired, so it cannot be upgraded"]);
});

test(`${documents}: a mutation can keep the disks and the power state`, async (one) => {
  const web = await machine(one, { ...old, booted: false });
  await web.request("POST /mutate", { allow_auto_disk_resize: false });
  expect(await web.view()).toMatchObject({ status: "offline", type: "g6-standard-1" });
  expect(await web.list("disks")).toMatchObject([{ size: 30_720 - 512 }, { size: 512 }]);
});

test("rejects a resize while a migration is pending; the migration starts on request", async (one) => {
  proves(rule(11));
  const web = await machine(one, old);
  expect(await web.rejected("POST /migrate")).toEqual([
    `region: No migration is pending for instance ${web.id}; set region to the region to move it to`,
  ]);
  await one.send("POST /_emulator/migration", { body: { compute_id: web.id } });
  const pending = [`A migration is pending for instance ${web.id}; start it first`];
  expect(await web.rejected("POST /resize", { type: "g6-standard-2" })).toEqual(pending);
  expect(await web.rejected("POST /resize", { type: old.type })).toEqual([
    ...pending,
    `type: The instance already has the type ${old.type}`,
  ]);
  expect(await web.rejected("POST /mutate")).toEqual(pending);
  one.world.instances.patch(web.id, { type: "g6-nanode-1" });
  expect(await web.rejected("POST /mutate")).toEqual([
    ...pending,
    "Type g6-nanode-1 is not retired, so it cannot be upgraded",
  ]);
  one.world.instances.patch(web.id, { type: old.type });
  const before = await web.view();
  await one.send(`POST ${web.path}/migrate`);
  expect(await web.status()).toBe("migrating");
  one.settle();
  expect(await web.view()).toEqual({ ...before, updated: expect.any(String) });
  expect(history(one).slice(-2)).toEqual(["compute_migrate finished", "compute_boot finished"]);
  await web.request("POST /resize", { type: "g6-standard-2" });
});

test("part 1 · Resources · Compute instance: a migration changes the region and the addresses, and deletes the backups", async (one) => {
  const { send, world } = one;
  const web = await machine(one, { ...debian, private_ip: true, backups_enabled: true });
  await web.request("POST /backups", { label: "before" });
  const before = await web.view();
  await send(`POST ${web.path}/migrate`, { body: { region: "us-east" } });
  expect(await web.view()).toMatchObject({ status: "migrating", region: "eu-central", ipv4: before.ipv4 });
  one.settle();
  const after = await web.view();
  expect(after).toMatchObject({ status: "running", region: "us-east", label: before.label, type: before.type });
  expect(after.ipv4).toHaveLength(2);
  for (const address of [...before.ipv4, before.ipv6.replace("/128", "")]) {
    expect(after.ipv4).not.toContain(address);
    expect(world.addresses.find(address)).toBeUndefined();
  }
  expect(after.ipv6).not.toBe(before.ipv6);
  expect((await send(`GET ${web.path}/ips`)).body.ipv4).toMatchObject({
    public: [{ region: "us-east", address: after.ipv4[0] }],
    private: [{ address: after.ipv4[1] }],
  });
  const none = { automatic: [], snapshot: { current: null, in_progress: null } };
  expect((await send(`GET ${web.path}/backups`)).body).toEqual(none);
  expect(after.backups).toEqual({ enabled: true, last_successful: null, schedule: before.backups.schedule });
  one.advance(24 * 3_600_000);
  expect((await send(`GET ${web.path}/backups`)).body.automatic).toHaveLength(1);
  expect(history(one).slice(-3)).toEqual([
    "compute_migrate_datacenter_create notification",
    "compute_migrate_datacenter finished",
    "compute_boot finished",
  ]);
});

test(`${documents}: a migration upgrades a retired type, or is rejected`, async (one) => {
  const web = await machine(one, { ...old, booted: false });
  expect(await web.rejected("POST /migrate", { upgrade: true })).toEqual(["region: Is required if upgrade is true"]);
  await web.request("POST /migrate", { region: "eu-west", upgrade: true });
  expect(await web.view()).toMatchObject({ status: "offline", region: "eu-west", type: "g6-standard-1" });
  expect(await web.rejected("POST /migrate", { region: "eu-central", upgrade: true })).toEqual([
    "upgrade: Type g6-standard-1 is not retired, so it cannot be upgraded",
  ]);
});

test(`${documents}: rejects a migration with all reasons at once`, async (one) => {
  const { send, world } = one;
  const web = await machine(one);
  const volume = (await send("POST /volumes", { body: { label: "data", compute_id: web.id } })).body.id;
  world.regions.patch("us-east", { status: "outage" });
  const detach = `Volumes stay in their region: detach ${volume} from instance ${web.id} first`;
  for (const [region, ...reasons] of [
    ["us-east", "region: Region us-east has an outage", detach],
    ["eu-central", `region: Instance ${web.id} is already in eu-central`, detach],
    ["mars", 'region: There is no region "mars"; GET /v4/regions lists them'],
  ])
    expect(await web.rejected("POST /migrate", { region })).toEqual(reasons);
  await send(`POST /volumes/${volume}/detach`);
  await web.request("POST /migrate", { region: "eu-west" });
  expect(await web.view()).toMatchObject({ region: "eu-west", status: "running" });
});

test(`${documents}: a node of a cluster cannot leave the cluster's region`, async (one) => {
  const { id } = await cluster(one, [{ type: "g6-standard-1", count: 1 }], { region: "eu-central" });
  const [node] = one.world.lkeNodes.all();
  const instance = known(one, node?.instance_id as number);
  expect(await instance.rejected("POST /migrate", { region: "eu-west" })).toEqual([
    `Instance ${instance.id} is a node of cluster ${id} and cannot leave the region of the cluster`,
  ]);
});

test.each([
  ["POST /migrate", { region: "eu-west" }],
  ["POST /mutate", {}],
] as const)("after a failed job of %s the instance is unchanged", async (one, request, body) => {
  const web = await machine(one, old);
  const { updated: _, ...before } = await web.view();
  const [, action] = request.split(" /");
  one.faults.add({ path: `instances.${action}`, kind: "job-fail" });
  await web.request(request, body);
  expect(await web.view()).toMatchObject(before);
  expect(one.world.jobs.busy(web.id)).toBe(false);
});
