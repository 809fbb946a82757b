import { expect } from "vitest";
import { history, messages, restricted, test } from "../cloud";
import { debian, empty, known, machine } from "./instance";

const documents = "part 1 · Endpoints · Compute instances · clone";
const place = { region: "eu-west", type: "g6-standard-1" };

test(`${documents}: a new instance gets copies of all configs with their disks, and the tags`, async (one) => {
  const web = await machine(one, { ...debian, tags: ["prod"], swap_size: 1024 });
  const label = "web-copy";
  const created = await one.send(`POST ${web.path}/clone`, { body: { ...place, label, backups_enabled: true } });
  expect(created).toMatchObject({
    status: 200,
    body: { ...place, label, status: "cloning", image: debian.image, tags: ["prod"], backups: { enabled: true } },
  });
  const copy = known(one, created.body.id);
  expect(await copy.rejected("POST /boot")).toEqual(["Compute busy."]);
  expect(await copy.list("disks")).toMatchObject([{ status: "not ready" }, { status: "not ready" }]);
  expect(await web.status()).toBe("running");
  const [event] = (await one.send("GET /account/events")).body.data;
  expect(event).toMatchObject({
    action: "compute_clone",
    status: "started",
    rate: expect.stringContaining("MB/s"),
    entity: { id: web.id },
    secondary_entity: { id: copy.id, type: "compute" },
  });
  one.settle();
  const disks = await copy.list("disks");
  expect(disks).toMatchObject([
    { label: "Debian 11 Disk", size: 51_200 - 1024, status: "ready" },
    { size: 1024, filesystem: "swap", status: "ready" },
  ]);
  expect(await copy.list("configs")).toMatchObject([
    { label: "My Debian 11 Disk Profile", devices: { sda: { disk_id: disks[0].id }, sdb: { disk_id: disks[1].id } } },
  ]);
  expect(await copy.status()).toBe("offline");
  await copy.request("POST /boot");
  expect(await copy.status()).toBe("running");
  expect(history(one).slice(2)).toEqual(["compute_clone finished", "compute_boot finished"]);
});

test(`${documents}: a request can select configs and disks, and volumes are not copied`, async (one) => {
  const web = await machine(one, { ...debian, booted: false });
  const [root, swap] = await web.list("disks");
  await web.request(`POST /disks/${root.id}/resize`, { size: 5000 });
  const volume = (await one.send("POST /volumes", { body: { label: "data", compute_id: web.id } })).body.id;
  one.settle();
  const [main] = await web.list("configs");
  const devices = { sda: { disk_id: root.id }, sdb: { volume_id: volume } };
  const slim = await web.request("POST /configs", { label: "slim", devices });
  const copied = async (body: object) => {
    const copy = known(one, (await web.request("POST /clone", { ...place, ...body })).id);
    const [configs, disks] = [await copy.list("configs"), await copy.list("disks")];
    return { configs: configs.map(({ label }) => label), disks: disks.map(({ size }) => size), found: configs };
  };
  expect(main.devices.sdc).toEqual({ disk_id: null, volume_id: volume });
  const single = await copied({ configs: [slim.id] });
  expect(single).toMatchObject({ configs: ["slim"], disks: [5000] });
  expect(single.found[0].devices.sdb).toEqual({ disk_id: null, volume_id: null });
  const both = await copied({ configs: [slim.id], disks: [swap.id] });
  expect(both).toMatchObject({ configs: ["slim"], disks: [5000, 512] });
  expect(await copied({ configs: [], disks: [swap.id] })).toMatchObject({ configs: [], disks: [512] });
  expect(await copied({ configs: [] })).toMatchObject({ configs: [], disks: [] });
  expect(await web.rejected("POST /clone", { ...place, configs: [slim.id, 7], disks: [8] })).toEqual([
    `disks.0: There is no disk 8 on instance ${web.id}`,
    `configs.1: There is no config 7 on instance ${web.id}`,
  ]);
});

test(`${documents}: an existing instance keeps its own disks and its status`, async (one) => {
  const web = await machine(one);
  const target = await machine(one, { ...debian, type: "g6-standard-4", image: "compute/alpine3.15" });
  expect(await web.rejected("POST /clone", { compute_id: target.id })).toEqual([
    "compute_id: Must have at least 51200 MB of free disk space for the cloned disks; it has 0 MB",
  ]);
  await target.request("POST /shutdown");
  const [root] = await target.list("disks");
  await target.request(`POST /disks/${root.id}/resize`, { size: 100_000 });
  await target.request("POST /boot");
  const created = await one.send(`POST ${web.path}/clone`, { body: { compute_id: target.id } });
  expect(created.body).toMatchObject({ id: target.id, status: "cloning", image: "compute/alpine3.15" });
  one.settle();
  expect(await target.status()).toBe("running");
  expect(await target.list("disks")).toHaveLength(4);
  expect(await target.list("configs")).toMatchObject([
    { label: "My Alpine 3.15 Disk Profile" },
    { label: "My Debian 11 Disk Profile" },
  ]);
});

