import { expect } from "vitest";
import { type Cloud, history, messages, restricted, test } from "../cloud";
import { debian, machine } from "../compute/instance";
import { proves } from "../proves";

const rule = (number: number): string => `part 2 · Endpoints · Images · rule ${number}`;
const states = "part 2 · States · Image";

/** Creates an instance that is powered off, with a system disk and a swap disk. */
async function source(one: Cloud) {
  const web = await machine(one, { ...debian, booted: false });
  const [root, swap] = await web.list("disks");
  return { web, root, swap };
}

async function captured(one: Cloud, body: object = {}): Promise<string> {
  const { root } = await source(one);
  const created = await one.send("POST /images", { body: { disk_id: root.id, ...body } });
  expect(created.status).toBe(200);
  one.settle();
  return created.body.id;
}

test("the description of a new image is at most as long as that of an update", async (one) => {
  const { root } = await source(one);
  const create = (path: "/images" | "/images/upload", body: object, length: number) =>
    one.send(`POST ${path}`, { body: { ...body, description: "x".repeat(length) } });
  for (const [path, body] of [
    ["/images", { disk_id: root.id }],
    ["/images/upload", { label: "upload", region: "us-east" }],
  ] as const) {
    expect(messages(await create(path, body, 65_001))).toEqual(["description: Must be at most 65000 characters long"]);
    expect((await create(path, body, 65_000)).status).toBe(200);
  }
});

test("captures an image from a disk, lists, views, updates and deletes it", async (one) => {
  proves(rule(1));
  const { send } = one;
  const { web, root } = await source(one);
  const created = await send("POST /images", { body: { disk_id: root.id, description: "golden" } });
  expect(created.body).toMatchObject({
    ...{ label: "Debian 11 Disk", description: "golden", status: "creating", type: "manual", size: 50_688 },
    ...{ is_public: false, deprecated: false, created_by: "emulator", expiry: null, vendor: null, eol: null },
  });
  expect(created.body.id).toMatch(/^private\/\d+$/);
  const path = `/images/${created.body.id}` as const;
  expect(await web.rejected("POST /boot")).toEqual(["Compute busy."]);
  expect(messages(await send(`DELETE ${path}`))).toEqual([
    `Image ${created.body.id} is creating; wait until it is available`,
  ]);
  one.settle();
  expect((await send(`GET ${path}`)).body).toMatchObject({ status: "available", size: 1300 });
  const { data } = (await send("GET /images", { filter: { is_public: false } })).body;
  expect(data).toMatchObject([{ id: created.body.id }]);

  const changed = await send(`PUT ${path}`, { body: { label: "base", description: null, status: "available" } });
  expect(changed.body).toMatchObject({ label: "base", description: "", status: "available" });
  expect(messages(await send(`PUT ${path}`, { body: { status: "creating" } }))).toEqual([
    "status: Must be available: the status cannot be changed",
  ]);
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  const [event] = one.world.events.recent().filter(({ action }) => action === "disk_imagize");
  const number = Number(created.body.id.slice("private/".length));
  expect(event).toMatchObject({
    entity: { type: "compute", id: web.id },
    secondary_entity: { type: "image", id: number },
  });
});

test("captures only ready disks with data, of idle and visible instances", async (one) => {
  proves(rule(1));
  const { send } = one;
  const { web, root, swap } = await source(one);
  const capture = async (disk_id: number, token = one.token) =>
    messages(await send("POST /images", { token, body: { disk_id } }));
  expect(await capture(7)).toEqual(["disk_id: There is no disk 7"]);
  expect(await capture(swap.id)).toEqual([
    `disk_id: Disk ${swap.id} is a swap disk, and images of swap disks cannot be created`,
  ]);
  const token = await restricted(one, { global: { add_images: true } });
  expect(await capture(root.id, token)).toEqual([`disk_id: There is no disk ${root.id}`]);
  one.world.disks.patch(root.id, { status: "not ready" });
  expect(await capture(root.id)).toEqual([`Disk ${root.id} must be ready: its status is "not ready"`]);
  one.world.disks.patch(root.id, { status: "ready" });
  await send(`POST ${web.path}/boot`);
  expect(await capture(root.id)).toEqual(["Compute busy."]);
  one.settle();
  one.world.instances.patch(web.id, { status: "stopped" });
  expect(await capture(root.id)).toEqual([`disk_id: Instance ${web.id} is stopped; it must be running or offline`]);
  expect(one.world.imageOrigins.size).toBe(0);
});

