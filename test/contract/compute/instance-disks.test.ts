import { expect } from "vitest";
import { history, test } from "../cloud";
import { proves } from "../proves";
import { debian, empty, known, machine } from "./instance";

const rule = (number: number): string => `part 1 · Endpoints · Disk create · rule ${number}`;
const documents = "part 1 · Endpoints · Compute instances";
const image = { image: "compute/debian11", root_pass: "correct horse" };

test(`${documents}: a disk is created and becomes ready, and is viewed, listed, renamed and deleted`, async (one) => {
  const { send } = one;
  const web = await machine(one, empty);
  const created = await send(`POST ${web.path}/disks`, { body: { label: "data", size: 1000 } });
  expect(created.body).toMatchObject({ label: "data", size: 1000, filesystem: "ext4", status: "not ready" });
  const path = `/disks/${created.body.id}`;
  expect(await web.rejected(`DELETE ${path}`)).toEqual(["Compute busy."]);
  one.settle();
  expect((await send(`GET ${web.path}${path}`)).body.status).toBe("ready");
  expect((await send(`GET ${web.path}/disks`, { filter: { size: 1000 } })).body.results).toBe(1);
  expect(await web.request(`PUT ${path}`, { label: "logs" })).toMatchObject({ label: "logs", size: 1000 });
  await web.request(`DELETE ${path}`);
  expect(await web.list("disks")).toEqual([]);
  const [event] = (await send("GET /account/events")).body.data;
  expect(event).toMatchObject({
    entity: { id: web.id, type: "compute" },
    secondary_entity: { id: created.body.id, type: "disk" },
  });
});

test("a disk is never read-only: accepts `false`, which older clients send, and rejects `true`", async (one) => {
  const web = await machine(one, empty);
  const disk = await web.request("POST /disks", { size: 1000, label: "data", read_only: false });
  expect(disk).not.toHaveProperty("read_only");
  expect(await web.request(`PUT /disks/${disk.id}`, { label: "logs", read_only: false })).toMatchObject({
    label: "logs",
  });
  for (const request of ["POST /disks", `PUT /disks/${disk.id}`] as const)
    expect(await web.rejected(request, { size: 1000, label: "other", read_only: true })).toEqual([
      "read_only: Must be false",
    ]);
});

test.each<[string, object, object]>([
  ["an empty disk is ext4 unless a format is given", { label: "a" }, { filesystem: "ext4" }],
  ["a format is taken", { label: "a", filesystem: "raw" }, { filesystem: "raw" }],
  ["a disk from an image takes the image's format and name", image, { filesystem: "ext4", label: "Debian 11 Disk" }],
  [
    "a format and a label win over the image's",
    { ...image, filesystem: "ext3", label: "a" },
    { filesystem: "ext3", label: "a" },
  ],
])("%s", async (one, _, body, expected) => {
  proves(rule(3));
  const web = await machine(one, empty);
  expect(await web.request("POST /disks", { size: 2000, ...body })).toMatchObject(expected);
});

test.each<[what: string, body: object, reasons: string[], rule?: number]>([
  ["an empty disk needs a label", {}, ["label: Is required for a disk without an image"], 1],
  [
    "an image needs a password",
    { image: image.image },
    [`root_pass: Is required to deploy the image ${image.image}`],
    2,
  ],
  ["a script needs an image", { label: "a", stackscript_id: 1 }, ["image: Is required to run the StackScript 1"], 4],
  [
    "an image needs its size",
    { ...image, size: 1299 },
    [`size: Leaves 1299 MB for image ${image.image}, which requires 1300 MB`],
  ],
  [
    "the disks fit the type together",
    { label: "a", size: 51_201 },
    ["size: Requires 51201 MB more, but only 51200 of the 51200 MB of the instance are free"],
  ],
  [
    "authorized users exist",
    { ...image, authorized_users: ["unknown"] },
    ['authorized_users.0: There is no user "unknown"'],
  ],
])("rejects a disk: %s", async (one, _, body, reasons, nth) => {
  if (nth) proves(rule(nth));
  const web = await machine(one, empty);
  expect(await web.rejected("POST /disks", { size: 2000, ...body })).toEqual(reasons);
});