test(`${documents}: a new instance requires a region and a large enough type; an existing one accepts neither these nor a label`, async (one) => {
  const web = await machine(one, { ...debian, label: "web" });
  const other = await machine(one, { ...debian, booted: false });
  const missing = "Is required for a new instance; to clone to an existing one, set compute_id";
  expect(await web.rejected("POST /clone")).toEqual([`region: ${missing}`, `type: ${missing}`]);
  expect(await web.rejected("POST /clone", { ...place, type: "g6-nanode-1", label: "web" })).toEqual([
    "type: Must have at least 51200 MB of free disk space for the cloned disks; it has 25600 MB",
    "label: Label must be unique",
  ]);
  const exists = `Must be omitted for a clone to the existing instance ${other.id}`;
  const all = { ...place, label: "other", group: "g", backups_enabled: true };
  expect(await web.rejected("POST /clone", { compute_id: other.id, ...all })).toEqual(
    ["region", "type", "label", "group", "backups_enabled"].map((field) => `${field}: ${exists}`),
  );
  expect(await web.rejected("POST /clone", { compute_id: 7 })).toEqual(["compute_id: There is no instance 7"]);
  expect(await web.rejected("POST /clone", { compute_id: web.id, configs: [] })).toEqual([
    "compute_id: Must not be the instance that is cloned",
  ]);
});

test(`${documents}: cloning requires add_computes, write access to an existing target, and an unrestricted user for tags`, async (one) => {
  const web = await machine(one, { ...debian, tags: ["prod"] });
  const shown = await machine(one, empty);
  const hidden = await machine(one, empty);
  const entities = { compute: { [web.id]: "read_only", [shown.id]: "read_only" } };
  const token = await restricted(one, { entities });
  const clone = (body: object) => one.send(`POST ${web.path}/clone`, { token, body });
  expect((await clone(place)).status).toBe(403);
  await restricted(one, { entities, global: { add_computes: true } });
  expect((await clone({ compute_id: shown.id })).status).toBe(403);
  expect(messages(await clone({ compute_id: hidden.id }))).toEqual([`compute_id: There is no instance ${hidden.id}`]);
  const created = await clone(place);
  expect(created.body).toMatchObject({ tags: [] });
  one.settle();
  expect((await one.send(`POST /compute/instances/${created.body.id}/boot`, { token })).status).toBe(200);
});

test("a clone whose job fails leaves no copies, and the target instance is unchanged", async (one) => {
  const web = await machine(one);
  one.faults.add({ path: "instances.clone", kind: "job-fail" });
  const copy = known(one, (await web.request("POST /clone", place)).id);
  expect(await copy.status()).toBe("offline");
  expect([await copy.list("disks"), await copy.list("configs")]).toEqual([[], []]);
  expect(await web.list("disks")).toHaveLength(2);
});

test("rejects a sixth concurrent clone of an instance", async (one) => {
  const [web, other] = [await machine(one), await machine(one)];
  const clone = () => one.send(`POST ${web.path}/clone`, { body: place });
  for (let nth = 1; nth <= 5; nth++) expect((await clone()).status).toBe(200);
  expect(await web.rejected("POST /clone", place)).toEqual([
    `Instance ${web.id} is already being cloned 5 times; wait until one of the clones is complete`,
  ]);
  expect(one.world.instances.size).toBe(7);
  await other.request("POST /clone", place);
  expect((await clone()).status).toBe(200);
});

test("both instances can be deleted while a clone is in progress", async (one) => {
  const web = await machine(one);
  const clone = async () => (await one.send(`POST ${web.path}/clone`, { body: place })).body.id;
  const [first, second] = [await clone(), await clone()];
  await web.request("DELETE ");
  expect(await known(one, first).status()).toBe("offline");
  await one.send(`DELETE /compute/instances/${second}`);
  one.settle();
  expect(one.world.jobs.table.size).toBe(0);
  const disks = one.world.disks.all().map(({ compute_id, status }) => [compute_id, status]);
  expect(disks).toEqual([
    [first, "ready"],
    [first, "ready"],
  ]);
});
