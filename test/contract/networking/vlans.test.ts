import { expect } from "vitest";
import { type Cloud, restricted, test } from "../cloud";
import { debian, type Machine, machine } from "../compute/instance";
import { proves } from "../proves";

const rule = "part 3 · Endpoints · IP addresses and VLANs · rule 6";
const lan = (label: string) => ({ purpose: "vlan", label, ipam_address: "10.0.0.1/24" });
const outer = { purpose: "public" };

const vlans = async ({ send }: Cloud, options = {}) => (await send("GET /v4beta/networking/vlans", options)).body.data;
const messages = ({ world }: Cloud) =>
  world.events
    .recent()
    .filter(({ action }) => action.startsWith("vlan_"))
    .map(({ action, entity, message }) => `${action} ${entity.type} ${entity.id} ${message}`)
    .toReversed();

async function setInterfaces(web: Machine, interfaces: object[]): Promise<void> {
  const [config] = await web.list("configs");
  await web.request(`PUT /configs/${config.id}`, { interfaces });
}

test("part 1 · Versioning: VLANs can be listed only under /v4beta", async (one) => {
  expect(await vlans(one)).toEqual([]);
  expect((await one.send("GET /v4/networking/vlans")).status).toBe(404);
});

test("instances join a VLAN when they boot with the interface", async (one) => {
  proves(rule);
  const web = await machine(one, { ...debian, interfaces: [outer, lan("app"), lan("data")], booted: false });
  expect(await vlans(one)).toEqual([]);
  await web.request("POST /boot");
  const db = await machine(one, { ...debian, interfaces: [lan("data")] });
  const far = await machine(one, { ...debian, region: "eu-west", interfaces: [lan("data")] });
  const [app, data, other] = await vlans(one);
  expect(app).toMatchObject({ label: "app", region: "eu-central", computes: [web.id] });
  expect(data).toMatchObject({ label: "data", region: "eu-central", computes: [web.id, db.id] });
  expect(other).toMatchObject({ label: "data", region: "eu-west", computes: [far.id] });
  expect(app.created).toMatch(/^2022-01-01T/);
  expect(await vlans(one, { filter: { label: "data", region: "eu-west" } })).toEqual([other]);
  expect(messages(one)).toEqual([
    `vlan_attach compute ${web.id} app`,
    `vlan_attach compute ${web.id} data`,
    `vlan_attach compute ${db.id} data`,
    `vlan_attach compute ${far.id} data`,
  ]);
});

test("removing the interface takes effect at the next reboot", async (one) => {
  proves(rule);
  const web = await machine(one, { ...debian, interfaces: [lan("app"), lan("data")] });
  await setInterfaces(web, [lan("data"), lan("new")]);
  const labels = async () => (await vlans(one)).map(({ label }: { label: string }) => label);
  expect(await labels()).toEqual(["app", "data"]);
  await web.request("POST /shutdown");
  expect(await labels()).toEqual(["app", "data"]);
  await web.request("POST /boot");
  expect(await labels()).toEqual(["data", "new"]);
  await setInterfaces(web, []);
  await web.request("POST /reboot");
  expect(await labels()).toEqual([]);
  expect(messages(one).slice(2)).toEqual([
    `vlan_detach compute ${web.id} app`,
    `vlan_attach compute ${web.id} new`,
    `vlan_detach compute ${web.id} data`,
    `vlan_detach compute ${web.id} new`,
  ]);
});

test("booting another config leaves the VLAN", async (one) => {
  proves(rule);
  const web = await machine(one, { ...debian, interfaces: [lan("app")] });
  const [config] = await web.list("configs");
  const plain = await web.request("POST /configs", { label: "plain", devices: config.devices });
  await web.request("POST /reboot", { config_id: plain.id });
  expect(await vlans(one)).toEqual([]);
  await web.request("POST /reboot", { config_id: config.id });
  expect(await vlans(one)).toMatchObject([{ label: "app", computes: [web.id] }]);
});

test("a deleted instance leaves the VLAN, and a failed boot changes nothing", async (one) => {
  proves(rule);
  const web = await machine(one, { ...debian, interfaces: [lan("app")] });
  const db = await machine(one, { ...debian, interfaces: [lan("app")] });
  await one.send(`DELETE ${web.path}`);
  expect(await vlans(one)).toMatchObject([{ computes: [db.id] }]);
  expect(messages(one).at(-1)).toBe(`vlan_detach compute ${web.id} app`);
  await setInterfaces(db, []);
  one.faults.add({ path: "instances.reboot", kind: "job-fail" });
  await db.request("POST /reboot");
  expect(await vlans(one)).toMatchObject([{ computes: [db.id] }]);
  await one.send(`DELETE ${db.path}`);
  expect(await vlans(one)).toEqual([]);
});

test("restricted users see the VLANs of visible instances", async (one) => {
  const web = await machine(one, { ...debian, interfaces: [lan("app"), lan("data")] });
  const db = await machine(one, { ...debian, interfaces: [lan("data")] });
  const token = await restricted(one, { entities: { compute: { [db.id]: "read_only" } } });
  expect(await vlans(one, { token })).toMatchObject([{ label: "data", computes: [db.id] }]);
  expect(await vlans(one)).toMatchObject([{ computes: [web.id] }, { computes: [web.id, db.id] }]);
});
