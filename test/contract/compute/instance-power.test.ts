import { expect } from "vitest";
import { history, test } from "../cloud";
import { proves } from "../proves";
import { debian, machine, rule } from "./instance";

const documents = "part 1 · Endpoints · Compute instances";
const rebuild = { image: "compute/alpine3.15", root_pass: "another one" };
const off = { ...debian, booted: false };

test.each([
  ["POST /boot", {}, off, "booting", "running", 20],
  ["POST /reboot", {}, debian, "rebooting", "running", 30],
  ["POST /shutdown", undefined, debian, "shutting_down", "offline", 15],
  ["POST /resize", { type: "g6-standard-2" }, off, "migrating", "offline", 60 + 1300 / 140],
  ["POST /rebuild", { ...rebuild, booted: false }, debian, "rebuilding", "offline", 45],
] as const)(
  "%s takes time, and the instance is busy in the meantime",
  async (one, request, body, start, during, after, seconds) => {
    proves(rule(12));
    const web = await machine(one, start);
    const [, path] = request.split(" ");
    expect((await one.send(`POST ${web.path}${path}`, body && { body })).status).toBe(200);
    expect(await web.status()).toBe(during);
    expect(await web.rejected("POST /boot")).toEqual(["Compute busy."]);
    one.advance(seconds * 1000 - 10);
    expect(await web.status()).toBe(during);
    one.advance(20);
    expect(await web.status()).toBe(after);
  },
);

test(`${documents}: rejects a boot and a new password while the instance runs`, async (one) => {
  const web = await machine(one);
  const reason = [`Instance ${web.id} is running; it must be offline`];
  expect(await web.rejected("POST /boot")).toEqual(reason);
  expect(await web.rejected("POST /password", { root_pass: "another one" })).toEqual(reason);
});

test("the reboot of an offline instance boots it, with the requested config", async (one) => {
  const web = await machine(one, off);
  const [disk] = await web.list("disks");
  const second = await web.request("POST /configs", { label: "second", devices: { sda: { disk_id: disk.id } } });
  expect((await one.send(`POST ${web.path}/reboot`, { body: { config_id: second.id } })).status).toBe(200);
  expect(await web.status()).toBe("rebooting");
  one.settle();
  expect(await web.status()).toBe("running");
  expect(one.world.instances.get(web.id).booted_config).toBe(second.id);
  expect(history(one).at(-1)).toBe("compute_reboot finished");
  const bare = await machine(one, { region: "eu-central", type: "g6-nanode-1" });
  expect(await bare.rejected("POST /reboot")).toEqual([`config_id: Instance ${bare.id} has no config to boot`]);
});

test("a failed reboot of an offline instance leaves it offline", async (one) => {
  const web = await machine(one, off);
  one.faults.add({ path: "instances.reboot", kind: "job-fail" });
  await web.request("POST /reboot");
  expect(await web.status()).toBe("offline");
});

test("shutting down an offline instance succeeds and changes nothing", async (one) => {
  const web = await machine(one, off);
  const before = await web.view();
  expect(await one.send(`POST ${web.path}/shutdown`)).toMatchObject({ status: 200, body: {} });
  expect(await web.view()).toEqual(before);
  expect(one.world.jobs.busy(web.id)).toBe(false);
  expect(history(one).at(-1)).toBe("compute_create finished");
});

test("rejects requests for an instance that is stopped for maintenance", async (one) => {
  proves("part 1 · States · Compute instance");
  const web = await machine(one);
  one.world.instances.patch(web.id, { status: "stopped" });
  for (const request of ["POST /boot", "POST /reboot", "POST /shutdown"] as const)
    expect((await web.rejected(request))[0]).toMatch(`Instance ${web.id} is stopped`);
  await web.request("DELETE ");
});

test("a config id of 0 in a boot or reboot request means that it is omitted", async (one) => {
  const web = await machine(one, off);
  const [main] = await web.list("configs");
  for (const request of ["POST /boot", "POST /reboot"] as const) {
    await web.request(request, { config_id: 0 });
    expect([await web.status(), one.world.instances.get(web.id).booted_config]).toEqual(["running", main.id]);
  }
  expect(await web.rejected("POST /reboot", { config_id: -1 })).toEqual(["config_id: Must be at least 0"]);
});

