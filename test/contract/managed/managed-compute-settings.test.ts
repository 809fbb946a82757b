import { expect } from "vitest";
import { messages, test } from "../cloud";
import { debian, machine } from "../compute/instance";

const all = "/managed/compute-settings";
const fresh = { access: true, user: "root", ip: "any", port: 22 };

test("part 2 · Resources · Managed instance settings: every instance has settings, which are deleted with it", async (one) => {
  const { send } = one;
  expect((await send(`GET ${all}`)).body.results).toBe(0);
  const web = await machine(one, { ...debian, label: "web", group: "front" });
  const db = await machine(one, { ...debian, label: "store" });
  const entry = { id: web.id, label: "web", group: "front", ssh: fresh };
  expect((await send(`GET ${all}`)).body).toMatchObject({ results: 2, data: [entry, { id: db.id, ssh: fresh }] });
  expect((await send(`GET ${all}/${web.id}`)).body).toEqual(entry);
  const changed = await send(`PUT ${all}/${web.id}`, { body: { ssh: { port: 2222, user: "", access: false } } });
  expect(changed.body).toEqual({ ...entry, ssh: { access: false, user: "", ip: "any", port: 2222 } });
  await send(`PUT /compute/instances/${web.id}`, { body: { label: "www" } });
  expect((await send(`GET ${all}/${web.id}`)).body).toEqual({ ...changed.body, label: "www" });
  expect((await send(`GET ${all}/${db.id}`)).body.ssh).toEqual(fresh);
  await send(`DELETE ${web.path}`);
  expect((await send(`GET ${all}/${web.id}`)).status).toBe(404);
  expect((await send(`GET ${all}`)).body.results).toBe(1);
  expect(one.world.managedComputeSettings.size).toBe(0);
});

test("ssh.ip is an address of the instance or any, and becomes any when the address is removed", async (one) => {
  const { send } = one;
  const web = await machine(one);
  const db = await machine(one);
  one.world.instances.patch(web.id, { extra_addresses: true });
  const { ipv6 } = await web.view();
  const { address } = await web.request("POST /ips", { type: "ipv4", public: true });
  const set = (ip: string) => send(`PUT ${all}/${web.id}`, { body: { ssh: { ip } } });
  const long = `${(ipv6 as string).replace("/128", "").toUpperCase()}`;
  expect((await set(long)).body.ssh.ip).toBe(long.toLowerCase());
  const [foreign] = (await db.view()).ipv4;
  expect(messages(await set(foreign))).toEqual([`ssh.ip: Must be an address of instance ${web.id} or "any"`]);
  expect(messages(await set("everything"))).toEqual(['ssh.ip: Must be an IP address or "any"']);
  expect((await set(address)).body.ssh).toEqual({ ...fresh, ip: address });
  await web.request(`DELETE /ips/${address}`);
  expect((await send(`GET ${all}/${web.id}`)).body.ssh.ip).toBe("any");
  expect((await set("any")).body.ssh.ip).toBe("any");
});
