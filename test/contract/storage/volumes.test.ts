import { expect } from "vitest";
import type { New, RowOf } from "../../../emulator/core/store";
import { type Cloud, messages, restricted, test } from "../cloud";
import { debian, machine } from "../compute/instance";
import { fieldsIn } from "../matrix/request";
import { proves } from "../proves";

const rule = (number: number): string => `part 1 · Endpoints · Volumes · rule ${number}`;

/**
 * Inserts an instance with the given number of configs into the emulator's tables, which is faster than creating it by
 * the API.
 */
function instance({ world }: Cloud, { configs = 1, memory = 2048, region = "us-east" } = {}) {
  const { id } = world.instances.insert({ label: "web", region, specs: { memory } } as New<RowOf<"instances">>);
  const created = Array.from({ length: configs }, (_, at) =>
    world.instanceConfigs.insert({
      label: `config ${at}`,
      compute_id: id,
      devices: { sda: { disk_id: 1, volume_id: null } },
    } as New<RowOf<"instanceConfigs">>),
  );
  return { id, configs: created.map((config) => config.id) };
}

async function volume(cloud: Cloud, body: object = {}): Promise<number> {
  const created = await cloud.send("POST /volumes", { body: { label: "data", region: "us-east", ...body } });
  expect(created.body).toMatchObject({ status: "creating" });
  cloud.advance(10_000);
  return created.body.id;
}

test("creates a volume that becomes active, views, lists, updates and deletes it", async (one) => {
  proves("part 1 · States · Volume");
  const { send } = one;
  const created = await send("POST /volumes", { body: { label: "data", region: "us-east", tags: ["prod"] } });
  expect(created.body).toMatchObject({ status: "creating", size: 20, compute_id: null, tags: ["prod"] });
  const path = `/volumes/${created.body.id}` as const;
  one.advance(9_999);
  expect((await send(`GET ${path}`)).body.status).toBe("creating");
  one.advance(1);
  expect((await send(`GET ${path}`)).body).toMatchObject({ status: "active", updated: "2022-01-01T00:00:10" });

  const changed = await send(`PUT ${path}`, { body: { label: "logs" } });
  expect(changed.body).toMatchObject({ label: "logs", tags: ["prod"] });
  expect(changed.body.filesystem_path).toBe("/dev/disk/by-id/scsi-0Compute_Volume_logs");
  expect((await send("GET /volumes", { filter: { label: "logs" } })).body).toMatchObject({ results: 1 });

  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
});

test("a clone requires the add_volumes grant", async (one) => {
  proves(rule(1));
  const id = await volume(one);
  const token = await restricted(one, { entities: { volume: { [id]: "read_write" } } });
  const clone = { token, body: { label: "copy" } };
  expect((await one.send(`POST /volumes/${id}/clone`, clone)).body.errors[0].reason).toContain("add_volumes");
  await restricted(one, { entities: { volume: { [id]: "read_write" } }, global: { add_volumes: true } });
  expect((await one.send(`POST /volumes/${id}/clone`, clone)).status).toBe(200);
});

test("requires a region without compute_id, and a config that can take the volume", async (one) => {
  proves(rule(2));
  const { send } = one;
  const reasons = async (body: object) => fieldsIn(await send("POST /volumes", { body: { label: "data", ...body } }));
  const none = instance(one, { configs: 0 });
  const two = instance(one, { configs: 2 });
  const single = instance(one);
  expect(await reasons({})).toEqual(["region"]);
  expect(await reasons({ compute_id: none.id })).toEqual(["config_id"]);
  expect(messages(await send("POST /volumes", { body: { label: "data", compute_id: two.id } }))).toEqual([
    `config_id: Must be the id of a config of instance ${two.id}, which has ${two.configs[0]}, ${two.configs[1]}`,
  ]);
  expect(await reasons({ compute_id: single.id, config_id: two.configs[0] })).toEqual(["config_id"]);
  expect(await reasons({ compute_id: single.id, region: "eu-west" })).toEqual(["region"]);
  expect(await reasons({ compute_id: 7 })).toEqual(["compute_id"]);
  expect(one.world.volumes.size).toBe(0);

  const body = { label: "named", compute_id: two.id, config_id: two.configs[1] };
  const named = await send("POST /volumes", { body });
  expect(named.body).toMatchObject({ region: "us-east", compute_id: two.id, compute_label: "web" });
  const [first, second] = two.configs.map((config) => one.world.instanceConfigs.get(config).devices);
  expect(first?.sdb).toBeUndefined();
  expect(second?.sdb).toEqual({ disk_id: null, volume_id: named.body.id });
});

