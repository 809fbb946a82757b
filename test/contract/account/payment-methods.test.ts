import { expect } from "vitest";
import { type Cloud, messages, test } from "../cloud";
import { proves } from "../proves";
import { card, days, outside, rule, visa } from "./billing";

const list = async ({ send }: Cloud) => (await send("GET /account/payment-methods")).body.data;
const add = ({ send }: Cloud, data: object = {}, method: object = {}) =>
  send("POST /account/payment-methods", { body: { data: { ...visa, ...data }, ...method } });

test("adds, lists, views and deletes payment methods", async (one) => {
  const first = await card(one);
  const second = await card(one, { card_number: "30000000000004", expiry_month: 11 });
  const entry = {
    ...{ id: second, type: "credit_card", is_default: false, created: "2022-01-01T00:00:00" },
    data: { card_type: "Diners Club", last_four: "0004", expiry: "11/2030" },
  };
  expect((await one.send(`GET /account/payment-methods/${second}`)).body).toEqual(entry);
  expect(await list(one)).toEqual([expect.objectContaining({ id: first, is_default: true }), entry]);
  expect(await one.send(`DELETE /account/payment-methods/${second}`)).toMatchObject({ status: 200, body: {} });
  expect(await list(one)).toHaveLength(1);
});

test.each([
  ["4012888888881881", "Visa"],
  ["5555555555554444", "MasterCard"],
  ["2223003122003222", "MasterCard"],
  ["371449635398431", "American Express"],
  ["6011111111111117", "Discover"],
  ["3530111333300000", "JCB"],
  ["30569309025904", "Diners Club"],
])("the first digits of %s are those of %s", async (one, card_number, card_type) => {
  await card(one, { card_number });
  expect(await list(one)).toMatchObject([{ data: { card_type, last_four: card_number.slice(-4) } }]);
});

test("a new default method, and make-default, replace the previous default", async (one) => {
  proves(rule(3));
  const defaults = async () =>
    (await list(one)).filter(({ is_default }: never) => is_default).map(({ id }: never) => id);
  const first = await card(one, {}, { is_default: false });
  expect(await defaults()).toEqual([first]);
  const second = await card(one, { card_number: "5500005555555559" }, { is_default: true });
  expect(await defaults()).toEqual([second]);
  expect((await one.send("GET /account")).body.credit_card.last_four).toBe("5559");
  const third = await card(one);
  expect(await defaults()).toEqual([second]);
  for (const id of [third, third, first]) {
    const created = await one.send(`POST /account/payment-methods/${id}/make-default`);
    expect(created).toMatchObject({ status: 200, body: {} });
    expect(await defaults()).toEqual([id]);
  }
});

test("rejects deleting the default method", async (one) => {
  proves(rule(3));
  const id = await card(one);
  const rejected = await one.send(`DELETE /account/payment-methods/${id}`);
  expect(messages(rejected)).toEqual([
    "The default payment method cannot be deleted; make another one the default first",
  ]);
  await card(one, {}, { is_default: true });
  expect((await one.send(`DELETE /account/payment-methods/${id}`)).status).toBe(200);
});

test("rejects a seventh active payment method", async (one) => {
  proves(rule(3), "part 3 · Limits · limit 4");
  for (let at = 0; at < 6; at++) await card(one);
  const full = "The account already has 6 payment methods, and at most 6 are allowed: delete one first";
  expect(messages(await add(one))).toEqual([full]);
  await one.send(`DELETE /account/payment-methods/${(await list(one))[5].id}`);
  await card(one);
  expect(await list(one)).toHaveLength(6);
});

