import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { outside } from "./account/billing";
import type { Cloud } from "./cloud";
import { debian, machine } from "./compute/instance";

type Cause = (one: Cloud) => Promise<unknown>;

/** Causes of events that need more than a single API request, for example a transfer that is never accepted. */
export const causes: Readonly<Record<string, Cause>> = {
  "a transfer whose instance was deleted": async (one) => {
    const token = await offer(one);
    const [instance] = one.world.instances.all();
    await sent(one, `DELETE /compute/instances/${instance?.id}`);
    await outside(one, "transfers/accept", { token });
  },
  "a transfer that is never accepted": async (one) => {
    await offer(one);
    one.advance(24 * 3600 * 1000);
  },
  "a firewall that is disabled": (one) => switched(one, "disabled"),
  "a firewall that is enabled": async (one) => {
    const path = await switched(one, "disabled");
    await sent(one, `PUT ${path}`, { status: "enabled" });
  },
  "maintenance of the host": async (one) => {
    const { id } = await machine(one);
    await outside(one, "stop", { compute_id: id, seconds: 60 });
    one.advance(60_000);
  },
  "a crash": async (one) => {
    const { id } = await machine(one);
    await outside(one, "crash", { compute_id: id });
  },
  "an upload": async (one) => {
    const { upload_to } = await sent(one, "POST /images/upload", { label: "base", region: "us-east" });
    const headers = { "content-type": "application/octet-stream" };
    await fetch(upload_to, { method: "PUT", headers, body: gzipSync("a disk image") });
  },
  "a boot into rescue": async (one) => {
    const web = await machine(one);
    await web.request("POST /shutdown");
    const [disk] = await web.list("disks");
    await web.request("POST /rescue", { devices: { sda: { disk_id: disk.id } } });
  },
  "a creation without image": (one) =>
    sent(one, "POST /compute/instances", { region: "us-east", type: "g6-standard-1" }),
  "a move to another region": async (one) => {
    const web = await machine(one);
    await web.request("POST /migrate", { region: "eu-west" });
  },
  "a backend that is deleted": async (one) => {
    const web = await machine(one, { ...debian, private_ip: true });
    const ip = (await web.view()).ipv4.find((address: string) => address.startsWith("192.168."));
    const nodes = [{ label: "web", address: `${ip}:80` }];
    await sent(one, "POST /nodebalancers", { region: "eu-central", configs: [{ port: 80, nodes }] });
    await sent(one, `DELETE ${web.path}`);
  },
  "an issue that support opens": async (one) => {
    const service = { label: "site", address: "https://example.org", service_type: "url", timeout: 30 };
    const { id } = await sent(one, "POST /managed/services", service);
    await outside(one, "issues", { services: [id] });
  },
  "a boot with a VLAN": (one) => inVlan(one),
  "a boot without the VLAN": async (one) => {
    const web = await inVlan(one);
    const [config] = await web.list("configs");
    await web.request(`PUT /configs/${config.id}`, { interfaces: [{ purpose: "public" }] });
    await web.request("POST /reboot");
  },
};

async function sent({ send }: Cloud, request: `${string} /${string}`, body?: object) {
  const response = await send(request, body && { body });
  expect(response.body.errors, request).toBeUndefined();
  return response.body;
}

const inVlan = (one: Cloud) =>
  machine(one, { ...debian, interfaces: [{ purpose: "vlan", label: "inner", ipam_address: "10.0.0.1/24" }] });

/** Creates a transfer that offers an instance that is powered off. */
async function offer(one: Cloud): Promise<string> {
  const web = await machine(one, { ...debian, booted: false });
  return (await sent(one, "POST /account/entity-transfers", { entities: { computes: [web.id] } })).token;
}

async function switched(one: Cloud, status: string): Promise<`/${string}`> {
  const rules = { inbound_policy: "DROP", outbound_policy: "DROP" };
  const { id } = await sent(one, "POST /networking/firewalls", { label: "edge", rules });
  const path = `/networking/firewalls/${id}` as const;
  await sent(one, `PUT ${path}`, { status });
  return path;
}
