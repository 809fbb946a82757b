import { expect } from "vitest";
import { type cloud, history, messages, test } from "../cloud";
import { proves } from "../proves";
import { debian, machine } from "./instance";

const rule = (number: number): string => `part 1 · Resources · Network interface object · rule ${number}`;
const inner = { purpose: "vlan", label: "inner", ipam_address: "10.0.0.1/24" };
const outer = { purpose: "public" };

/** The VLANs to which the instance is attached, each with the instance's address in it, if there is one. */
const vlans = ({ world }: Awaited<ReturnType<typeof cloud>>, id: number) =>
  world.vlanAttachments.by("compute_id", id).map(({ vlan_id, ipam_address }) => `${vlan_id} ${ipam_address}`.trim());

test("an empty list of interfaces means the default public interface, without a VLAN", async (one) => {
  proves(rule(1));
  const web = await machine(one, { ...debian, interfaces: [] });
  expect(await web.list("configs")).toMatchObject([{ interfaces: [] }]);
  expect(vlans(one, web.id)).toEqual([]);
  expect((await web.view()).ipv4).toHaveLength(1);
});

test("an update of a config replaces the list of interfaces", async (one) => {
  proves(rule(2));
  const web = await machine(one, { ...debian, interfaces: [outer, inner] });
  const [config] = await web.list("configs");
  const backup = { purpose: "vlan", label: "backup", ipam_address: "" };
  expect(await web.request(`PUT /configs/${config.id}`, { interfaces: [backup] })).toMatchObject({
    interfaces: [backup],
  });
  expect(await web.request(`PUT /configs/${config.id}`, { comments: "why" })).toMatchObject({ interfaces: [backup] });
});

test("an instance joins and leaves a VLAN at its next boot, with an event each", async (one) => {
  proves(rule(3));
  const created = await one.send("POST /compute/instances", { body: { ...debian, interfaces: [outer, inner] } });
  expect(vlans(one, created.body.id)).toEqual([]);
  one.settle();
  const web = await machine(one, { ...debian, interfaces: [{ ...inner, ipam_address: "10.0.0.2/24" }] });
  expect(vlans(one, web.id)).toEqual(["eu-central/inner 10.0.0.2/24"]);
  expect(one.world.vlans.all()).toMatchObject([{ label: "inner", region: "eu-central" }]);
  const [config] = await web.list("configs");
  await web.request(`PUT /configs/${config.id}`, { interfaces: [{ ...inner, label: "other", ipam_address: null }] });
  expect(vlans(one, web.id)).toEqual(["eu-central/inner 10.0.0.2/24"]);
  await web.request("POST /shutdown");
  expect(vlans(one, web.id)).toEqual(["eu-central/inner 10.0.0.2/24"]);
  await web.request("POST /rescue");
  expect(vlans(one, web.id)).toEqual(["eu-central/inner 10.0.0.2/24"]);
  await web.request("POST /reboot");
  expect(vlans(one, web.id)).toEqual(["eu-central/other"]);
  expect(history(one).slice(-3)).toEqual([
    "compute_reboot finished",
    "vlan_detach notification",
    "vlan_attach notification",
  ]);
  const [event] = (await one.send("GET /account/events")).body.data;
  expect(event).toMatchObject({ message: "other", entity: { id: web.id, type: "compute" } });
});

test("a reboot changes the address in a VLAN without leaving the VLAN", async (one) => {
  proves(rule(3));
  const web = await machine(one, { ...debian, interfaces: [inner] });
  const [config] = await web.list("configs");
  await web.request(`PUT /configs/${config.id}`, { interfaces: [{ ...inner, ipam_address: "10.0.0.9/24" }] });
  await web.request("POST /reboot");
  expect(vlans(one, web.id)).toEqual(["eu-central/inner 10.0.0.9/24"]);
  expect(history(one).filter((event) => event.startsWith("vlan_"))).toEqual(["vlan_attach notification"]);
});

test.each(["us-west", "us-central"])("rejects VLANs in %s", async (one, region) => {
  proves(rule(4));
  const rejected = await one.send("POST /compute/instances", { body: { ...debian, region, interfaces: [inner] } });
  expect(messages(rejected)).toEqual([`interfaces.0.purpose: Region ${region} does not offer VLANs`]);
});