test(`${documents}: boots the requested config, else the last one booted, else the only one`, async (one) => {
  const { world } = one;
  const web = await machine(one, off);
  const [disk] = await web.list("disks");
  const [main] = await web.list("configs");
  const devices = { sda: { disk_id: disk.id } };
  const rescue = await web.request("POST /configs", { label: "rescue", devices });
  expect(await web.rejected("POST /boot", { config_id: rescue.id + 1 })).toEqual([
    `config_id: Must be a config of instance ${web.id}: ${main.id} or ${rescue.id}`,
  ]);
  await web.request("POST /boot", { config_id: rescue.id });
  expect(world.instances.get(web.id).booted_config).toBe(rescue.id);
  await web.request("POST /reboot");
  expect(world.instances.get(web.id).booted_config).toBe(rescue.id);
  await web.request("POST /shutdown");
  await web.request(`DELETE /configs/${rescue.id}`);
  await web.request("POST /boot");
  expect(world.instances.get(web.id).booted_config).toBe(main.id);
});

test("a resize shuts the instance down, resizes a single disk with it, and boots it if it was running", async (one) => {
  proves(rule(11));
  const web = await machine(one, { ...debian, type: "g6-nanode-1" });
  await one.send(`POST ${web.path}/resize`, { body: { type: "g6-standard-2" } });
  expect(await web.view()).toMatchObject({ status: "migrating", type: "g6-nanode-1" });
  one.advance(70_000);
  expect(await web.view()).toMatchObject({
    status: "booting",
    type: "g6-standard-2",
    specs: { disk: 81_920, memory: 4096 },
  });
  one.settle();
  expect(await web.status()).toBe("running");
  expect(await web.list("disks")).toMatchObject([{ size: 81_920 - 512 }, { size: 512 }]);
  expect(await web.list("configs")).toMatchObject([{ memory_limit: 4096 }]);
  await web.request("POST /resize", { type: "g6-nanode-1" });
  expect(await web.list("disks")).toMatchObject([{ size: 25_600 - 512 }, { size: 512 }]);
  expect(history(one).slice(2)).toEqual([
    "compute_resize_create notification",
    "compute_resize finished",
    "compute_boot finished",
    "compute_resize_create notification",
    "compute_resize finished",
    "compute_boot finished",
  ]);
});

test("rejects a resize if the disks do not fit, or the data of a disk that is resized too", async (one) => {
  proves(rule(11));
  const web = await machine(one, off);
  const nanode = "g6-nanode-1";
  expect(await web.rejected("POST /resize", { type: nanode, allow_auto_disk_resize: false })).toEqual([
    `type: The disks take 51200 MB, but the type ${nanode} has only 25600 MB: shrink or delete disks first`,
  ]);
  const [root, swap] = await web.list("disks");
  await web.request(`POST /disks/${swap.id}/resize`, { size: 1 });
  await web.request(`POST /disks/${root.id}/resize`, { size: 20_000 });
  const more = await web.request("POST /disks", { label: "more", size: 10_000 });
  expect(await web.rejected("POST /resize", { type: nanode })).toEqual([
    `type: The disks take 30001 MB, but the type ${nanode} has only 25600 MB: shrink or delete disks first`,
  ]);
  await web.request(`DELETE /disks/${more.id}`);
  one.world.disks.patch(root.id, { used: 26_000 });
  expect(await web.rejected("POST /resize", { type: nanode })).toEqual([
    `type: With ${nanode}, disk ${root.id} would have 25599 MB, but its data takes 26000 MB`,
  ]);
  one.world.disks.patch(root.id, { used: 1300 });
  await web.request("POST /resize", { type: nanode, allow_auto_disk_resize: false });
  expect(await web.list("disks")).toMatchObject([{ size: 20_000 }, { size: 1 }]);
  expect(await web.rejected("POST /resize", { type: nanode })).toEqual([
    `type: The instance already has the type ${nanode}`,
  ]);
});
