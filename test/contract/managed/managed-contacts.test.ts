import { expect, test } from "vitest";
import { cloud, restricted } from "../cloud";
import { messages } from "../compute/instance";
import { proves } from "../proves";

const all = "/managed/contacts";
const ada = { name: "Ada L-1_x", email: "ada@example.org", phone: { primary: "+1 555 123-4567", secondary: null } };

test("part 2 · Resources · Managed contact: creates, views, lists, updates and deletes a contact", async () => {
  await using one = await cloud();
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
  expect(changed.body).toEqual({
    ...created.body,
    phone: { primary: "+1 555 123-4567", secondary: "555.9999" },
    group: null,
    updated: one.world.clock.time(),
  });
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  expect((await send(`GET ${path}`)).status).toBe(404);
});

test("part 2 · Resources · Managed contact: no field is required", async () => {
  await using one = await cloud();
  const { body } = await one.send(`POST ${all}`, { body: {} });
  expect(body).toEqual({
    id: expect.any(Number),
    name: "",
    email: "",
    phone: { primary: null, secondary: null },
    group: null,
    updated: one.world.clock.time(),
  });
  const { body: named } = await one.send(`PUT ${all}/${body.id}`, { body: { name: "Ada" } });
  expect(named).toMatchObject({ id: body.id, name: "Ada" });
});

test.each([
  ["name", "A", "Must be at least 2 characters long"],
  ["name", "x".repeat(65), "Must be at most 64 characters long"],
  ["name", "A+B", "Must contain only letters, digits, spaces, dashes and underscores"],
  ["group", "x", "Must be at least 2 characters long"],
  ["group", "x".repeat(51), "Must be at most 50 characters long"],
  ["email", "nobody", "Must be an email address"],
  [
    "email",
    `${"x".repeat(65)}@example.org`,
    "Must have at most 64 characters before the @ and 63 in each part after it",
  ],
])("rejects a contact whose %s is %j", async (field, value, reason) => {
  proves("part 2 · Limits · limit 1");
  await using one = await cloud();
  expect(messages(await one.send(`POST ${all}`, { body: { ...ada, [field]: value } }))).toEqual([
    `${field}: ${reason}`,
  ]);
});

test("accepts a contact's name and group of the maximum length", async () => {
  proves("part 2 · Limits · limit 1");
  await using one = await cloud();
  for (const [name, group] of [
    ["ab", "ab"],
    ["x".repeat(64), "x".repeat(50)],
  ])
    expect((await one.send(`POST ${all}`, { body: { ...ada, name, group } })).status).toBe(200);
});

test("rejects an invalid phone number", async () => {
  await using one = await cloud();
  const phone = { primary: "call me", secondary: "1".repeat(33) };
  expect(messages(await one.send(`POST ${all}`, { body: { ...ada, phone } }))).toEqual([
    "phone.primary: Must be a phone number such as +1 555 123 4567",
    "phone.secondary: Must be at most 32 characters long",
  ]);
});

test("only unrestricted users can use contacts", async () => {
  await using one = await cloud();
  const token = await restricted(one, { global: { account_access: "read_write" } });
  expect((await one.send(`GET ${all}`, { token })).status).toBe(403);
  expect((await one.send(`POST ${all}`, { token, body: ada })).status).toBe(403);
});