test("rejects a second disk while the first one is being written", async (one) => {
  const web = await machine(one, empty);
  const create = (label: string) => one.send(`POST ${web.path}/disks`, { body: { label, size: 100 } });
  const first = await create("a");
  expect(first.body).toMatchObject({ status: "not ready" });
  expect(await web.rejected("POST /disks", { label: "b", size: 100 })).toEqual(["Compute busy."]);
  expect(await web.rejected(`POST /disks/${first.body.id}/clone`)).toEqual(["Compute busy."]);
  expect(await web.list("disks")).toHaveLength(1);
  one.settle();
  expect(await create("b")).toMatchObject({ status: 200 });
});

test(`${documents}: rejects deleting, resizing and setting the password of a disk while the instance runs`, async (one) => {
  const web = await machine(one);
  const [root] = await web.list("disks");
  const reason = [`Instance ${web.id} is running; it must be offline`];
  expect(await web.rejected(`DELETE /disks/${root.id}`)).toEqual(reason);
  expect(await web.rejected(`POST /disks/${root.id}/resize`, { size: 10_000 })).toEqual(reason);
  expect(await web.rejected(`POST /disks/${root.id}/password`, { password: "another one" })).toEqual(reason);
});

test("resizes a disk that is not in the booted config of a running instance", async (one) => {
  const web = await machine(one, { ...debian, booted: false });
  const [root] = await web.list("disks");
  await web.request(`POST /disks/${root.id}/resize`, { size: 10_000 });
  const spare = await web.request("POST /disks", { label: "spare", size: 1000 });
  const [main] = await web.list("configs");
  await web.request("POST /configs", { label: "other", devices: { sda: { disk_id: spare.id } } });
  const reason = [`Instance ${web.id} is running; it must be offline`];
  const resize = (id: number, size: number) => web.rejected(`POST /disks/${id}/resize`, { size });

  await web.request("POST /boot", { config_id: main.id });
  expect(await web.request(`POST /disks/${spare.id}/resize`, { size: 2000 })).toEqual({});
  expect(await web.view()).toMatchObject({ status: "running" });
  expect((await one.send(`GET ${web.path}/disks/${spare.id}`)).body).toMatchObject({ size: 2000, status: "ready" });
  expect(await resize(root.id, 20_000)).toEqual(reason);
  // The service does not store which disks an instance uses in rescue mode, so it considers all disks of the instance
  // used.
  await web.request("POST /rescue", { devices: { sda: { disk_id: spare.id } } });
  expect(await resize(spare.id, 3000)).toEqual(reason);
  await web.request("POST /reboot");
  await web.request(`DELETE /configs/${main.id}`);
  expect(await resize(spare.id, 3000)).toEqual(reason);
});

test(`${documents}: a disk grows up to the free space, and shrinks down to the size of its data`, async (one) => {
  const { send } = one;
  const web = await machine(one, { ...debian, booted: false });
  const [root, swap] = await web.list("disks");
  const path = `/disks/${root.id}/resize` as const;
  const shrunk = await send(`POST ${web.path}${path}`, { body: { size: 1300 } });
  expect(shrunk).toMatchObject({ status: 200, body: {} });
  expect(await web.rejected("POST /boot")).toEqual(["Compute busy."]);
  one.settle();
  expect(await web.list("disks")).toMatchObject([{ size: 1300, status: "ready" }, { size: 512 }]);
  expect(await web.rejected(`POST ${path}`, { size: 1299 })).toEqual([
    "size: Must be at least 1300, the size of the data on the disk",
  ]);
  expect(await web.rejected(`POST ${path}`, { size: 50_689 })).toEqual([
    "size: Requires 49389 MB more, but only 49388 of the 51200 MB of the instance are free",
  ]);
  await web.request(`POST ${path}`, { size: 50_688 });
  await web.request(`POST /disks/${swap.id}/resize`, { size: 1 });
  one.faults.add({ path: "instanceDisks.resize", kind: "job-fail" });
  await web.request(`POST ${path}`, { size: 2000 });
  expect(await web.list("disks")).toMatchObject([{ size: 50_688, status: "ready" }, { size: 1 }]);
});

