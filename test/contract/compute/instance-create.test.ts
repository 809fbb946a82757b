import { expect, test } from "vitest";
import { operations } from "../../../api";
import { cloud, restricted } from "../cloud";
import { proves } from "../proves";
import { debian, history, known, machine, messages } from "./instance";

const rule = (number: number): string => `part 1 · Endpoints · Compute instances · rule ${number}`;
const states = "part 1 · States · Compute instance";
const limit = "part 1 · Limits · limit 2";
const create = "POST /compute/instances";
const empty = { region: "eu-central", type: "g6-standard-1" };

test("an instance with an image is deployed, boots and runs", async () => {
  proves(rule(2));
  await using one = await cloud();
  const { send, advance } = one;
  const body = { ...debian, label: "web-1", group: "old", tags: ["prod"], private_ip: true, backups_enabled: true };
  const created = await send(create, { body });
  expect(created).toMatchObject({
    status: 200,
    body: {
      label: "web-1",
      group: "old",
      tags: ["prod"],
      status: "provisioning",
      image: "compute/debian11",
      specs: { disk: 51_200, memory: 2048, vcpus: 1, transfer: 2000 },
      backups: { enabled: true, schedule: { day: "Scheduling", window: "Scheduling" } },
      watchdog_enabled: true,
    },
  });
  expect(created.body.ipv4).toHaveLength(2);
  expect(JSON.stringify(one.world.tables.get("disks")?.all())).not.toContain(debian.root_pass);
  const web = known(one, created.body.id);
  advance(19_999);
  expect(await web.status()).toBe("provisioning");
  advance(1);
  expect(await web.status()).toBe("booting");
  advance(20_000);
  expect(await web.status()).toBe("running");
  expect(history(one)).toEqual(["compute_create finished", "compute_boot finished"]);
});

test("an instance with an image has a default config, a disk and a swap disk", async () => {
  proves(states);
  await using one = await cloud();
  const web = await machine(one, { ...debian, swap_size: 1024 });
  const disks = await web.list("disks");
  expect(disks).toMatchObject([
    { label: "Debian 11 Disk", filesystem: "ext4", size: 51_200 - 1024, status: "ready" },
    { label: "1024 MB Swap Image", filesystem: "swap", size: 1024, status: "ready" },
  ]);
  const [config, ...others] = await web.list("configs");
  expect(others).toEqual([]);
  expect(config).toMatchObject({
    label: "My Debian 11 Disk Profile",
    kernel: "compute/latest-64bit",
    root_device: "/dev/sda",
    memory_limit: 2048,
    helpers: { network: true, distro: true },
    devices: { sda: { disk_id: disks[0].id }, sdb: { disk_id: disks[1].id }, sdc: { disk_id: null, volume_id: null } },
  });
  const bare = await machine(one, { ...debian, swap_size: 0 });
  expect(await bare.list("disks")).toMatchObject([{ size: 51_200 }]);
});

test("an instance with an image and booted false stays offline", async () => {
  proves(states);
  await using one = await cloud();
  const web = await machine(one, { ...debian, booted: false });
  expect(await web.status()).toBe("offline");
  await web.request("POST /boot");
  expect(await web.status()).toBe("running");
});

test("an instance without an image is offline immediately, without disks and configs", async () => {
  proves(rule(5));
  await using one = await cloud();
  const created = await one.send(create, { body: empty });
  expect(created.body).toMatchObject({ status: "offline", image: null, label: `compute${created.body.id}` });
  const bare = known(one, created.body.id);
  expect([await bare.list("disks"), await bare.list("configs")]).toEqual([[], []]);
  expect(await bare.rejected("POST /boot")).toEqual([`config_id: Instance ${bare.id} has no config to boot`]);
  const config = await bare.request("POST /configs", { label: "first", devices: {} });
  expect(await bare.rejected("POST /boot")).toEqual([
    `config_id: Config ${config.id} has no disk and no volume to boot from`,
  ]);
  const disk = await bare.request("POST /disks", { label: "root", size: 5000 });
  await bare.request(`PUT /configs/${config.id}`, { devices: { sda: { disk_id: disk.id } } });
  await bare.request("POST /boot");
  expect(await bare.status()).toBe("running");
});

