import { expect } from "vitest";
import { operations } from "../../../api";
import { history, messages, restricted, test } from "../cloud";
import { proves } from "../proves";
import { debian, empty, known, machine, rule } from "./instance";

const states = "part 1 · States · Compute instance";
const limit = "part 1 · Limits · limit 2";
const create = "POST /compute/instances";

test("an instance with an image is deployed, boots and runs", async (one) => {
  proves(rule(2));
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

test("an instance with an image has a default config, a disk and a swap disk", async (one) => {
  proves(states);
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

test("an instance with an image and booted false stays offline", async (one) => {
  proves(states);
  const web = await machine(one, { ...debian, booted: false });
  expect(await web.status()).toBe("offline");
  await web.request("POST /boot");
  expect(await web.status()).toBe("running");
});

test("an instance without an image is offline immediately, without disks and configs", async (one) => {
  proves(rule(5));
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
      'authorized_users.1: There is no user "unknown"',
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
  [
    "everything at once",
    { type: "g6-huge", image: "compute/debian6", label: "web--1" },
    [
      "label: Must start with a letter and contain only letters, digits, single dashes, single underscores and single periods",
      'type: There is no type "g6-huge"; GET /v4/compute/types lists them',
      'image: There is no image "compute/debian6"; GET /v4/images lists them',
    ],
  ],
])("create rejects %s", async (one, _, body, reasons, proved) => {
  if (proved) proves(proved);
  const response = await one.send(create, { body: { ...empty, ...body } });
  expect(messages(response).toSorted()).toEqual(reasons.toSorted());
});

test("accepts three interfaces; swap has 512 MB", async (one) => {
  proves(limit);
  const interfaces = ["public", "vlan", "vlan"].map((purpose, at) => ({ purpose, label: at ? `inner-${at}` : "" }));
  const web = await machine(one, { ...debian, interfaces });
  expect(await web.list("disks")).toMatchObject([{}, { filesystem: "swap", size: 512 }]);
  expect((await web.list("configs"))[0].interfaces).toHaveLength(3);
});

test("mail ports are blocked, which the API does not return and the contract documents", async (one) => {
  proves(rule(7));
  for (const port of ["25", "465", "587"]) expect(operations.instances.create.decided.join()).toContain(port);
  expect(JSON.stringify(await (await machine(one)).view())).not.toMatch(/465|587/);
});

test("part 1 · Endpoints · Kernels and regions: rejects a region with an outage, and an unfinished image", async (one) => {
  const { world, send } = one;
  world.regions.patch("eu-central", { status: "outage" });
  const { created: _, updated: __, ...image } = world.images.get("compute/debian11");
  world.images.insert({ ...image, id: "private/1", is_public: false, status: "pending_upload" });
  expect(messages(await send(create, { body: { ...debian, image: "private/1" } }))).toEqual([
    "region: Region eu-central has an outage",
    'image: Image private/1 is not available yet: its status is "pending_upload"',
  ]);
});

test("tags require an unrestricted user", async (one) => {
  proves(rule(6));
  const web = await machine(one, empty);
  const entities = { compute: { [web.id]: "read_write" } };
  const token = await restricted(one, { entities, global: { add_computes: true } });
  const reason = ["tags: Only unrestricted users can add or change tags"];
  expect(messages(await one.send(`PUT ${web.path}`, { token, body: { tags: ["mine"] } }), 403)).toEqual(reason);
  expect(messages(await one.send(create, { token, body: { ...empty, tags: ["mine"] } }), 403)).toEqual(reason);
});

test("rejects a private address if all 32,766 are in use", async (one) => {
  const web = await machine(one, { ...debian, private_ip: true });
  const { ipv4 }: { ipv4: string[] } = await web.view();
  const row = one.world.addresses.get(ipv4.find((address) => address.startsWith("192.168.")) ?? "");
  for (let at = 0; at < 2 ** 15; at++) {
    const id = `192.168.${128 + Math.floor(at / 256)}.${at % 256}`;
    if (!one.world.addresses.find(id)) one.world.addresses.insert({ ...row, id });
  }
  const rejection = await one.send(create, { body: { ...debian, private_ip: true } });
  expect(messages(rejection)).toEqual([
    "private_ip: All private addresses are in use; first delete an instance that has one",
  ]);
});
