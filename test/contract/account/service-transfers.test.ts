import { expect } from "vitest";
import { history, messages, test } from "../cloud";
import { machine } from "../compute/instance";
import { proves } from "../proves";
import { rule } from "./billing";

const all = "/account/service-transfers";

test("a created service transfer is also listed as an entity transfer", async (one) => {
  proves(rule(8));
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

test("only instances can be transferred", async (one) => {
  proves(rule(8));
  const rejected = await one.send(`POST ${all}`, { body: { entities: { computes: [], volumes: [7] } } });
  expect(messages(rejected)).toContain("entities.volumes: Is not a known field");
});
