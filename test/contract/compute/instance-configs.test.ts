import { expect } from "vitest";
import { messages, restricted, test } from "../cloud";
import { debian, machine } from "./instance";

const documents = "part 1 · Resources · Configuration profile";
const none = { disk_id: null, volume_id: null };

test(`${documents}: creates a config with the platform's defaults, views, lists, updates and deletes it`, async (one) => {
  const web = await machine(one);
  const created = await web.request("POST /configs", { label: "second", devices: {} });
  expect(created).toEqual({
    id: created.id,
    label: "second",
    comments: "",
    kernel: "compute/latest-64bit",
    devices: { sda: none, sdb: none, sdc: none, sdd: none, sde: none, sdf: none, sdg: none, sdh: none },
    root_device: "/dev/sda",
    memory_limit: 2048,
    run_level: "default",
    virt_mode: "paravirt",
    helpers: { updatedb_disabled: true, distro: true, modules_dep: true, network: true, devtmpfs_automount: true },
    interfaces: [],
  });
  const path = `/configs/${created.id}` as const;
  expect((await one.send(`GET ${web.path}/configs`, { filter: { label: "second" } })).body.results).toBe(1);
  const change = { comments: "why", helpers: { network: false }, kernel: "compute/grub2", run_level: "single" };
  const changed = await web.request(`PUT ${path}`, change);
  expect(changed).toEqual({ ...created, ...change, helpers: { ...created.helpers, network: false } });
  await web.request(`DELETE ${path}`);
  expect(await web.list("configs")).toHaveLength(1);
});

test(`${documents}: an update replaces devices and interfaces completely, and helpers individually`, async (one) => {
  const web = await machine(one);
  const [root, swap] = await web.list("disks");
  const [config] = await web.list("configs");
  const path = `PUT /configs/${config.id}` as const;
  const vlan = { purpose: "vlan", label: "inner", ipam_address: "10.0.0.1/24" };
  await web.request(path, { interfaces: [{ purpose: "public", label: null }, vlan] });
  const moved = await web.request(path, { devices: { sdb: { disk_id: root.id }, sda: { disk_id: swap.id } } });
  expect(moved).toMatchObject({
    devices: { sda: { disk_id: swap.id }, sdb: { disk_id: root.id } },
    interfaces: [{ purpose: "public", label: "", ipam_address: "" }, vlan],
  });
  const emptied = await web.request(path, { devices: {}, interfaces: [] });
  expect(emptied).toMatchObject({ devices: { sda: none }, interfaces: [] });
});

test(`${documents}: a slot contains a disk of the instance or a volume that can be attached, each in one slot only`, async (one) => {
  const { send } = one;
  const web = await machine(one);
  const other = await machine(one);
  const [root] = await web.list("disks");
  const [foreign] = await other.list("disks");
  const volume = (await send("POST /volumes", { body: { label: "data", compute_id: other.id } })).body.id;
  const far = (await send("POST /volumes", { body: { label: "far", region: "us-east" } })).body.id;
  const twice = { sda: { disk_id: root.id }, sdb: { disk_id: root.id } };
  expect(await web.rejected("POST /configs", { label: "second", devices: twice })).toEqual([
    `devices.sdb.disk_id: Must not be disk ${root.id}, which is already in the device slot sda`,
  ]);
  const devices = {
    sda: { disk_id: root.id },
    sdc: { disk_id: foreign.id },
    sdd: { volume_id: volume },
    sde: { volume_id: far },
  };
  expect(await web.rejected("POST /configs", { label: "second", devices })).toEqual([
    `devices.sdc.disk_id: There is no disk ${foreign.id} on instance ${web.id}`,
    `devices.sdd.volume_id: Volume ${volume} is neither attached to instance ${web.id} nor an unattached volume in eu-central`,
    `devices.sde.volume_id: Volume ${far} is neither attached to instance ${web.id} nor an unattached volume in eu-central`,
  ]);
  const both = { sda: { disk_id: root.id, volume_id: volume } };
  expect(await web.rejected("POST /configs", { label: "second", devices: both })).toEqual([
    `devices.sda: Must contain either a disk or a volume, not both (disk ${root.id} and volume ${volume})`,
  ]);
  one.settle();
  await send(`POST /volumes/${volume}/detach`);
  await send(`POST /volumes/${volume}/attach`, { body: { compute_id: web.id, persist_across_boots: false } });
  const created = await web.request("POST /configs", { label: "second", devices: { sda: { volume_id: volume } } });
  await send(`POST /volumes/${volume}/detach`);
  expect((await send(`GET ${web.path}/configs/${created.id}`)).body.devices.sda).toEqual(none);
});

