import { expect, test } from "vitest";
import { type Cloud, cloud, restricted } from "../cloud";
import { history, type Machine, machine, told } from "../compute/instance";
import { backend } from "../load-balancers/balancer";
import { proves } from "../proves";

const rule = (n: number) => `part 3 · Endpoints · IP addresses and VLANs · rule ${n}`;
const empty = { region: "eu-central", type: "g6-nanode-1" };
const inner = { ...empty, private_ip: true };

const ipv4 = async (web: Machine): Promise<string[]> => (await web.view()).ipv4;

/** Enables the instance for further addresses, and adds one. */
async function further({ send }: Cloud, { id }: Machine): Promise<string> {
  await send("POST /_emulator/support", { body: { request: "extra_ips", compute_id: id } });
  const made = await send("POST /networking/ips", { body: { type: "ipv4", public: true, compute_id: id } });
  expect(made.body.errors).toBeUndefined();
  return made.body.address;
}

test("the public addresses of all instances are listed and viewed, private ones are viewed only", async () => {
  await using one = await cloud();
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
  expect((await send("GET /networking/ips/192.168.0.1")).status).toBe(404);
  expect((await send("GET /networking/ips/web")).status).toBe(404);
});

test("restricted users see the addresses of the instances that they may see", async () => {
  proves("part 1 · Authentication · rule 4");
  await using one = await cloud();
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
  expect(told(await allocate(hidden.id))).toEqual(["compute_id: Compute is not active"]);
  expect(told(await allocate(mine.id))).toEqual([
    `public: Instance ${mine.id} has the private address ${private_ip} and takes no second`,
  ]);
});

test("an instance gets further addresses once support has enabled it", async () => {
  proves(rule(1));
  await using one = await cloud();
  const { send } = one;
  const web = await machine(one, empty);
  const allocate = (body: object) =>
    send("POST /networking/ips", { body: { type: "ipv4", public: true, compute_id: web.id, ...body } });
  expect(told(await allocate({}))).toEqual([
    `public: Instance ${web.id} is not enabled for further public addresses; that takes a support request`,
  ]);
  const address = await further(one, web);
  const hidden = (await allocate({ public: false })).body;
  expect(hidden).toMatchObject({ public: false, type: "ipv4", region: "eu-central", compute_id: web.id });
  expect((await ipv4(web)).slice(1)).toEqual([address, hidden.address]);
  expect(told(await allocate({ type: "ipv6" }))).toEqual(["Only addresses of type ipv4 are currently supported."]);
  expect(told(await allocate({ compute_id: 7 }))).toEqual(["compute_id: Compute is not active"]);
  expect(told(await send("POST /networking/ips", { body: {} }))).toEqual([
    "type: Is required",
    "public: Is required",
    "compute_id: Is required",
  ]);
  expect(history(one).slice(-2)).toEqual(["compute_addip notification", "compute_addip notification"]);
});

test("both scopes are needed to allocate, assign and share", async () => {
  await using one = await cloud();
  const { send } = one;
  for (const scope of ["ips:read_write", "computes:read_write"]) {
    const { token } = (await send("POST /_emulator/tokens", { body: { token: scope, scopes: [scope] } })).body;
    for (const path of ["/networking/ips", "/networking/ipv4/assign", "/networking/ipv4/share"] as const)
      expect((await send(`POST ${path}`, { token, body: {} })).status, `${scope} ${path}`).toBe(403);
  }
});

test("a reverse name needs forward DNS where the account has the zone; null restores the platform's", async () => {
  proves(rule(2));
  await using one = await cloud();
  const { send } = one;
  const web = await machine(one, inner);
  const [address, hidden] = await ipv4(web);
  const { ipv6 } = await web.view();
  const put = async (rdns: string | null, which = address) => {
    const answered = await send(`PUT /networking/ips/${which}`, { body: { rdns } });
    return answered.status === 200 ? answered.body.rdns : told(answered);
  };
  const usual = (await send(`GET /networking/ips/${address}`)).body.rdns;
  const zone = { domain: "example.org", type: "master", soa_email: "a@example.org" };
  const { id } = (await send("POST /domains", { body: zone })).body;
  const invalid = ["rdns: Domain is not valid."];
  for (const name of ["web.example.org", "example.org", "no name", "short", "1.2.3.4"])
    expect(await put(name), name).toEqual(invalid);
  await send(`POST /domains/${id}/records`, { body: { type: "A", name: "web", target: address } });
  await send(`POST /domains/${id}/records`, { body: { type: "AAAA", name: "", target: ipv6.replace("/128", "") } });
  expect(await put("Web.Example.org.")).toBe("web.example.org");
  expect(await put("example.org")).toEqual(invalid);
  expect(await put("example.org", ipv6.replace("/128", ""))).toBe("example.org");
  expect(await put("web.example.net")).toBe("web.example.net");
  await send(`PUT /domains/${id}`, { body: { status: "disabled" } });
  expect(await put("web.example.org")).toEqual(invalid);
  expect(await put(null)).toBe(usual);
  expect(await put("web.example.net", hidden)).toEqual(["rdns: A private address has no reverse lookup"]);
  const [event] = one.world.events.recent();
  expect(event).toMatchObject({
    action: "ipaddress_update",
    entity: { id: web.id, label: address, type: "ipaddress", url: `/v4/networking/ips/${address}` },
  });
});