test("rejects more than 60 additions in a day, even if some were deleted since", async (one) => {
  proves(rule(3), "part 3 · Limits · limit 4");
  await card(one);
  one.advance(3_600_000);
  for (let at = 1; at < 60; at++) await one.send(`DELETE /account/payment-methods/${await card(one)}`);
  const max = "60 payment methods were added in the last 24 hours, which is the maximum";
  expect(messages(await add(one))).toEqual([max]);
  expect((await one.send("POST /account/credit-card", { body: visa })).status, "an edit adds nothing").toBe(200);
  one.advance(days(1) - 3_601_000);
  expect(messages(await add(one))).toEqual([max]);
  one.advance(1000);
  await card(one);
  expect(messages(await add(one))).toEqual([max]);
  one.advance(days(1));
  await card(one);
  expect(one.world.paymentMethods.size, "rows of deleted methods are not kept for ever").toBeLessThanOrEqual(3);
});

test("the billing address must be set before a card is added", async (one) => {
  proves(rule(3));
  await one.send("PUT /account", { body: { zip: " ", city: "" } });
  expect(messages(await add(one))).toEqual([
    "The account's billing address is incomplete: set city, zip with PUT /v4/account",
  ]);
  await one.send("PUT /account", { body: { zip: "10115", city: "Berlin" } });
  expect((await add(one)).status).toBe(200);
});

test("rejects other types of payment methods, which only the web console can add", async (one) => {
  proves(rule(3));
  const rejected = await add(one, {}, { type: "google_pay" });
  expect(rejected.status).toBe(400);
  expect(rejected.body.errors).toMatchObject([{ field: "type" }]);
  const { cvv: _, ...data } = visa;
  await outside(one, "payment-methods", { type: "google_pay", data });
  expect(await list(one)).toMatchObject([{ type: "google_pay", is_default: true, data: { last_four: "1111" } }]);
});

test.each([
  ["card_number", "1".repeat(13), false],
  ["card_number", "1".repeat(14), true],
  ["card_number", "1".repeat(24), true],
  ["card_number", "1".repeat(25), false],
  ["card_number", "4111 1111 1111 1111", false],
  ["card_number", "4111-1111-1111-1111", false],
  ["cvv", "12", false],
  ["cvv", "1234", true],
  ["cvv", "12345", false],
  ["cvv", "12a", false],
])("%s may be %s: %s", async (one, field, value, fine) => {
  proves("part 3 · Limits · limit 4");
  const response = await add(one, { [field]: value });
  expect(response.status).toBe(fine ? 200 : 400);
  if (fine) return;
  expect(response.body.errors).toMatchObject([{ field: `data.${field}` }]);
  expect(JSON.stringify(response.body), "no secret in a refusal").not.toContain(value);
});

test.each([
  [{ expiry_month: 3, expiry_year: 2022 }, undefined],
  [{ expiry_month: 2, expiry_year: 2022 }, "data.expiry_month: Must be 3 or later in 2022: the card has expired"],
  [{ expiry_month: 12, expiry_year: 2021 }, "data.expiry_year: Must be 2022 or later"],
  [{ expiry_month: 1, expiry_year: 2023 }, undefined],
])("part 3 · Resources · Payment method: in March 2022 a card may expire in %j: %s", async (one, expiry, problem) => {
  one.advance(days(31 + 28));
  const response = await add(one, expiry);
  if (problem) expect(messages(response)).toEqual([problem]);
  else expect(response.status).toBe(200);
});

test("the stored part of a card is not enough for a payment", async (one) => {
  const planted = { card_number: "4929000000006123", cvv: "7531" };
  await card(one, planted);
  await one.send("POST /account/credit-card", { body: { ...visa, ...planted } });
  await one.send("POST /account/payments", { body: { usd: "5.00", cvv: planted.cvv } });
  for (const path of [
    "/_emulator/state",
    "/_emulator/requests",
    "/v4/account",
    "/v4/account/payment-methods",
  ] as const) {
    const text = JSON.stringify((await one.send(`GET ${path}`)).body);
    for (const secret of Object.values(planted)) expect(text).not.toContain(`"${secret}"`);
    expect(text).not.toContain(planted.card_number);
  }
  const [logged] = one.requests.list();
  expect(logged?.body).toMatchObject({ data: { card_number: "[secret]", cvv: "[secret]", expiry_month: 1 } });
});
