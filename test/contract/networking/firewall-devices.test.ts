import { expect } from "vitest";
import { firewallsOf, unassign } from "../../../emulator/areas/networking/firewall-devices";
import type { New, RowOf } from "../../../emulator/core/store";
import { type Cloud, restricted, test } from "../cloud";
import { proves } from "../proves";

const rule = (number: number): string => `part 3 · Endpoints · Firewalls · rule ${number}`;

/** Inserts an instance into the emulator's table, which is faster than creating it by the API. */
const instance = ({ world }: Cloud, label = "web"): number =>
  world.instances.insert({ label } as New<RowOf<"instances">>).id;

async function firewall({ send }: Cloud, label = "edge"): Promise<number> {
  const rules = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
  return (await send("POST /networking/firewalls", { body: { label, rules } })).body.id;
}

test("assigns a firewall to instances and removes it", async (one) => {
  const { send, world } = one;
  const [web, db] = [instance(one), instance(one, "db")];
  const path = `/networking/firewalls/${await firewall(one)}/devices` as const;
  const created = await send(`POST ${path}`, { body: { type: "compute", id: web } });
  const entity = { id: web, type: "compute", label: "web", url: `/v4/compute/instances/${web}` };
  const time = "2022-01-01T00:00:00";
  expect(created).toMatchObject({ status: 200, body: { entity, created: time, updated: time } });
  expect(Object.keys(created.body).sort()).toEqual(["created", "entity", "id", "updated"]);
  await send(`POST ${path}`, { body: { type: "compute", id: db } });
  world.instances.patch(web, { label: "www" });
  const list = await send(`GET ${path}`);
  expect(list.body.data.map(({ entity }: { entity: { label: string } }) => entity.label)).toEqual(["www", "db"]);
  const [event] = world.events.recent();
  expect(event).toMatchObject({
    action: "firewall_device_add",
    entity: { type: "firewall", label: "edge" },
    secondary_entity: { type: "compute", id: db },
  });

  const device = `${path}/${created.body.id}` as const;
  expect((await send(`GET ${device}`)).body.entity.label).toBe("www");
  expect(await send(`DELETE ${device}`)).toMatchObject({ status: 200, body: {} });
  expect(world.events.recent()[0]).toMatchObject({ action: "firewall_device_remove", secondary_entity: { id: web } });
});

test("a firewall is assigned to an instance at most once", async (one) => {
  proves(rule(2));
  const id = instance(one);
  const path = `/networking/firewalls/${await firewall(one)}/devices` as const;
  const assign = () => one.send(`POST ${path}`, { body: { type: "compute", id } });
  await assign();
  expect((await assign()).body.errors).toEqual([
    { field: "id", reason: `The firewall is already assigned to instance ${id}` },
  ]);
});

test("assigning requires read_write on the instance, and accepts only instances", async (one) => {
  proves(rule(3));
  const [seen, own] = [instance(one), instance(one)];
  const edge = await firewall(one);
  const entities = { firewall: { [edge]: "read_write" }, compute: { [seen]: "read_only", [own]: "read_write" } };
  const token = await restricted(one, { entities });
  const assign = (body: object) => one.send(`POST /networking/firewalls/${edge}/devices`, { body, token });
  expect((await assign({ type: "compute", id: seen })).status).toBe(403);
  expect((await assign({ type: "compute", id: 7 })).body.errors).toEqual([
    { field: "id", reason: "There is no instance 7" },
  ]);
  expect((await assign({ type: "nodebalancer", id: own })).body.errors).toMatchObject([{ field: "type" }]);
  expect((await assign({})).body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(["id", "type"]);
  expect((await assign({ type: "compute", id: own })).status).toBe(200);
});

test("a deleted instance is removed from its firewalls", async (one) => {
  const { send, world } = one;
  const [web, db] = [instance(one), instance(one, "db")];
  const edge = await firewall(one);
  for (const id of [web, db])
    await send(`POST /networking/firewalls/${edge}/devices`, { body: { type: "compute", id } });
  expect(firewallsOf(world, web).map(({ id }) => id)).toEqual([edge]);
  unassign(world, web);
  world.instances.remove(web);
  const list = await send(`GET /networking/firewalls/${edge}/devices`);
  expect(list.body).toMatchObject({ results: 1, data: [{ entity: { id: db } }] });
  expect(world.events.recent()[0]).toMatchObject({ action: "firewall_device_remove", secondary_entity: { id: web } });
});