test("a config that names an unattached volume in the region attaches it", async (one) => {
  const { send } = one;
  const web = await machine(one);
  const volume = async (label: string) =>
    (await send("POST /volumes", { body: { label, region: "eu-central" } })).body.id;
  const [data, logs] = [await volume("data"), await volume("logs")];
  const attached = async () => (await web.list("volumes")).map(({ id }) => id);
  const config = await web.request("POST /configs", { label: "second", devices: { sdc: { volume_id: data } } });
  expect(await attached()).toEqual([data]);
  await web.request(`PUT /configs/${config.id}`, { devices: { sdc: { volume_id: data }, sdd: { volume_id: logs } } });
  expect(await attached()).toEqual([data, logs]);
  const events = one.world.events.recent().filter(({ action }) => action === "volume_attach");
  expect(events).toMatchObject([
    { entity: { id: logs, type: "volume" }, secondary_entity: { id: web.id, type: "compute" } },
    { entity: { id: data, type: "volume" }, secondary_entity: { id: web.id, type: "compute" } },
  ]);
  // The instance reboots with its first config, which does not contain the volumes. They stay attached nevertheless.
  await web.request("POST /reboot");
  expect(await attached()).toEqual([data, logs]);
  expect((await send(`POST /volumes/${data}/detach`)).status).toBe(200);
  expect((await send(`GET ${web.path}/configs/${config.id}`)).body.devices.sdc).toEqual(none);
});

test("attaching a volume by a config requires the scope and grant for attaching, and no migration in progress", async (one) => {
  const { send } = one;
  const web = await machine(one, { region: "us-east", type: "g6-nanode-1" });
  const volume = async (label: string) => (await send("POST /volumes", { body: { label, region: "us-east" } })).body.id;
  const hidden = await volume("hidden");
  const devices = { sda: { volume_id: hidden } };
  const create = (token?: string) =>
    send(`POST ${web.path}/configs`, { body: { label: "second", devices }, ...(token && { token }) });
  const entities = { compute: { [web.id]: "read_write" } };
  expect(messages(await create(await restricted(one, { entities })))).toEqual([
    `devices.sda.volume_id: Volume ${hidden} is neither attached to instance ${web.id} nor an unattached volume in us-east`,
  ]);
  const scoped = await send("POST /_emulator/tokens", { body: { token: "computes", scopes: ["computes:read_write"] } });
  expect((await create(scoped.body.token)).status).toBe(403);
  await send(`POST ${web.path}/migrate`, { body: { region: "eu-central" } });
  expect(messages(await create())).toEqual(["Compute busy."]);
  expect(one.world.volumes.get(hidden).compute_id).toBeNull();
});

test("a config does not attach more volumes than the instance allows", async (one) => {
  const { send } = one;
  const web = await machine(one, { region: "us-east", type: "g6-nanode-1" });
  const config = await web.request("POST /configs", { label: "main", devices: {} });
  for (let nth = 1; nth <= 8; nth++) {
    const body = { label: `data-${nth}`, region: "us-east" };
    const { id } = (await send("POST /volumes", { body })).body;
    await send(`POST /volumes/${id}/attach`, { body: { compute_id: web.id, persist_across_boots: false } });
  }
  const { id } = (await send("POST /volumes", { body: { label: "ninth", region: "us-east" } })).body;
  expect(await web.rejected(`PUT /configs/${config.id}`, { devices: { sda: { volume_id: id } } })).toEqual([
    "devices: The instance already has 8 volumes, and can have at most 8",
  ]);
});

