import { expect } from "vitest";
import { restricted, test } from "../cloud";
import { machine } from "../compute/instance";
import { proves } from "../proves";
import { outside } from "./billing";

test("maintenance is pending until its time, then it has started, and goes when it is over", async (one) => {
  const web = await machine(one);
  const when = one.world.clock.time(one.world.clock.now() + 60_000);
  const { id } = await outside(one, "maintenance", {
    compute_id: web.id,
    type: "cold_migration",
    reason: "The host is old.",
    when,
  });
  const { label } = await web.view();
  const entity = { id: web.id, label, type: "compute", url: `/v4/compute/instances/${web.id}` };
  const entry = { type: "cold_migration", reason: "The host is old.", when, entity };
  const list = async (filter?: object) =>
    (await one.send("GET /v4beta/account/maintenance", { ...(filter && { filter }) })).body.data;
  expect(await list()).toEqual([{ ...entry, status: "pending" }]);
  one.advance(60_000);
  expect(await list()).toEqual([{ ...entry, status: "started" }]);
  expect(await list({ status: "pending" })).toEqual([]);
  expect(await list({ status: "started", type: "cold_migration", when })).toHaveLength(1);
  await one.send("DELETE /_emulator/maintenance", { body: { id } });
  expect(await list()).toEqual([]);
});

test("maintenance is listed under v4beta only", async (one) => {
  proves("part 1 · Versioning · rule 1");
  expect((await one.send("GET /v4/account/maintenance")).status).toBe(404);
  expect((await one.send("GET /v4beta/account/maintenance")).status).toBe(200);
  const token = await restricted(one, {}, ["account:read_write"]);
  expect((await one.send("GET /v4beta/account/maintenance", { token })).status).toBe(403);
});

test("maintenance is of instances that are there, and a restricted user sees those that are granted", async (one) => {
  const [web, data] = [await machine(one), await machine(one)];
  for (const { id } of [web, data])
    await outside(one, "maintenance", { compute_id: id, type: "reboot", reason: "Kernel." });
  const token = await restricted(one, { entities: { compute: { [data.id]: "read_only" } } }, ["maintenance:read_only"]);
  const list = async (token = "emulator") => (await one.send("GET /v4beta/account/maintenance", { token })).body.data;
  expect(await list(token)).toMatchObject([{ entity: { id: data.id }, status: "started" }]);
  await data.request("DELETE ");
  expect(await list()).toMatchObject([{ entity: { id: web.id } }]);
  const unknown = { compute_id: data.id, type: "reboot", reason: "Kernel." };
  expect((await one.send("POST /_emulator/maintenance", { body: unknown })).body.errors).toEqual([
    { field: "compute_id", reason: `There is no instance ${data.id}` },
  ]);
});