test("rejects a region without volumes or with an outage, also that of the instance", async (one) => {
  const { capabilities } = one.world.regions.get("us-east");
  const without = capabilities.filter((name) => name !== "Block Storage");
  one.world.regions.patch("us-east", { capabilities: without, status: "outage" });
  const { id } = instance(one);
  for (const [place, field] of [
    [{ region: "us-east" }, "region"],
    [{ compute_id: id }, "compute_id"],
  ] as const)
    expect(messages(await one.send("POST /volumes", { body: { label: "data", ...place } }))).toEqual([
      `${field}: Region us-east has an outage`,
      `${field}: Region us-east does not offer volumes`,
    ]);
  const elsewhere = { compute_id: instance(one, { region: "eu-west" }).id, region: "us-east" };
  expect(messages(await one.send("POST /volumes", { body: { label: "data", ...elsewhere } }))).toEqual([
    "region: Must be eu-west, the region of the instance",
    "region: Region us-east has an outage",
    "region: Region us-east does not offer volumes",
  ]);
  expect(one.world.volumes.size).toBe(0);
});

test("a clone is rejected if the region of the volume has an outage or no longer offers volumes", async (one) => {
  const id = await volume(one);
  const { capabilities } = one.world.regions.get("us-east");
  const without = capabilities.filter((name) => name !== "Block Storage");
  const clone = () => one.send(`POST /volumes/${id}/clone`, { body: { label: "copy" } });
  one.world.regions.patch("us-east", { capabilities: without, status: "outage" });
  expect(await clone()).toMatchObject({
    status: 400,
    body: { errors: [{ reason: "Region us-east has an outage" }, { reason: "Region us-east does not offer volumes" }] },
  });
  expect(one.world.volumes.size).toBe(1);
  one.world.regions.patch("us-east", { capabilities, status: "ok" });
  expect(await clone()).toMatchObject({ status: 200, body: { region: "us-east" } });
});

test("resizes and clones only active volumes; a volume can only grow, and a clone has the same size", async (one) => {
  proves(rule(3));
  const { send } = one;
  const id = await volume(one, { size: 30 });
  expect((await send(`POST /volumes/${id}/resize`, { body: { size: 30 } })).body.errors).toEqual([
    { field: "size", reason: "Must be more than 30: a volume can only grow" },
  ]);
  expect(await send(`POST /volumes/${id}/resize`, { body: { size: 40 } })).toMatchObject({ status: 200, body: {} });
  expect((await send(`GET /volumes/${id}`)).body).toMatchObject({ status: "resizing", size: 40 });
  expect((await send(`POST /volumes/${id}/resize`, { body: { size: 50 } })).status).toBe(400);
  expect((await send(`POST /volumes/${id}/clone`, { body: { label: "copy" } })).body.errors[0].reason).toBe(
    "The volume is resizing; only an active one can be cloned",
  );
  one.advance(10_000);
  const copy = await send(`POST /volumes/${id}/clone`, { body: { label: "copy" } });
  expect(copy.body).toMatchObject({ status: "creating", size: 40, region: "us-east" });
});

test("a resize, a clone and an attachment are rejected with all reasons at once", async (one) => {
  proves(rule(3));
  const reject = async (request: string, body: object) =>
    messages(await one.send(`POST /volumes/${id}/${request}`, { body }));
  const { id: web } = instance(one);
  const id = await volume(one, { size: 30, compute_id: web });
  expect(await reject("attach", { compute_id: 7 })).toEqual([
    `The volume is attached to instance ${web}; detach it first`,
    "compute_id: There is no instance 7",
  ]);
  await one.send(`POST /volumes/${id}/resize`, { body: { size: 40 } });
  expect(await reject("resize", { size: 40 })).toEqual([
    "The volume is resizing; only an active one can be resized",
    "size: Must be more than 40: a volume can only grow",
  ]);
  expect(await reject("clone", { label: "data" })).toEqual([
    "The volume is resizing; only an active one can be cloned",
    "label: Label must be unique",
  ]);
});

