import { expect } from "vitest";
import { messages, restricted, test } from "../cloud";
import { machine } from "../compute/instance";
import { proves } from "../proves";
import { empty, further, inner, ipv4, rule } from "./addresses";

test("lists and views the public addresses of all instances; private ones can only be viewed", async (one) => {
  const { send } = one;
  const web = await machine(one, inner);
  const far = await machine(one, { ...empty, region: "us-east" });
  const { data, results } = (await send("GET /networking/ips")).body;
  expect(results).toBe(4);
  const [outer, hidden] = await ipv4(web);
  const { ipv6 } = await web.view();
  const own = (await send("GET /networking/ips", { filter: { region: "eu-central" } })).body.data;
  expect(own.map(({ address }: { address: string }) => address).sort()).toEqual(
    [outer, ipv6.replace("/128", "")].sort(),
  );
  expect(data.every((address: { public: boolean }) => address.public)).toBe(true);
  for (const address of data) {
    expect((await send(`GET /networking/ips/${address.address}`)).body).toEqual(address);
    expect([web.id, far.id]).toContain(address.compute_id);
  }
  expect((await send(`GET /networking/ips/${hidden}`)).body).toMatchObject({ public: false, compute_id: web.id });
});

test("addresses can be filtered by their instance", async (one) => {
  const [web, db] = [await machine(one, empty), await machine(one, empty)];
  const ofInstances = async (filter: object) =>
    (await one.send("GET /networking/ips", { filter })).body.data.map(
      ({ type, compute_id }: { type: string; compute_id: number }) => [type, compute_id],
    );
  const own = ({ id }: { id: number }) => [
    ["ipv4", id],
    ["ipv6", id],
  ];
  expect(await ofInstances({ compute_id: db.id })).toEqual(own(db));
  expect(await ofInstances({ compute_id: { "+neq": db.id } })).toEqual(own(web));
  expect(await ofInstances({ compute_id: 7 })).toEqual([]);
});

test("restricted users see the addresses of visible instances", async (one) => {
  proves("part 1 · Authentication · rule 4");
  const { send } = one;
  const [seen, mine, hidden] = [await machine(one, inner), await machine(one, inner), await machine(one, inner)];
  const entities = { compute: { [seen.id]: "read_only", [mine.id]: "read_write" } };
  const token = await restricted(one, { entities });
  const list = await send("GET /networking/ips", { token });
  expect(new Set(list.body.data.map((row: { compute_id: number }) => row.compute_id))).toEqual(
    new Set([seen.id, mine.id]),
  );
  const [[look], [own, private_ip], [foreign]] = [await ipv4(seen), await ipv4(mine), await ipv4(hidden)];
  const rdns = { token, body: { rdns: null } };
  const statuses = async (address: string | undefined) => [
    (await send(`GET /networking/ips/${address}`, { token })).status,
    (await send(`PUT /networking/ips/${address}`, rdns)).status,
  ];
  expect(await statuses(look)).toEqual([200, 403]);
  expect(await statuses(own)).toEqual([200, 200]);
  expect(await statuses(foreign)).toEqual([404, 404]);
  const allocate = (id: number) =>
    send("POST /networking/ips", { token, body: { type: "ipv4", public: false, compute_id: id } });
  expect((await allocate(seen.id)).status).toBe(403);
  expect(messages(await allocate(hidden.id))).toEqual(["compute_id: Compute is not active"]);
  expect(messages(await allocate(mine.id))).toEqual([
    `public: Instance ${mine.id} already has the private address ${private_ip}, and can have only one`,
  ]);
});

test("an instance gets additional addresses after support has allowed them", async (one) => {
  proves(rule(1));
  const { send } = one;
  const web = await machine(one, empty);
  const allocate = (body: object) =>
    send("POST /networking/ips", { body: { type: "ipv4", public: true, compute_id: web.id, ...body } });
  expect(messages(await allocate({}))).toEqual([
    `public: Instance ${web.id} cannot have more public addresses without a support request`,
  ]);
  const address = await further(one, web);
  const hidden = (await allocate({ public: false })).body;
  expect(hidden).toMatchObject({ public: false, type: "ipv4", region: "eu-central", compute_id: web.id });
  expect((await ipv4(web)).slice(1)).toEqual([address, hidden.address]);
});

test.each(["/networking", "/compute/instances/{computeId}"])(
  "a reverse DNS name must resolve to the address if the account has the zone, and null restores the default: %s",
  async (one, parent) => {
    proves(rule(2));
    const { send } = one;
    const web = await machine(one, inner);
    const [address, hidden] = await ipv4(web);
    const ipv6 = (await web.view()).ipv6.replace("/128", "");
    const put = async (body: object, which = address) => {
      const response = await send(`PUT ${parent.replace("{computeId}", String(web.id)) as "/"}/ips/${which}`, { body });
      return response.status === 200 ? response.body.rdns : messages(response);
    };
    const usual = (await send(`GET /networking/ips/${address}`)).body.rdns;
    const zone = { domain: "example.org", type: "master", soa_email: "a@example.org" };
    const { id } = (await send("POST /domains", { body: zone })).body;
    const invalid = ["rdns: Domain is not valid."];
    for (const rdns of ["web.example.org", "example.org", "no name", "short", "1.2.3.4"])
      expect(await put({ rdns }), rdns).toEqual(invalid);
    await send(`POST /domains/${id}/records`, { body: { type: "A", name: "web", target: address } });
    await send(`POST /domains/${id}/records`, { body: { type: "AAAA", name: "", target: ipv6 } });
    expect(await put({ rdns: "Web.Example.org." })).toBe("web.example.org");
    expect(await put({})).toBe("web.example.org");
    const other = (await send("POST /domains", { body: { ...zone, domain: "example.com" } })).body.id;
    await send(`POST /domains/${other}/records`, { body: { type: "TXT", name: "web", target: "here" } });
    expect(await put({ rdns: "web.example.com" }), "a record of another zone").toEqual(invalid);
    expect(await put({ rdns: "example.org" })).toEqual(invalid);
    expect(await put({ rdns: "example.org" }, ipv6)).toBe("example.org");
    await send(`POST /domains/${id}/records`, { body: { type: "A", name: "*.apps", target: address } });
    await send(`POST /domains/${id}/records`, { body: { type: "TXT", name: "own.apps", target: "here" } });
    expect(await put({ rdns: "shop.apps.example.org" })).toBe("shop.apps.example.org");
    expect(await put({ rdns: "de.shop.apps.example.org" })).toBe("de.shop.apps.example.org");
    for (const rdns of ["apps.example.org", "own.apps.example.org", "x.own.apps.example.org", "shop.example.org"])
      expect(await put({ rdns }), rdns).toEqual(invalid);
    expect(await put({ rdns: "web.example.org" })).toBe("web.example.org");
    expect(await put({ rdns: "web.example.net" })).toBe("web.example.net");
    await send(`PUT /domains/${id}`, { body: { status: "disabled" } });
    expect(await put({ rdns: "web.example.org" })).toEqual(invalid);
    expect(await put({ rdns: null })).toBe(usual);
    expect(await put({ rdns: "web.example.net" }, hidden)).toEqual(["rdns: Private addresses do not have reverse DNS"]);
    const [event] = one.world.events.recent();
    const entity = { id: web.id, label: address, type: "ipaddress", url: `/v4/networking/ips/${address}` };
    expect(event).toMatchObject({ action: "ipaddress_update", entity });
    expect(await put({ rdns: null }, hidden)).toBeNull();
  },
);