test.each(["raw", "initrd"])(
  "a disk with the format %s can only grow, because the service does not know its data",
  async (one, filesystem) => {
    const web = await machine(one, empty);
    const { id } = await web.request("POST /disks", { label: "data", size: 1000, filesystem });
    expect(await web.rejected(`POST /disks/${id}/resize`, { size: 999 })).toEqual([
      "size: Must be at least 1000, the size of the data on the disk",
    ]);
    await web.request(`POST /disks/${id}/resize`, { size: 1001 });
    expect(await web.list("disks")).toMatchObject([{ id, size: 1001 }]);
  },
);

test(`${documents}: a clone is an additional disk with the same data, if there is enough space`, async (one) => {
  const web = await machine(one, { ...debian, booted: false });
  const [root] = await web.list("disks");
  const path = `/disks/${root.id}` as const;
  expect(await web.rejected(`POST ${path}/clone`)).toEqual([
    "Requires 50688 MB more, but only 0 of the 51200 MB of the instance are free",
  ]);
  await web.request(`POST ${path}/resize`, { size: 10_000 });
  const copy = await web.request(`POST ${path}/clone`);
  expect(copy).toMatchObject({ label: "Copy of Debian 11 Disk", size: 10_000, status: "not ready" });
  expect(await web.rejected(`POST /disks/${copy.id}/resize`, { size: 1299 })).toHaveLength(1);
  one.faults.add({ path: "instanceDisks.clone", kind: "job-fail" });
  await web.request(`POST ${path}/clone`);
  expect(await web.list("disks")).toHaveLength(3);
});

test(`${documents}: deleting a disk empties its slots in the configs`, async (one) => {
  const web = await machine(one, { ...debian, booted: false });
  const [root, swap] = await web.list("disks");
  await web.request(`DELETE /disks/${swap.id}`);
  expect(await web.list("configs")).toMatchObject([
    { devices: { sda: { disk_id: root.id }, sdb: { disk_id: null, volume_id: null } } },
  ]);
});

test("a disk is deleted by a job, and keeps its space and its slots until the job ends", async (one) => {
  const { send } = one;
  const web = await machine(one, { ...debian, booted: false });
  const [root, swap] = await web.list("disks");
  const [{ devices }] = await web.list("configs");
  expect(await send(`DELETE ${web.path}/disks/${swap.id}`)).toMatchObject({ status: 200, body: {} });
  expect(await web.list("disks")).toMatchObject([{ status: "ready" }, { id: swap.id, status: "deleting", size: 512 }]);
  expect(await web.list("configs")).toMatchObject([{ devices }]);
  const [event] = (await send("GET /account/events")).body.data;
  expect(event).toMatchObject({ action: "disk_delete", status: "started", secondary_entity: { id: swap.id } });
  for (const request of [`DELETE /disks/${swap.id}`, `DELETE /disks/${root.id}`, "POST /boot"] as const)
    expect(await web.rejected(request)).toEqual(["Compute busy."]);
  one.settle();
  expect(await web.list("disks")).toMatchObject([{ id: root.id }]);
  expect(history(one).at(-1)).toBe("disk_delete finished");
});

test("a disk whose deletion fails is ready again", async (one) => {
  const web = await machine(one, { ...debian, booted: false });
  const [root] = await web.list("disks");
  one.faults.add({ path: "instanceDisks.delete", kind: "job-fail" });
  await web.request(`DELETE /disks/${root.id}`);
  expect(await web.list("disks")).toMatchObject([{ id: root.id, status: "ready" }, {}]);
  expect(history(one).at(-1)).toBe("disk_delete failed");
});

test("an instance that is being deployed is busy for disk operations too", async (one) => {
  const web = known(one, (await one.send("POST /compute/instances", { body: debian })).body.id);
  expect(await web.status()).toBe("provisioning");
  expect(await web.rejected("POST /disks", { label: "a", size: 100 })).toEqual(["Compute busy."]);
});
