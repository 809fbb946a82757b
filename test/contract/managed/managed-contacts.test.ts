import { expect } from "vitest";
import { messages, test } from "../cloud";

const all = "/managed/contacts";
const ada = { name: "Ada L-1_x", email: "ada@example.org", phone: { primary: "+1 555 123-4567", secondary: null } };

test("part 2 · Resources · Managed contact: creates, views, lists, updates and deletes a contact", async (one) => {
  const { send } = one;
  const created = await send(`POST ${all}`, { body: { ...ada, group: "on-call" } });
  expect(created.body).toEqual({ ...ada, id: expect.any(Number), group: "on-call", updated: one.world.clock.time() });
  const path = `${all}/${created.body.id}` as const;
  expect((await send(`GET ${path}`)).body).toEqual(created.body);
  await send(`POST ${all}`, { body: { name: "Bob", email: "bob@example.org" } });
  expect((await send(`GET ${all}`)).body.results).toBe(2);
  expect((await send(`GET ${all}`, { filter: { group: "on-call" } })).body.data).toEqual([created.body]);
  one.advance(1000);
  const changed = await send(`PUT ${path}`, { body: { phone: { secondary: "555.9999" }, group: null } });
  const phone = { primary: "+1 555 123-4567", secondary: "555.9999" };
  expect(changed.body).toEqual({ ...created.body, phone, group: null, updated: one.world.clock.time() });
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
});

test("rejects an invalid phone number", async (one) => {
  const phone = { primary: "call me", secondary: "1".repeat(33) };
  expect(messages(await one.send(`POST ${all}`, { body: { ...ada, phone } }))).toEqual([
    "phone.primary: Must be a phone number such as +1 555 123 4567",
    "phone.secondary: Must be at most 32 characters long",
  ]);
});
