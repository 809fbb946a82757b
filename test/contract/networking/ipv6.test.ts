import { expect } from "vitest";
import { canonicalNetwork } from "../../../api";
import { type Cloud, messages, restricted, test } from "../cloud";
import { machine } from "../compute/instance";
import { proves } from "../proves";
import { empty, rule } from "./addresses";

const support = ({ send }: Cloud, body: object) => send("POST /_emulator/support", { body });
/** The pools and ranges in the addresses of an instance. */
const routed = async ({ send }: Cloud, path: `/${string}`) => (await send(`GET ${path}/ips`)).body.ipv6.global;
const data = async ({ send }: Cloud, what: "pools" | "ranges", options = {}) =>
  (await send(`GET /networking/ipv6/${what}`, options)).body.data;

test("support routes a /64 range to an instance, and the range is deleted with the instance", async (one) => {
  proves(rule(5));
  const [web, db] = [await machine(one, empty), await machine(one, { ...empty, region: "us-east" })];
  expect(await data(one, "ranges")).toEqual([]);
  for (const { id } of [web, web, db])
    expect((await support(one, { request: "ipv6_range", compute_id: id })).status).toBe(200);
  const ranges = await data(one, "ranges");
  expect(ranges).toMatchObject([{ region: "eu-central" }, { region: "eu-central" }, { region: "us-east" }]);
  const { ipv6 } = await web.view();
  expect(ranges[0]).toEqual({
    range: expect.stringMatching(/^2001:db8:[0-9a-f]+:[0-9a-f]+::$/),
    prefix: 64,
    region: "eu-central",
    route_target: ipv6.replace("/128", ""),
  });
  const networks = ranges.map(({ range }: { range: string }) => canonicalNetwork(`${range}/64`));
  expect(networks).toEqual(ranges.map(({ range }: { range: string }) => `${range}/64`));
  expect(new Set([...networks, canonicalNetwork(ipv6.replace("128", "64"))]).size).toBe(4);
  await one.send(`DELETE ${web.path}`);
  expect(await data(one, "ranges")).toEqual([ranges[2]]);
});

test("the addresses of an instance contain the pools of its region and its own ranges", async (one) => {
  proves(rule(5));
  const [web, db, bare] = [await machine(one, empty), await machine(one, empty), await machine(one, empty)];
  for (const { id } of [web, db, web]) await support(one, { request: "ipv6_range", compute_id: id });
  await support(one, { request: "ipv6_pool", region: "eu-central" });
  const [[first, second, third], pools] = [await data(one, "ranges"), await data(one, "pools")];
  expect(await routed(one, web.path)).toEqual([...pools, first, third]);
  expect(await routed(one, db.path)).toEqual([...pools, second]);
  expect(await routed(one, bare.path)).toEqual(pools);
});

test("a pool is routed to all instances of its region", async (one) => {
  proves(rule(5));
  const [web, far] = [await machine(one, empty), await machine(one, { ...empty, region: "us-east" })];
  await support(one, { request: "ipv6_pool", region: "eu-central" });
  await support(one, { request: "ipv6_pool", region: "ca-central" });
  const pools = await data(one, "pools");
  expect(pools).toHaveLength(2);
  expect(pools[0]).toEqual({ range: expect.any(String), prefix: 116, region: "eu-central", route_target: null });
  expect(canonicalNetwork(`${pools[0].range}/116`)).toBe(`${pools[0].range}/116`);
  expect(await data(one, "pools", { filter: { region: "ca-central" } })).toEqual([pools[1]]);
  expect(await routed(one, web.path)).toEqual([pools[0]]);
  expect(await routed(one, far.path)).toEqual([]);
});

test("ranges can be filtered by region", async (one) => {
  const [web, far] = [await machine(one, empty), await machine(one, { ...empty, region: "us-east" })];
  for (const { id } of [web, far]) await support(one, { request: "ipv6_range", compute_id: id });
  const [near, other] = await data(one, "ranges");
  expect([near.region, other.region]).toEqual(["eu-central", "us-east"]);
  expect(await data(one, "ranges", { filter: { region: "us-east" } })).toEqual([other]);
  expect(await data(one, "ranges", { filter: { region: "ca-central" } })).toEqual([]);
});

test("restricted users see all pools, and the ranges of visible instances", async (one) => {
  const [web, db] = [await machine(one, empty), await machine(one, empty)];
  for (const { id } of [web, db]) await support(one, { request: "ipv6_range", compute_id: id });
  await support(one, { request: "ipv6_pool", region: "eu-central" });
  const token = await restricted(one, { entities: { compute: { [db.id]: "read_only" } } });
  const { ipv6 } = await db.view();
  expect(await data(one, "ranges", { token })).toMatchObject([{ route_target: ipv6.replace("/128", "") }]);
  expect(await data(one, "pools", { token })).toHaveLength(1);
});

test("pools and ranges never overlap, even after a snapshot is loaded", async (one) => {
  const { id } = await machine(one, empty);
  for (let at = 0; at < 20; at++) {
    await support(one, { request: "ipv6_range", compute_id: id });
    await support(one, { request: "ipv6_pool", region: "eu-central" });
    if (at === 10) await one.send("PUT /_emulator/state", { body: (await one.send("GET /_emulator/state")).body });
  }
  for (const what of ["pools", "ranges"] as const) {
    const list = await data(one, what);
    expect(new Set(list.map(({ range }: { range: string }) => range)).size).toBe(20);
  }
});

test("support rejects impossible requests with a reason", async (one) => {
  expect(messages(await support(one, { request: "extra_ips", compute_id: 7 }))).toEqual([
    "compute_id: There is no instance 7",
  ]);
  expect(messages(await support(one, { request: "ipv6_pool", region: "mars" }))).toEqual([
    "region: There is no region mars",
  ]);
  expect((await support(one, { request: "refund" })).status).toBe(400);
});