test("rejects migrating or cloning an instance in a VLAN to a region without VLANs", async (one) => {
  proves(rule(5));
  const web = await machine(one, { ...debian, interfaces: [inner] });
  const [config] = await web.list("configs");
  const reason = [`region: Region us-west does not offer VLANs; instance ${web.id} uses inner`];
  const clone = { region: "us-west", type: debian.type };
  expect(await web.rejected("POST /migrate", { region: "us-west" })).toEqual(reason);
  expect(await web.rejected("POST /clone", clone)).toEqual(reason);
  // The instance stays attached to the VLAN until it boots without it.
  await web.request(`PUT /configs/${config.id}`, { interfaces: [] });
  expect(await web.rejected("POST /migrate", { region: "us-west" })).toEqual(reason);
  expect(await web.rejected("POST /clone", clone)).toEqual(reason);
  const target = await machine(one, { region: "us-west", type: "g6-standard-2" });
  expect(await web.rejected("POST /clone", { compute_id: target.id })).toEqual(reason);
  expect(await web.status()).toBe("running");
  await web.request("POST /reboot");
  await web.request("POST /migrate", { region: "us-west" });
  expect(await web.view()).toMatchObject({ region: "us-west", status: "running" });
});

test("a migration between regions with VLANs joins the VLAN with the same name", async (one) => {
  proves(rule(5));
  const web = await machine(one, { ...debian, interfaces: [inner] });
  await web.request("POST /migrate", { region: "eu-west" });
  expect(vlans(one, web.id)).toEqual(["eu-west/inner 10.0.0.1/24"]);
  expect(one.world.vlans.all().map(({ id }) => id)).toEqual(["eu-west/inner"]);
});

test.each<[string, object, string]>([
  ["a VLAN needs a label", { purpose: "vlan" }, "label: Is required for an interface of purpose vlan"],
  [
    "a label has lower-case letters, digits and dashes",
    { purpose: "vlan", label: "Inner_1" },
    "label: Must contain only lower-case letters, digits and dashes",
  ],
  [
    "a label has 64 characters at most",
    { purpose: "vlan", label: "a".repeat(65) },
    "label: Must be at most 64 characters long",
  ],
  [
    "a public interface has no label",
    { purpose: "public", label: "inner" },
    "label: Must be empty for a public interface",
  ],
  [
    "a public interface has no address",
    { purpose: "public", ipam_address: "10.0.0.1/24" },
    "ipam_address: Must be empty for a public interface",
  ],
  [
    "an address in a VLAN has its mask",
    { purpose: "vlan", label: "inner", ipam_address: "10.0.0.1" },
    "ipam_address: Must be an IP address with a prefix length, such as 10.0.0.1/24",
  ],
  ["there are two purposes", { purpose: "private" }, 'purpose: Must be "public" or "vlan"'],
])("part 1 · Resources · Network interface object: %s", async (one, _, wrong, reason) => {
  const rejected = await one.send("POST /compute/instances", { body: { ...debian, interfaces: [outer, wrong] } });
  expect(messages(rejected)).toEqual([`interfaces.1.${reason}`]);
});

test("a config cannot get a VLAN while its instance migrates to a region without VLANs", async (one) => {
  const web = await machine(one, debian);
  const [config] = await web.list("configs");
  const put = (interfaces: object[]) => one.send(`PUT ${web.path}/configs/${config.id}`, { body: { interfaces } });
  await one.send(`POST ${web.path}/migrate`, { body: { region: "us-west" } });
  expect(messages(await put([inner]))).toEqual(["interfaces.0.purpose: Region us-west does not offer VLANs"]);
  expect((await put([outer])).status).toBe(200);
  one.settle();
  await one.send(`POST ${web.path}/migrate`, { body: { region: "us-east" } });
  expect(messages(await put([inner]))).toEqual(["interfaces.0.purpose: Region us-west does not offer VLANs"]);
  one.settle();
  await one.send(`POST ${web.path}/resize`, { body: { type: "g6-standard-2" } });
  expect((await put([inner])).status).toBe(200);
});
