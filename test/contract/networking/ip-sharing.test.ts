import { expect } from "vitest";
import { type Cloud, messages, restricted, test } from "../cloud";
import { type Machine, machine } from "../compute/instance";
import { proves } from "../proves";
import { assign, empty, further, inner, ipv4, rule } from "./addresses";

const share = (one: Cloud, { id }: Machine, ips: (string | undefined)[], token = one.token) =>
  one.send("POST /networking/ipv4/share", { token, body: { compute_id: id, ips } });
const shared = async (one: Cloud, web: Machine): Promise<string[]> =>
  (await one.send(`GET ${web.path}/ips`)).body.ipv4.shared.map(({ address }: { address: string }) => address);

test("a shared address is listed by the other instance, and still belongs to its own", async (one) => {
  proves(rule(4));
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

test("rejects addresses of other regions, and addresses of the instance itself", async (one) => {
  proves(rule(4));
  const [web, far] = [await machine(one, inner), await machine(one, { ...empty, region: "us-east" })];
  const [[own], [away]] = [await ipv4(web), await ipv4(far)];
  expect(messages(await share(one, web, [own, away, "198.51.100.1", "::1"]))).toEqual([
    "ips.3: Must be an IPv4 address",
  ]);
  expect(messages(await share(one, web, [own, away, "198.51.100.1"]))).toEqual([
    `ips.0: ${own} already belongs to instance ${web.id}; list only addresses of other instances`,
    `ips.1: Must be in eu-central; ${away} is in us-east`,
    "ips.2: There is no address 198.51.100.1 on the account's instances",
  ]);
  expect(messages(await share(one, { ...web, id: 7 }, []))).toEqual(["compute_id: There is no instance 7"]);
  const token = await restricted(one, { entities: { compute: { [web.id]: "read_write", [far.id]: "read_only" } } });
  expect((await share(one, web, [away], token)).status).toBe(403);
  expect((await share(one, far, [], token)).status).toBe(403);
});

test("sharing ends when the address or an instance is deleted, or the address moves to the other instance", async (one) => {
  const { world } = one;
  const [web, db, third] = [await machine(one, inner), await machine(one, empty), await machine(one, empty)];
  const [deleted, more] = [await further(one, web), await further(one, web)];
  await share(one, db, [deleted, more]);
  await web.request(`DELETE /ips/${deleted}`);
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
