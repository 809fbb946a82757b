import { expect } from "vitest";
import { type Cloud, history, messages, test } from "../cloud";
import { proves } from "../proves";
import { debian, known, type Machine, machine } from "./instance";

const limit = "part 1 · Limits · limit 4";
const watchdog = "part 1 · Resources · Compute instance · watchdog_enabled";
const states = "part 1 · States · Compute instance";
const minute = 60_000;

const happens = ({ send }: Cloud, what: "crash" | "stop" | "migration", { id }: Machine, more: object = {}) =>
  send(`POST /_emulator/${what}`, { body: { compute_id: id, ...more } });

test(`${watchdog}: boots an instance that powers off by itself`, async (one) => {
  const web = await machine(one);
  expect((await happens(one, "crash", web)).status).toBe(200);
  expect(await web.status()).toBe("booting");
  const [event] = (await one.send("GET /account/events")).body.data;
  expect(event).toMatchObject({ action: "lassie_reboot", status: "started", entity: { id: web.id }, username: "" });
  one.advance(20_000);
  expect(await web.status()).toBe("running");
});

test(`${watchdog}: does not boot an instance if the watchdog is disabled or the instance was shut down`, async (one) => {
  const web = await machine(one);
  await web.request("POST /shutdown");
  expect(await web.status()).toBe("offline");
  expect(messages(await happens(one, "crash", web))).toEqual([
    `compute_id: Instance ${web.id} is offline; only a running one can crash`,
  ]);
  await web.request("POST /boot");
  await web.request("PUT ", { watchdog_enabled: false });
  await happens(one, "crash", web);
  one.advance(60 * minute);
  expect(await web.status()).toBe("offline");
});

test(`${watchdog}: does not try a boot that cannot succeed`, async (one) => {
  const web = await machine(one);
  const [config] = await web.list("configs");
  await web.request(`DELETE /configs/${config.id}`);
  await happens(one, "crash", web);
  expect(await web.status()).toBe("offline");
});

test("the watchdog stops after more than 5 boot jobs in 15 minutes, and continues later", async (one) => {
  proves(limit);
  const web = await machine(one);
  for (let boot = 2; boot <= 6; boot++) {
    await happens(one, "crash", web);
    one.settle();
    expect(await web.status(), `boot job ${boot}`).toBe("running");
  }
  await happens(one, "crash", web);
  one.advance(15 * minute);
  expect(await web.status()).toBe("offline");
  expect(history(one).filter((event) => event.startsWith("lassie_reboot"))).toHaveLength(5);
  await web.request("POST /boot");
  await happens(one, "crash", web);
  expect(await web.status()).toBe("booting");
});

test("maintenance stops an instance, and boots only instances that were running", async (one) => {
  proves(states);
  const web = await machine(one);
  const off = await machine(one, { ...debian, booted: false });
  for (const instance of [web, off]) {
    await happens(one, "stop", instance, { seconds: 600 });
    expect(await instance.status()).toBe("stopped");
    expect(messages(await happens(one, "stop", instance))).toEqual([
      `compute_id: Instance ${instance.id} is already stopped`,
    ]);
  }
  one.advance(10 * minute);
  expect([await web.status(), await off.status()]).toEqual(["booting", "offline"]);
  one.advance(20_000);
  expect(await web.status()).toBe("running");
  expect(history(one).at(-1)).toBe("host_reboot finished");
});

test("maintenance is possible in any status, and running jobs fail", async (one) => {
  proves(states);
  const web = known(one, (await one.send("POST /compute/instances", { body: debian })).body.id);
  await happens(one, "stop", web, { seconds: 60 });
  expect(await web.status()).toBe("stopped");
  expect(history(one)).toEqual(["compute_create failed", "compute_boot failed"]);
  one.advance(minute);
  expect(await web.status()).toBe("offline");
  await web.request("POST /boot");
  expect(await web.status()).toBe("running");
});

test("an instance can be deleted during maintenance", async (one) => {
  proves(states);
  const web = await machine(one);
  await happens(one, "stop", web);
  await web.request("DELETE ");
  one.advance(60 * minute);
  expect((await one.send(`GET ${web.path}`)).status).toBe(404);
});

test("rejects an outage of an instance that does not exist", async (one) => {
  for (const what of ["crash", "stop", "migration"] as const)
    expect((await one.send(`POST /_emulator/${what}`, { body: { compute_id: 7 } })).status).toBe(404);
  expect(messages(await one.send("POST /_emulator/crash", { body: {} }))).toEqual(["compute_id: Is required"]);
});
