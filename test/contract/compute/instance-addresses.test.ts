import { expect } from "vitest";
import { addIPv4 } from "../../../emulator/areas/networking/address-pool";
import { cloud, history, test } from "../cloud";
import { machine } from "./instance";

const documents = "part 1 · Resources · Compute instance";
const empty = { region: "eu-central", type: "g6-nanode-1" };
const further = { type: "ipv4", public: true };
const inner = { type: "ipv4", public: false };

test(`${documents}: an instance has a public IPv4 address, an IPv6 address, and a private address on request`, async (one) => {
  const web = await machine(one, { ...empty, private_ip: true });
  const { ipv4, ipv6 } = (await one.send(`GET ${web.path}/ips`)).body;
  const view = await web.view();
  expect(ipv4).toMatchObject({
    public: [{ type: "ipv4", public: true, prefix: 24, subnet_mask: "255.255.255.0", region: "eu-central" }],
    private: [{ type: "ipv4", public: false, prefix: 17, gateway: null }],
    shared: [],
    reserved: [],
  });
  const [outer] = ipv4.public;
  const [own] = ipv4.private;
  expect(outer.compute_id).toBe(web.id);
  expect(view.ipv4).toEqual([outer.address, own.address]);
  expect(outer.gateway).toBe(outer.address.replace(/\d+$/, "1"));
  expect(outer.rdns).toBe(`${outer.address.replaceAll(".", "-")}.ip.cloudinfra.example`);
  expect(own.address).toMatch(/^192\.168\.(12[89]|1[3-9]\d|2\d\d)\./);
  expect(own.rdns).toBeNull();
  expect(ipv6.slaac.rdns).toBeNull();
  expect(view.ipv6).toBe(`${ipv6.slaac.address}/128`);
  expect(ipv6).toMatchObject({ slaac: { type: "ipv6", prefix: 64, public: true }, link_local: { public: false } });
  for (const address of [outer, own, ipv6.slaac, ipv6.link_local])
    expect((await one.send(`GET ${web.path}/ips/${address.address}`)).body).toEqual(address);
});

test("no address is allocated twice, and the same seed allocates the same addresses", async () => {
  const run = async (seed: number) => {
    await using one = await cloud({ seed });
    const value = new Set<string>();
    for (let at = 0; at < 300; at++) {
      const region = at % 2 ? "eu-central" : "us-east";
      const { body } = await one.send("POST /compute/instances", { body: { ...empty, region, private_ip: true } });
      for (const address of [...body.ipv4, body.ipv6]) {
        expect(value).not.toContain(address);
        value.add(address);
      }
      if (at % 3 === 0) await one.send(`DELETE /compute/instances/${body.id}`);
    }
    return value;
  };
  const first = await run(1);
  expect(first.size).toBe(900);
  expect(await run(1)).toEqual(first);
  expect(await run(2)).not.toEqual(first);
});

test("a region with thousands of addresses has only those that are never routed on the internet", async (one) => {
  const { id } = await machine(one, empty);
  const addresses = Array.from({ length: 2100 }, () => addIPv4(one.world, id, "eu-central", true).id);
  // 198.18.0.0/15 (RFC 2544), and when all of its addresses are allocated, 240.0.0.0/4 (RFC 1112)
  expect(addresses.filter((address) => !/^(198\.1[89]|24\d|25[0-5])\./.test(address))).toEqual([]);
  expect(addresses[0]).toMatch(/^198\./);
  expect(addresses.at(-1)).toMatch(/^240\./);
});

test(`${documents}: a private address is added at most once, and released only with the instance`, async (one) => {
  const web = await machine(one, empty);
  const created = await web.request("POST /ips", inner);
  expect((await web.view()).ipv4[1]).toBe(created.address);
  expect(await web.rejected("POST /ips", inner)).toEqual([
    `public: Instance ${web.id} already has the private address ${created.address}, and can have only one`,
  ]);
  expect(await web.rejected(`DELETE /ips/${created.address}`)).toEqual([
    `${created.address} is a private address, which cannot be removed from its instance`,
  ]);
  expect((await web.view()).ipv4).toHaveLength(2);
  await one.send(`DELETE ${web.path}`);
  expect((await one.send(`GET /networking/ips/${created.address}`)).status).toBe(404);
  expect(history(one).slice(1)).toEqual(["compute_addip notification", "compute_delete finished"]);
});

test(`${documents}: additional public addresses require a support request, and the last one cannot be removed`, async (one) => {
  const web = await machine(one, { ...empty, private_ip: true });
  const [outer] = (await web.view()).ipv4;
  expect(await web.rejected("POST /ips", further)).toEqual([
    `public: Instance ${web.id} cannot have more public addresses without a support request`,
  ]);
  await one.send("POST /_emulator/support", { body: { request: "extra_ips", compute_id: web.id } });
  const more = await web.request("POST /ips", further);
  await web.request(`DELETE /ips/${outer}`);
  expect(await web.rejected(`DELETE /ips/${more.address}`)).toEqual([
    `${more.address} is the last public address of the instance, which must keep at least one`,
  ]);
  const ipv6 = (await web.view()).ipv6.replace("/128", "");
  expect(await web.rejected(`DELETE /ips/${ipv6}`)).toEqual([
    `${ipv6} is an IPv6 address, which cannot be removed from its instance; only IPv4 addresses can`,
  ]);
});

test("an address of an instance is found in every notation", async (one) => {
  const web = await machine(one, empty);
  const long = (await web.view()).ipv6.replace("/128", "").replace(":0:", ":0000:").toUpperCase();
  expect((await one.send(`GET ${web.path}/ips/${long}`)).status).toBe(200);
  expect((await one.send(`GET ${web.path}/ips/198.18.0.999`)).status).toBe(404);
});