test("attaching requires read_write on the instance, the same region and a config of the instance", async (one) => {
  proves(rule(4));
  const { send } = one;
  const id = await volume(one);
  const near = instance(one);
  const far = instance(one, { region: "eu-west" });
  const attach = (body: object, token?: string) =>
    send(`POST /volumes/${id}/attach`, { body, ...(token && { token }) });
  expect((await attach({ compute_id: far.id })).body.errors[0]).toMatchObject({ field: "compute_id" });
  expect((await attach({ compute_id: near.id, config_id: far.configs[0] })).body.errors[0].field).toBe("config_id");

  const look = { volume: { [id]: "read_only" }, compute: { [near.id]: "read_only" } };
  const token = await restricted(one, { entities: look });
  expect((await attach({ compute_id: near.id }, token)).status).toBe(403);

  expect((await attach({ compute_id: near.id })).body).toMatchObject({ compute_id: near.id, compute_label: "web" });
  expect((await attach({ compute_id: near.id })).status).toBe(400);
  expect((await send(`POST /volumes/${id}/detach`)).status).toBe(200);
  expect(one.world.instanceConfigs.get(near.configs[0] as number).devices.sdb?.volume_id).toBeNull();
});

test("an attached volume is deleted, even while a running instance uses it, and its slot becomes empty", async (one) => {
  const { send } = one;
  const web = await machine(one, { ...debian, region: "us-east" });
  const id = await volume(one, { compute_id: web.id });
  const [config] = await web.list("configs");
  expect(config.devices.sdc).toEqual({ disk_id: null, volume_id: id });
  await web.request("POST /reboot");
  expect(await send(`DELETE /volumes/${id}`)).toMatchObject({ status: 200, body: {} });
  expect(await web.list("volumes")).toEqual([]);
  expect((await web.list("configs"))[0].devices.sdc).toEqual({ disk_id: null, volume_id: null });
  expect(await web.status()).toBe("running");
  expect(one.world.events.recent()[0]).toMatchObject({ action: "volume_delete", entity: { id } });
});

test("detaching a volume that is not attached succeeds", async (one) => {
  const id = await volume(one);
  expect(await one.send(`POST /volumes/${id}/detach`)).toMatchObject({ status: 200, body: {} });
  expect((await one.send(`GET /volumes/${id}`)).body).toMatchObject({ compute_id: null, status: "active" });
  expect(one.world.events.recent()[0]).toMatchObject({ action: "volume_create", entity: { id } });
});

test.each([
  [2048, 8],
  [16 * 1024, 16],
  [92_160, 64],
])("an instance with %i MB can have %i volumes that are attached until the next boot", async (one, memory, limit) => {
  proves(rule(5), "part 1 · Limits · limit 5");
  const { id } = instance(one, { memory });
  const results: number[] = [];
  for (let at = 0; at <= limit; at++) {
    const created = await volume(one, { label: `data-${at}` });
    const body = { compute_id: id, persist_across_boots: false };
    results.push((await one.send(`POST /volumes/${created}/attach`, { body })).status);
  }
  expect(results).toEqual([...Array(limit).fill(200), 400]);
  const [config] = one.world.instanceConfigs.by("compute_id", id);
  expect(config?.devices.sdb).toBeUndefined();
});

test("a boot detaches a volume that is in no config, unless it was added to one in the meantime", async (one) => {
  proves(rule(5));
  const { send } = one;
  const web = await machine(one, { ...debian, region: "us-east" });
  const attach = async (label: string) => {
    const id = await volume(one, { label });
    await send(`POST /volumes/${id}/attach`, { body: { compute_id: web.id, persist_across_boots: false } });
    return id;
  };
  const [passing, stored] = [await attach("passing"), await attach("kept")];
  const [{ id, devices }] = await web.list("configs");
  await web.request(`PUT /configs/${id}`, { devices: { ...devices, sdc: { volume_id: stored } } });
  expect(await web.list("volumes")).toHaveLength(2);
  await web.request("POST /reboot");
  expect(await web.list("volumes")).toMatchObject([{ id: stored }]);
  expect((await send(`GET /volumes/${passing}`)).body).toMatchObject({ compute_id: null, status: "active" });
  expect(one.world.events.recent()[0]).toMatchObject({ action: "volume_detach", entity: { id: passing } });
});

test("labels are unique in the account", async (one) => {
  await volume(one);
  const taken = await one.send("POST /volumes", { body: { label: "data", region: "us-east" } });
  expect(messages(taken)).toEqual(["label: Label must be unique"]);
});

test("a volume whose creation fails has the status contact_support", async (one) => {
  one.faults.add({ path: "volumes.create", kind: "job-fail" });
  const id = await volume(one);
  expect((await one.send(`GET /volumes/${id}`)).body.status).toBe("contact_support");
});