test.each<[what: string, body: object, reasons: string[], proved?: string]>([
  [
    "an image without a password",
    { image: "compute/debian11" },
    ["root_pass: Is required to deploy the image compute/debian11"],
    rule(2),
  ],
  ["a script without an image", { stackscript_id: 1 }, ["image: Is required to run the StackScript 1"], rule(3)],
  ["a backup that is not there", { backup_id: 7 }, ["backup_id: There is no backup 7"], rule(4)],
  [
    "an unknown user, and no room for the image next to the swap disk",
    { ...debian, authorized_users: ["emulator", "unknown"], swap_size: 51_000 },
    [
      'authorized_users.1: There is no user "unknown" with an SSH key',
      "swap_size: Leaves 200 MB for image compute/debian11, which requires 1300 MB",
    ],
  ],
  [
    "a VLAN where there are none",
    { region: "us-west", interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "inner" }] },
    ["interfaces.1.purpose: Region us-west does not offer VLANs"],
  ],
  [
    "a fourth interface",
    { interfaces: Array(4).fill({ purpose: "public" }) },
    ["interfaces: Must have at most 3 entries"],
    limit,
  ],
  ["a short label", { label: "ab" }, ["label: Must be at least 3 characters long"], limit],
  ["a long label", { label: "a".repeat(33) }, ["label: Must be at most 32 characters long"], limit],
  [
    "a short password",
    { image: "compute/debian11", root_pass: "short1" },
    ["root_pass: Must be at least 7 characters long"],
    limit,
  ],
  [
    "a long password",
    { image: "compute/debian11", root_pass: `${"a1".repeat(64)}b` },
    ["root_pass: Must be at most 128 characters long"],
    limit,
  ],
  [
    "everything at once",
    { type: "g6-huge", image: "compute/debian6", label: "web--1" },
    [
      "label: Must start with a letter and contain only letters, digits, single dashes, single underscores and single periods",
      'type: There is no type "g6-huge"; GET /v4/compute/types lists them',
      'image: There is no image "compute/debian6"; GET /v4/images lists them',
    ],
  ],
])("create rejects %s", async (_, body, reasons, proved) => {
  if (proved) proves(proved);
  await using one = await cloud();
  const response = await one.send(create, { body: { ...empty, ...body } });
  expect(response.status).toBe(400);
  expect(messages(response).toSorted()).toEqual(reasons.toSorted());
});

test("accepts labels of 3 and 32 characters, passwords of 7 and 128 characters and three interfaces; swap has 512 MB", async () => {
  proves(limit);
  await using one = await cloud();
  const interfaces = ["public", "vlan", "vlan"].map((purpose, at) => ({ purpose, label: at ? `inner-${at}` : "" }));
  const short = await machine(one, { ...debian, label: "abc", root_pass: "short 1", interfaces });
  expect(await short.list("disks")).toMatchObject([{}, { filesystem: "swap", size: 512 }]);
  expect((await short.list("configs"))[0].interfaces).toHaveLength(3);
  const long = await machine(one, { ...debian, label: "a".repeat(32), root_pass: "a1".repeat(64) });
  await long.request("POST /configs", { label: "c".repeat(48), devices: {} });
  expect(await long.rejected("POST /configs", { label: "c".repeat(49), devices: {} })).toEqual([
    "label: Must be at most 48 characters long",
  ]);
  await long.request("POST /backups/enable");
  await long.request("POST /backups", { label: "s".repeat(255) });
  expect(await long.rejected("POST /backups", { label: "s".repeat(256) })).toEqual([
    "label: Must be at most 255 characters long",
  ]);
});

test("mail ports are blocked, which the API does not return and the contract documents", async () => {
  proves(rule(7));
  for (const port of ["25", "465", "587"]) expect(operations.instances.create.decided.join()).toContain(port);
  await using one = await cloud();
  expect(JSON.stringify(await (await machine(one)).view())).not.toMatch(/465|587/);
});

test("part 1 · Endpoints · Kernels and regions: rejects a region with an outage, and an unfinished image", async () => {
  await using one = await cloud();
  const { world, send } = one;
  world.regions.patch("eu-central", { status: "outage" });
  const { created: _, updated: __, ...image } = world.images.get("compute/debian11");
  world.images.insert({ ...image, id: "private/1", is_public: false, status: "pending_upload" });
  expect(messages(await send(create, { body: { ...debian, image: "private/1" } }))).toEqual([
    "region: Region eu-central has an outage",
    'image: Image private/1 is not available yet: its status is "pending_upload"',
  ]);
});

test("creating requires add_computes, and tags require an unrestricted user", async () => {
  proves(rule(1), rule(6));
  await using one = await cloud();
  const { send } = one;
  const web = await machine(one);
  const token = await restricted(one, { entities: { compute: { [web.id]: "read_write" } } });
  expect((await send(create, { token, body: empty })).status).toBe(403);
  expect(messages(await send(`PUT ${web.path}`, { token, body: { tags: ["mine"] } }))).toEqual([
    "tags: Only unrestricted users can add or change tags",
  ]);
  await send("POST /_emulator/users", {
    body: { username: "guest", restricted: true, global: { add_computes: true } },
  });
  expect((await send(create, { token, body: { ...empty, tags: ["mine"] } })).status).toBe(403);
  const created = await send(create, { token, body: empty });
  expect(created.status).toBe(200);
  expect((await send("GET /compute/instances", { token })).body).toMatchObject({ results: 1 });
});
