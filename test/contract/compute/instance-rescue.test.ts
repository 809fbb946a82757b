import { expect } from "vitest";
import { type cloud, history, test } from "../cloud";
import { proves } from "../proves";
import { debian, machine } from "./instance";

const rule = "part 1 · Endpoints · Compute instances · rule 10";
const events = async ({ send }: Awaited<ReturnType<typeof cloud>>) => (await send("GET /account/events")).body.data;

test("a running instance reboots into rescue mode, and the next reboot is a normal one", async (one) => {
  proves(rule);
  const web = await machine(one);
  const [root, swap] = await web.list("disks");
  const devices = { sda: { disk_id: root.id }, sdg: { disk_id: swap.id } };
  const requested = await one.send(`POST ${web.path}/rescue`, { body: { devices } });
  expect(requested).toMatchObject({ status: 200, body: {} });
  expect(await web.status()).toBe("rebooting");
  expect(await web.rejected("POST /rescue")).toEqual(["Compute busy."]);
  one.settle();
  expect(await web.status()).toBe("running");
  expect(one.world.instances.get(web.id).rescue).toBe(true);
  expect((await events(one))[0]).toMatchObject({
    action: "compute_reboot",
    status: "finished",
    message: "Booted into the rescue system",
  });
  await web.request("POST /reboot");
  expect(one.world.instances.get(web.id).rescue).toBe(false);
  expect((await events(one))[0]).toMatchObject({ action: "compute_reboot", message: "" });
});

test.each([
  ["resize", "POST /resize", { type: "g6-standard-2" }],
  ["migration", "POST /migrate", { region: "us-east" }],
  ["rebuild", "POST /rebuild", { image: "compute/debian11", root_pass: "Correct-Horse-42" }],
] as const)("an instance in rescue mode boots its config after a %s", async (one, _, call, body) => {
  const web = await machine(one);
  await web.request("POST /rescue");
  await web.request(call, body);
  one.settle();
  const [config] = await web.list("configs");
  expect((await events(one))[0]).toMatchObject({
    action: "compute_boot",
    status: "finished",
    secondary_entity: { type: "compute_config", id: config.id },
    message: "",
  });
  expect(one.world.instances.get(web.id)).toMatchObject({ status: "running", rescue: false });
});

test("an offline instance boots into rescue mode, even without a config", async (one) => {
  proves(rule);
  const bare = await machine(one, { region: "eu-central", type: "g6-nanode-1" });
  await bare.request("POST /rescue");
  expect(await bare.status()).toBe("running");
  expect(history(one)).toEqual(["compute_create finished", "compute_boot finished"]);
  expect(await bare.rejected("POST /reboot")).toEqual([`config_id: Instance ${bare.id} has no config to boot`]);
});

test("rejects the slot sdh, devices of other instances, and duplicates", async (one) => {
  proves(rule);
  const web = await machine(one);
  const other = await machine(one);
  const [root] = await web.list("disks");
  const [foreign] = await other.list("disks");
  const volume = (await one.send("POST /volumes", { body: { label: "data", region: "eu-central" } })).body.id;
  const rejected = (devices: object) => web.rejected("POST /rescue", { devices });
  expect(await rejected({ sdh: { disk_id: root.id } })).toEqual(["devices.sdh: Is not a known field"]);
  expect(await rejected({ sda: { disk_id: root.id }, sdb: { disk_id: root.id } })).toEqual([
    `devices.sdb.disk_id: Must not be disk ${root.id}, which is already in the device slot sda`,
  ]);
  expect(await rejected({ sda: { disk_id: foreign.id }, sdb: { volume_id: volume } })).toEqual([
    `devices.sda.disk_id: There is no disk ${foreign.id} on instance ${web.id}`,
    `devices.sdb.volume_id: Volume ${volume} is not attached to instance ${web.id}; attach it first`,
  ]);
  await one.send(`POST /volumes/${volume}/attach`, { body: { compute_id: web.id } });
  await web.request("POST /rescue", { devices: { sda: { disk_id: root.id }, sdb: { volume_id: volume } } });
});

test("a failed rescue leaves a running instance running", async (one) => {
  const web = await machine(one, debian);
  one.faults.add({ path: "instances.rescue", kind: "job-fail" });
  await web.request("POST /rescue");
  expect(await web.status()).toBe("running");
});