const assign = (one: Cloud, assignments: [address: string | undefined, id: number][], region = "eu-central") =>
  one.send("POST /networking/ipv4/assign", {
    body: { region, assignments: assignments.map(([address, compute_id]) => ({ address, compute_id })) },
  });

test("addresses move between instances, all in one step", async () => {
  proves(rule(3));
  await using one = await cloud();
  const [web, db] = [await machine(one, inner), await machine(one, inner)];
  const [[outer, hidden], [other, inside]] = [await ipv4(web), await ipv4(db)];
  const swap = await assign(one, [
    [outer, db.id],
    [hidden, db.id],
    [other, web.id],
    [inside, web.id],
  ]);
  expect(swap).toMatchObject({ status: 200, body: {} });
  expect([await ipv4(web), await ipv4(db)]).toEqual([
    [other, inside],
    [outer, hidden],
  ]);
  const { body: list } = await one.send(`GET ${web.path}/ips`);
  expect(list.ipv4).toMatchObject({ public: [{ address: other, compute_id: web.id }], private: [{ address: inside }] });
  expect(history(one).slice(-4)).toEqual(Array(4).fill("ipaddress_update notification"));
  await assign(one, [[other, web.id]]);
  expect(await ipv4(web)).toEqual([other, inside]);
});

test("afterwards each instance has a public address and one private at most; else nothing moves", async () => {
  proves(rule(3));
  await using one = await cloud();
  const [web, db] = [await machine(one, inner), await machine(one, inner)];
  const [[outer, hidden], before] = [await ipv4(web), await ipv4(db)];
  expect(
    told(
      await assign(one, [
        [outer, db.id],
        [hidden, db.id],
      ]),
    ),
  ).toEqual([
    `assignments: Instance ${web.id} would have no public address left`,
    `assignments: Instance ${db.id} would have 2 private addresses; one is allowed`,
  ]);
  expect([await ipv4(web), await ipv4(db)]).toEqual([[outer, hidden], before]);
  const more = await further(one, web);
  expect((await assign(one, [[more, db.id]])).status).toBe(200);
  expect(await ipv4(db)).toEqual([...before, more]);
});

test("all addresses and instances are in the region, and there", async () => {
  proves(rule(3));
  await using one = await cloud();
  const [web, far] = [await machine(one, inner), await machine(one, { ...inner, region: "us-east" })];
  const [outer] = await ipv4(web);
  const [away] = await ipv4(far);
  expect(
    told(
      await assign(one, [
        [away, web.id],
        [outer, far.id],
        ["198.51.100.1", 7],
      ]),
    ),
  ).toEqual([
    `assignments.0.address: Must be in eu-central; ${away} is in us-east`,
    `assignments.1.compute_id: Must be in eu-central; instance ${far.id} is in us-east`,
    "assignments.2.address: There is no address 198.51.100.1 on the account's instances",
    "assignments.2.compute_id: There is no instance 7",
  ]);
  const twice = await assign(one, [
    [outer, web.id],
    [outer, web.id],
  ]);
  expect(told(twice)).toEqual(["assignments.1.address: Is assigned twice"]);
  const { ipv6 } = await web.view();
  expect(told(await assign(one, [[ipv6.replace("/128", ""), web.id]]))).toEqual([
    "assignments.0.address: Must be an IPv4 address",
  ]);
  expect(told(await assign(one, []))).toHaveLength(1);
});

