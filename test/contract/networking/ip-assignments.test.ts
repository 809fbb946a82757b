import { expect } from "vitest";
import { history, messages, restricted, test } from "../cloud";
import { machine } from "../compute/instance";
import { backend, balancer } from "../load-balancers/balancer";
import { proves } from "../proves";
import { assign, empty, further, inner, ipv4, rule } from "./addresses";

test("exchanges the addresses of two instances in one request", async (one) => {
  proves(rule(3));
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

test("rejects assignments that leave an instance without a public address or with two private ones", async (one) => {
  proves(rule(3));
  const [web, db] = [await machine(one, inner), await machine(one, inner)];
  const [[outer, hidden], before] = [await ipv4(web), await ipv4(db)];
  const both = await assign(one, [
    [outer, db.id],
    [hidden, db.id],
  ]);
  expect(messages(both)).toEqual([
    `assignments: Instance ${web.id} would not have a public address`,
    `assignments: Instance ${db.id} would have 2 private addresses; one is allowed`,
  ]);
  expect([await ipv4(web), await ipv4(db)]).toEqual([[outer, hidden], before]);
  const more = await further(one, web);
  expect((await assign(one, [[more, db.id]])).status).toBe(200);
  expect(await ipv4(db)).toEqual([...before, more]);
});

test("rejects addresses and instances that do not exist or are in other regions", async (one) => {
  proves(rule(3));
  const [web, far] = [await machine(one, inner), await machine(one, { ...inner, region: "us-east" })];
  const [outer] = await ipv4(web);
  const [away] = await ipv4(far);
  const wrong = await assign(one, [
    [away, web.id],
    [outer, far.id],
    ["198.51.100.1", 7],
  ]);
  expect(messages(wrong)).toEqual([
    `assignments.0.address: Must be in eu-central; ${away} is in us-east`,
    `assignments.1.compute_id: Must be in eu-central; instance ${far.id} is in us-east`,
    "assignments.2.address: There is no address 198.51.100.1 on the account's instances",
    "assignments.2.compute_id: There is no instance 7",
  ]);
  const twice = await assign(one, [
    [outer, web.id],
    [outer, web.id],
  ]);
  expect(messages(twice)).toEqual([`assignments.1.address: Must not be listed twice: ${outer}`]);
  const { ipv6 } = await web.view();
  expect(messages(await assign(one, [[ipv6.replace("/128", ""), web.id]]))).toEqual([
    "assignments.0.address: Must be an IPv4 address",
  ]);
});

test("requires read_write on all addresses and instances", async (one) => {
  proves(rule(3));
  const [web, db, hidden] = [await machine(one, inner), await machine(one, inner), await machine(one, inner)];
  const entities = { compute: { [web.id]: "read_write", [db.id]: "read_only" } };
  const token = await restricted(one, { entities });
  const [outer] = await ipv4(web);
  const [other] = await ipv4(db);
  const [secret] = await ipv4(hidden);
  const requested = (address: string | undefined, compute_id: number) => {
    const body = { region: "eu-central", assignments: [{ address, compute_id }] };
    return one.send("POST /networking/ipv4/assign", { token, body });
  };
  expect((await requested(outer, db.id)).status).toBe(403);
  expect((await requested(other, web.id)).status).toBe(403);
  expect((await requested(secret, web.id)).status).toBe(400);
  expect((await requested(outer, hidden.id)).status).toBe(400);
  expect((await requested(outer, web.id)).status).toBe(200);
});

test("a backend whose private address moves belongs to the new instance", async (one) => {
  const [web, db] = [await backend(one), await machine(one, empty)];
  const nb = await balancer(one, { configs: [{ nodes: [{ label: "web", address: web.ip }] }] });
  await assign(one, [[web.ip, db.id]]);
  expect((await one.send(`GET ${web.path}/nodebalancers`)).body.results).toBe(0);
  expect((await one.send(`GET ${db.path}/nodebalancers`)).body.data).toMatchObject([{ id: nb.id }]);
});
