import { expect, test } from "vitest";
import { cloud, restricted } from "../cloud";
import { history, machine, messages } from "../compute/instance";
import { proves } from "../proves";

const rule = (number: number): string => `part 3 · Endpoints · Account and billing · rule ${number}`;
const all = "/account/service-transfers";

test("a created service transfer is also listed as an entity transfer", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { send } = one;
  const { id, path } = await machine(one);
  const created = await send(`POST ${all}`, { body: { entities: { computes: [id] } } });
  expect(created.body).toMatchObject({ status: "pending", is_sender: true, entities: { computes: [id] } });
  expect(history(one).slice(-1)).toEqual(["entity_transfer_create notification"]);
  for (const list of [all, "/account/entity-transfers"] as const)
    expect((await send(`GET ${list}`)).body).toMatchObject({ results: 1, data: [created.body] });
  expect((await send(`GET ${all}`, { filter: { status: "stale" } })).body.results).toBe(0);
  expect((await send(`GET /account/entity-transfers/${created.body.token}`)).body).toEqual(created.body);
  await send("POST /_emulator/transfers/accept", { body: { token: created.body.token } });
  one.settle();
  expect((await send(`GET ${all}`)).body.data).toMatchObject([{ status: "completed" }]);
  expect((await send(`GET ${path}`)).status).toBe(404);
});

test("only instances can be transferred", async () => {
  proves(rule(8));
  await using one = await cloud();
  const rejected = await one.send(`POST ${all}`, { body: { entities: { computes: [], volumes: [7] } } });
  expect(messages(rejected)).toContain("entities.volumes: Is not a known field");
});

test("only unrestricted users can list and create service transfers", async () => {
  proves(rule(2));
  await using one = await cloud();
  const { id } = await machine(one);
  const token = await restricted(one, { global: { account_access: "read_write" } });
  expect((await one.send(`GET ${all}`, { token })).status).toBe(403);
  expect((await one.send(`POST ${all}`, { token, body: { entities: { computes: [id] } } })).status).toBe(403);
});