test("the caller needs read_write on all addresses and instances", async () => {
  proves(rule(3));
  await using one = await cloud();
  const [web, db, hidden] = [await machine(one, inner), await machine(one, inner), await machine(one, inner)];
  const entities = { compute: { [web.id]: "read_write", [db.id]: "read_only" } };
  const token = await restricted(one, { entities });
  const [outer] = await ipv4(web);
  const [other] = await ipv4(db);
  const [secret] = await ipv4(hidden);
  const asked = (address: string | undefined, compute_id: number) =>
    one.send("POST /networking/ipv4/assign", {
      token,
      body: { region: "eu-central", assignments: [{ address, compute_id }] },
    });
  expect((await asked(outer, db.id)).status).toBe(403);
  expect((await asked(other, web.id)).status).toBe(403);
  expect((await asked(secret, web.id)).status).toBe(400);
  expect((await asked(outer, hidden.id)).status).toBe(400);
  expect((await asked(outer, web.id)).status).toBe(200);
});

const share = (one: Cloud, { id }: Machine, ips: (string | undefined)[], token = one.token) =>
  one.send("POST /networking/ipv4/share", { token, body: { compute_id: id, ips } });
const shared = async (one: Cloud, web: Machine): Promise<string[]> =>
  (await one.send(`GET ${web.path}/ips`)).body.ipv4.shared.map(({ address }: { address: string }) => address);

test("a shared address is shown by who may bring it up, and stays its owner's", async () => {
  proves(rule(4));
  await using one = await cloud();
  const [web, db] = [await machine(one, inner), await machine(one, empty)];
  const [outer, hidden] = await ipv4(web);
  expect(await share(one, db, [outer, hidden, outer])).toMatchObject({ status: 200, body: {} });
  expect(await shared(one, db)).toEqual([outer, hidden]);
  expect(await shared(one, web)).toEqual([]);
  expect((await one.send(`GET /networking/ips/${outer}`)).body.compute_id).toBe(web.id);
  expect(await ipv4(db)).toHaveLength(1);
  await share(one, db, [outer]);
  expect(await shared(one, db)).toEqual([outer]);
  await share(one, db, []);
  expect(await shared(one, db)).toEqual([]);
});

test("what is shared is in the region of the instance, and not its own", async () => {
  proves(rule(4));
  await using one = await cloud();
  const [web, far] = [await machine(one, inner), await machine(one, { ...empty, region: "us-east" })];
  const [[own], [away]] = [await ipv4(web), await ipv4(far)];
  expect(told(await share(one, web, [own, away, "198.51.100.1", "::1"]))).toEqual(["ips.3: Must be an IPv4 address"]);
  expect(told(await share(one, web, [own, away, "198.51.100.1"]))).toEqual([
    `ips.0: ${own} is the instance's own`,
    `ips.1: Must be in eu-central; ${away} is in us-east`,
    "ips.2: There is no address 198.51.100.1 on the account's instances",
  ]);
  expect(told(await share(one, { ...web, id: 7 }, []))).toEqual(["compute_id: There is no instance 7"]);
  const token = await restricted(one, { entities: { compute: { [web.id]: "read_write", [far.id]: "read_only" } } });
  expect((await share(one, web, [away], token)).status).toBe(403);
  expect((await share(one, far, [], token)).status).toBe(403);
});

test("sharing ends when the address or one of the instances goes, or the address comes to who shared it", async () => {
  await using one = await cloud();
  const { world } = one;
  const [web, db, third] = [await machine(one, inner), await machine(one, empty), await machine(one, empty)];
  const [gone, more] = [await further(one, web), await further(one, web)];
  await share(one, db, [gone, more]);
  await web.ask(`DELETE /ips/${gone}`);
  expect(await shared(one, db)).toEqual([more]);
  await assign(one, [[more, third.id]]);
  expect(await shared(one, db)).toEqual([more]);
  await assign(one, [[more, db.id]]);
  expect(await shared(one, db)).toEqual([]);
  await share(one, web, [more]);
  await share(one, third, [more]);
  await one.send(`DELETE ${third.path}`);
  expect(world.addressShares.size).toBe(1);
  await one.send(`DELETE ${db.path}`);
  expect(world.addressShares.size).toBe(0);
  expect((await one.send(`GET /networking/ips/${more}`)).status).toBe(404);
});

test("a backend whose private address moves is the instance that has the address now", async () => {
  await using one = await cloud();
  const [web, db] = [await backend(one), await machine(one, empty)];
  const nb = (await one.send("POST /nodebalancers", { body: { region: "eu-central" } })).body;
  const path = `/nodebalancers/${nb.id}/configs` as const;
  const config = (await one.send(`POST ${path}`, { body: {} })).body;
  await one.send(`POST ${path}/${config.id}/nodes`, { body: { label: "web", address: web.ip } });
  await assign(one, [[web.ip, db.id]]);
  expect((await one.send(`GET ${web.path}/nodebalancers`)).body.results).toBe(0);
  expect((await one.send(`GET ${db.path}/nodebalancers`)).body.data).toMatchObject([{ id: nb.id }]);
});