test("an image has the filesystem of its disk, and so have disks that are deployed from it", async (one) => {
  proves(rule(1));
  const { web, root } = await source(one);
  one.world.disks.patch(root.id, { filesystem: "ext3" });
  const created = await one.send("POST /images", { body: { disk_id: root.id, label: "old" } });
  one.settle();
  await web.request(`POST /disks/${root.id}/resize`, { size: 10_000 });
  const deploy = { image: created.body.id, root_pass: "correct horse", size: 2000 };
  expect(await web.request("POST /disks", deploy)).toMatchObject({ filesystem: "ext3", label: "old Disk" });
  expect(await web.request("POST /disks", { ...deploy, filesystem: "ext4" })).toMatchObject({ filesystem: "ext4" });
  expect(await web.rejected("POST /disks", { ...deploy, size: 1299 })).toEqual([
    `size: Leaves 1299 MB for image ${created.body.id}, which requires 1300 MB`,
  ]);
  const other = await machine(one, { ...debian, image: created.body.id });
  expect((await other.list("disks"))[0]).toMatchObject({ filesystem: "ext3", status: "ready" });
});

test.each(["job-fail", "delete"] as const)("a capture with %s leaves no image", async (one, end) => {
  proves(states);
  const { web, root } = await source(one);
  if (end === "job-fail") one.faults.add({ path: "images.create", kind: end });
  const created = await one.send("POST /images", { body: { disk_id: root.id } });
  expect(created.body.status).toBe("creating");
  if (end === "delete") await web.request("DELETE ");
  one.settle();
  expect((await one.send(`GET /images/${created.body.id}`)).status).toBe(404);
  expect(history(one)).toContain("disk_imagize failed");
  expect(one.world.imageOrigins.size).toBe(0);
});

test("deploys only available images", async (one) => {
  proves(states);
  const { send } = one;
  const { web, root } = await source(one);
  const other = await machine(one, { region: "eu-central", type: "g6-standard-1" });
  const { id } = (await send("POST /images", { body: { disk_id: root.id } })).body;
  const creating = [`image: Image ${id} is not available yet: its status is "creating"`];
  const body = { ...debian, image: id };
  expect(messages(await send("POST /compute/instances", { body }))).toEqual(creating);
  const deploy = { image: id, root_pass: "correct horse" };
  expect(await other.rejected("POST /rebuild", deploy)).toEqual(creating);
  expect(await other.rejected("POST /disks", { ...deploy, size: 2000 })).toEqual(creating);
  one.settle();
  await web.request("POST /rebuild", deploy);
  expect((await send("POST /compute/instances", { body: { ...body, region: "us-east" } })).body.image).toBe(id);
});

test("rejects updating and deleting a public image", async (one) => {
  proves(rule(3));
  const rejected = { status: 403, body: { errors: [{ reason: "Unauthorized" }] } };
  expect(await one.send("DELETE /images/compute/debian11")).toMatchObject(rejected);
  expect(await one.send("PUT /images/compute/debian11", { body: { label: "mine" } })).toMatchObject(rejected);
  expect((await one.send("GET /images/compute/debian11")).body).toMatchObject({ label: "Debian 11" });
});

test("users with access can update and delete private images, and instances keep the name of their image", async (one) => {
  proves(rule(3));
  const { send } = one;
  const id = await captured(one);
  const path = `/images/${id}` as const;
  const look = await restricted(one, { entities: { image: { [id]: "read_only" } } });
  expect((await send(`GET ${path}`, { token: look })).status).toBe(200);
  expect((await send(`PUT ${path}`, { token: look, body: { label: "mine" } })).status).toBe(403);
  expect((await send(`DELETE ${path}`, { token: look })).status).toBe(403);
  const web = await machine(one, { ...debian, image: id });
  expect((await send(`DELETE ${path}`)).status).toBe(200);
  expect((await web.view()).image).toBe(id);
});

test("only the owner can list and deploy private images", async (one) => {
  proves("part 1 · Authentication · rule 3");
  const { send } = one;
  const id = await captured(one);
  const seen = async (token: string | null) =>
    (await send("GET /images", { token })).body.data.some((image: { id: string }) => image.id === id);
  const token = await restricted(one, { global: { add_computes: true } });
  expect([await seen(one.token), await seen(token), await seen(null)]).toEqual([true, false, false]);
  for (const unknown of [token, null]) expect((await send(`GET /images/${id}`, { token: unknown })).status).toBe(404);
  expect((await send(`PUT /images/${id}`, { token, body: { label: "mine" } })).status).toBe(404);
  const create = { token, body: { ...debian, image: id } };
  expect(messages(await send("POST /compute/instances", create))).toEqual([
    `image: There is no image "${id}"; GET /v4/images lists them`,
  ]);
  await restricted(one, { global: { add_computes: true }, entities: { image: { [id]: "read_only" } } });
  expect((await send("POST /compute/instances", create)).status).toBe(200);
});
