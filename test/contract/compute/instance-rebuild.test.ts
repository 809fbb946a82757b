import { expect } from "vitest";
import { history, test } from "../cloud";
import { debian, machine } from "./instance";

const documents = "part 1 · Endpoints · Compute instances";
const rebuild = { image: "compute/alpine3.15", root_pass: "another one" };
const off = { ...debian, booted: false };

test(`${documents}: a rebuild replaces disks and configs by a new deployment of an image`, async (one) => {
  const web = await machine(one);
  const before = [...(await web.list("disks")), ...(await web.list("configs"))].map(({ id }) => id);
  expect(await web.request("POST /rebuild", rebuild)).toMatchObject({ status: "rebuilding", image: rebuild.image });
  expect(await web.view()).toMatchObject({ status: "running", image: rebuild.image });
  expect(await web.list("disks")).toMatchObject([{ label: "Alpine 3.15 Disk" }, { label: "512 MB Swap Image" }]);
  const [config] = await web.list("configs");
  expect(before).not.toContain(config.id);
  expect(await web.rejected("POST /rebuild", { image: "compute/arch" })).toEqual(["root_pass: Is required"]);
});

test(`${documents}: stores a new root password as a digest, and requires a disk with a system`, async (one) => {
  const { world } = one;
  const web = await machine(one, off);
  const [root, swap] = await web.list("disks");
  const before = world.disks.get(root.id).root_pass;
  await web.request("POST /password", { root_pass: "another one" });
  expect(world.disks.get(root.id).root_pass).not.toBe(before);
  await web.request(`POST /disks/${root.id}/password`, { password: "a third one" });
  expect(await web.rejected(`POST /disks/${swap.id}/password`, { password: "a fourth one" })).toEqual([
    `Disk ${swap.id} does not contain a system with a root password`,
  ]);
  const state = JSON.stringify((await one.send("GET /_emulator/state")).body);
  const log = JSON.stringify(one.requests.list());
  for (const secret of [debian.root_pass, "another one", "a third one", "a fourth one"]) {
    expect(state).not.toContain(secret);
    expect(log).not.toContain(secret);
  }
  await web.request(`DELETE /disks/${root.id}`);
  expect(await web.rejected("POST /password", { root_pass: "another one" })).toEqual([
    `Instance ${web.id} does not have a disk that contains a system with a root password`,
  ]);
});

test("with several disks in addition to swap, the password is set by the operation of a disk", async (one) => {
  const { world } = one;
  const web = await machine(one, off);
  const [root, swap] = await web.list("disks");
  await web.request(`POST /disks/${root.id}/resize`, { size: 10_000 });
  const data = await web.request("POST /disks", { label: "data", size: 1000, filesystem: "raw" });
  const before = world.disks.get(root.id).root_pass;
  expect(await web.rejected("POST /password", { root_pass: "another one" })).toEqual([
    `Instance ${web.id} has several disks in addition to swap (${root.id}, ${data.id}): set the password on one of them`,
  ]);
  expect(world.disks.get(root.id).root_pass).toBe(before);
  await web.request(`POST /disks/${root.id}/password`, { password: "another one" });
  await web.request(`DELETE /disks/${data.id}`);
  await web.request("POST /disks", { label: "more swap", size: 100, filesystem: "swap" });
  expect(await web.request("POST /password", { root_pass: "a third one" })).toEqual({});
  expect((await web.list("disks")).map(({ id }) => id)).toContain(swap.id);
});

test.each([
  ["POST /boot", {}, off, "offline"],
  ["POST /shutdown", undefined, debian, "running"],
  ["POST /resize", { type: "g6-standard-2" }, debian, "running"],
  ["POST /rebuild", rebuild, debian, "offline"],
] as const)(
  "after a failed job of %s the instance has a consistent status and can be booted",
  async (one, request, body, start, status) => {
    const web = await machine(one, start);
    one.faults.add({ path: `/v4${web.path}/*`, kind: "job-fail" });
    await web.request(request, body);
    expect(await web.view()).toMatchObject({ status, type: debian.type });
    expect(history(one).slice(-1)[0]).toMatch(/ failed$/);
    expect(one.world.jobs.busy(web.id)).toBe(false);
    await web.request(status === "running" ? "POST /reboot" : "POST /boot");
    expect(await web.status()).toBe("running");
  },
);

test("an instance whose deployment fails can be booted", async (one) => {
  one.faults.add({ path: "instances.create", kind: "job-fail" });
  const web = await machine(one);
  expect(await web.status()).toBe("offline");
  expect(history(one)).toEqual(["compute_create failed", "compute_boot failed"]);
  await web.request("POST /boot");
  expect(await web.status()).toBe("running");
});