test.each<[string, object, string]>([
  [
    "an unknown kernel",
    { kernel: "compute/none" },
    'kernel: There is no kernel "compute/none"; GET /v4/compute/kernels lists them',
  ],
  [
    "more memory than there is",
    { memory_limit: 2049 },
    "memory_limit: Must be at most 2048, the memory of the instance",
  ],
  [
    "a VLAN without a label",
    { interfaces: [{ purpose: "vlan" }] },
    "interfaces.0.label: Is required for an interface of purpose vlan",
  ],
  [
    "a fourth interface",
    { interfaces: Array(4).fill({ purpose: "public" }) },
    "interfaces: Must have at most 3 entries",
  ],
  ["a device that is none", { devices: { sdz: {} } }, "devices.sdz: Is not a known field"],
  ["an empty label", { label: "" }, "label: Must not be empty"],
])(`${documents}: create and update reject %s`, async (one, _, body, reason) => {
  const web = await machine(one);
  const [config] = await web.list("configs");
  expect(await web.rejected("POST /configs", { label: "second", devices: {}, ...body })).toEqual([reason]);
  expect(await web.rejected(`PUT /configs/${config.id}`, body)).toEqual([reason]);
});

test("part 1 · Resources · Network interface object: rejects VLANs in regions without VLANs", async (one) => {
  const web = await machine(one, { region: "us-west", type: "g6-nanode-1" });
  const interfaces = [{ purpose: "vlan", label: "inner" }];
  expect(await web.rejected("POST /configs", { label: "second", devices: {}, interfaces })).toEqual([
    "interfaces.0.purpose: Region us-west does not offer VLANs",
  ]);
});

test("responses contain an object for every device slot, with nulls for an empty slot, whichever form the request had", async (one) => {
  const web = await machine(one);
  const [root] = await web.list("disks");
  const sda = { disk_id: root.id, volume_id: null };
  const created = await web.request("POST /configs", {
    label: "second",
    devices: { sda: { disk_id: root.id }, sdb: null },
  });
  const devices = { sda, sdb: none, sdc: none, sdd: none, sde: none, sdf: none, sdg: none, sdh: none };
  expect(created.devices).toEqual(devices);
  expect((await one.send(`GET ${web.path}/configs/${created.id}`)).body.devices).toEqual(devices);
});

test("a config without a memory limit is returned with all the RAM of the instance, also after a resize", async (one) => {
  const web = await machine(one, { region: "us-east", type: "g6-nanode-1" });
  const { id, memory_limit } = await web.request("POST /configs", { label: "second", devices: {} });
  expect(memory_limit).toBe(1024);
  await web.request("POST /resize", { type: "g6-standard-1" });
  one.settle();
  expect((await one.send(`GET ${web.path}/configs/${id}`)).body.memory_limit).toBe(2048);
});

test("configs can be filtered by the VLANs of their interfaces", async (one) => {
  const web = await machine(one, { ...debian, image: undefined });
  const vlan = (label: string) => ({ purpose: "vlan", label, ipam_address: "10.0.0.1/24" });
  const none = await web.request("POST /configs", { label: "none", devices: {} });
  const app = { label: "app", devices: {}, interfaces: [{ purpose: "public" }, vlan("inner")] };
  const { id } = await web.request("POST /configs", app);
  await web.request("POST /configs", { label: "both", devices: {}, interfaces: [vlan("inner"), vlan("outer")] });
  const labels = async (filter: object) =>
    (await one.send(`GET ${web.path}/configs`, { filter })).body.data.map(({ label }: { label: string }) => label);
  expect(await labels({ interfaces: "inner" })).toEqual(["app", "both"]);
  expect(await labels({ interfaces: "outer" })).toEqual(["both"]);
  expect(await labels({ interfaces: { "+neq": "inner" } })).toEqual([none.label]);
  expect(await labels({ interfaces: { "+contains": "out" } })).toEqual(["both"]);
  expect(await labels({ interfaces: "inner", label: "app" })).toEqual(["app"]);
  await web.request(`PUT /configs/${id}`, { interfaces: [] });
  expect(await labels({ interfaces: "inner" })).toEqual(["both"]);
});
