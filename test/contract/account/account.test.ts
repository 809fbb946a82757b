import { expect } from "vitest";
import { history, messages, test } from "../cloud";
import { machine } from "../compute/instance";
import { proves } from "../proves";
import { card, days, outside, rule, visa } from "./billing";

test("views and updates the account", async (one) => {
  const { body } = await one.send("GET /account");
  expect(body).toMatchObject({
    active_promotions: [],
    active_since: "2022-01-01T00:00:00",
    balance: 0,
    balance_uninvoiced: 0,
    credit_card: { last_four: null, expiry: null },
    tax_id: null,
  });
  expect(body.capabilities).toEqual(expect.arrayContaining(["Block Storage", "Computes"]));
  const changes = { company: "Example Ltd", country: "DE", zip: "10115", tax_id: "DE 123", email: "a@example.org" };
  const changed = await one.send("PUT /account", { body: changes });
  expect(changed).toMatchObject({ status: 200, body: { ...body, ...changes } });
  expect((await one.send("GET /account")).body).toEqual(changed.body);
  expect(history(one)).toEqual(["account_update notification"]);
  const [event] = (await one.send("GET /account/events")).body.data;
  expect(event.entity).toMatchObject({ type: "account", label: "Example Ltd", url: "/v4/account" });
  expect((await one.send("PUT /account", { body: { tax_id: null } })).body.tax_id).toBeNull();
});

test.each(["gb", "Gb", "GB"])("the country code %s is returned in upper case", async (one, country) => {
  expect((await one.send("PUT /account", { body: { country } })).body.country).toBe("GB");
  expect((await one.send("GET /account")).body.country).toBe("GB");
});

test("the account's euuid has groups of 8, 4, 4 and 16 digits", async (one) => {
  expect((await one.send("GET /account")).body.euuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{16}$/i);
});

test("a zip code can be a number, and is returned as a text", async (one) => {
  const { body } = await one.send("PUT /account", { body: { zip: 19106 } });
  expect(body.zip).toBe("19106");
  expect((await one.send("GET /account")).body.zip).toBe("19106");
  for (const zip of [1_234_567_890, -1, 1.5, true, [19106]])
    expect([zip, messages(await one.send("PUT /account", { body: { zip } })).length]).toEqual([zip, 1]);
});

test("rejects changed read-only fields, and promotions unless they are omitted or unchanged", async (one) => {
  const { active_since } = (await one.send("GET /account")).body;
  const rejected = await one.send("PUT /account", { body: { balance: -1000, active_since: "2020-01-01T00:00:00" } });
  expect(messages(rejected)).toEqual([
    `active_since: Is read-only: omit it or send it unchanged ("${active_since}")`,
    "balance: Is read-only: omit it or send it unchanged (0)",
  ]);
  await outside(one, "promo-codes", { code: "WELCOME", credit: 100 });
  await one.send("POST /account/promo-codes", { body: { promo_code: "WELCOME" } });
  const { active_promotions } = (await one.send("GET /account")).body;
  expect((await one.send("PUT /account", { body: { active_promotions } })).status).toBe(200);
  const richer = [{ ...active_promotions[0], credit_remaining: "9999.00" }];
  for (const value of [richer, []]) {
    const body = { active_promotions: value };
    expect(messages(await one.send("PUT /account", { body }))).toEqual([
      "active_promotions: Is read-only and can be changed only by promo codes: omit it or send it unchanged",
    ]);
  }
});

test("adds a credit card as the default method, then replaces it", async (one) => {
  expect(await one.send("POST /account/credit-card", { body: visa })).toMatchObject({ status: 200, body: {} });
  expect((await one.send("GET /account")).body.credit_card).toEqual({ last_four: "1111", expiry: "01/2030" });
  const [method] = (await one.send("GET /account/payment-methods")).body.data;
  const edited = { ...visa, card_number: "5500005555555559", expiry_month: 12, expiry_year: 2022 };
  await one.send("POST /account/credit-card", { body: edited });
  const { data } = (await one.send("GET /account/payment-methods")).body;
  expect(data).toEqual([{ ...method, data: { card_type: "MasterCard", last_four: "5559", expiry: "12/2022" } }]);
  expect(history(one)).toEqual(["credit_card_updated notification", "credit_card_updated notification"]);
  const over = await one.send("POST /account/credit-card", { body: { ...visa, expiry_year: 2021 } });
  expect(messages(over)).toEqual(["expiry_year: Must be 2022 or later"]);
});

test("a new credit card replaces a default method that is not a card", async (one) => {
  await outside(one, "payment-methods", { type: "google_pay", data: { ...visa, cvv: undefined } });
  await one.send("POST /account/credit-card", { body: { ...visa, card_number: "340000000000009" } });
  const { data } = (await one.send("GET /account/payment-methods")).body;
  expect(data).toMatchObject([
    { type: "google_pay", is_default: false },
    { type: "credit_card", is_default: true, data: { card_type: "American Express" } },
  ]);
});

test("a new credit card is rejected if the account already has six payment methods", async (one) => {
  proves(rule(3));
  await outside(one, "payment-methods", { type: "google_pay", data: { ...visa, cvv: undefined } });
  for (let at = 1; at < 6; at++) await card(one, {}, { is_default: false });
  expect(messages(await one.send("POST /account/credit-card", { body: visa }))).toEqual([
    "The account already has 6 payment methods, and at most 6 are allowed: delete one first",
  ]);
  expect((await one.send("GET /account/payment-methods")).body.results).toBe(6);
});

test("cancelling charges the card for the unpaid balance and closes the account", async (one) => {
  proves(rule(1));
  await card(one);
  await outside(one, "account", { balance: 12.3, balance_uninvoiced: 0.4 });
  const cancelled = await one.send("POST /account/cancel", { body: { comments: "moving" } });
  expect(cancelled).toMatchObject({ status: 200, body: { survey_link: expect.stringMatching(/^https:/) } });
  expect(one.world.payments.all()).toMatchObject([{ usd: 12.7 }]);
  expect((await one.send("GET /_emulator/account")).body).toMatchObject({ balance: 0, balance_uninvoiced: 0 });
  await outside(one, "tokens", { token: "late" });
  for (const token of ["emulator", "late"])
    for (const request of ["GET /account", "POST /volumes", "GET /images"] as const)
      expect(await one.send(request, { token })).toMatchObject({
        status: 403,
        body: { errors: [{ reason: "The account was cancelled at 2022-01-01T00:00:00" }] },
      });
  expect((await one.send("GET /account", { token: "none" })).status).toBe(401);
  expect((await one.send("GET /regions", { token: null })).status).toBe(200);
  await one.send("POST /_emulator/reset");
  expect((await one.send("GET /account")).status).toBe(200);
});

test("cancelling fails if the card cannot be charged, and the account stays open", async (one) => {
  proves(rule(1));
  await outside(one, "account", { balance: 12.3 });
  const cancel = async () => messages(await one.send("POST /account/cancel"));
  expect(await cancel()).toEqual([
    "The account does not have a payment method; the account owes $12.30 and stays open",
  ]);
  await card(one, { expiry_year: 2022 });
  await outside(one, "account", { decline: true });
  expect(await cancel()).toEqual(["The card ending in 1111 was declined; the account owes $12.30 and stays open"]);
  await outside(one, "account", { decline: false });
  one.advance(days(31));
  expect(await cancel()).toEqual([
    "The card ending in 1111 expired after 01/2022; the account owes $12.30 and stays open",
  ]);
  expect((await one.send("GET /account")).body.balance).toBe(12.3);
  expect(one.world.payments.size).toBe(0);
});

test("cancelling requires no card if nothing is owed", async (one) => {
  proves(rule(1));
  await outside(one, "account", { balance: -20 });
  expect((await one.send("POST /account/cancel")).status).toBe(200);
  expect(one.world.payments.size).toBe(0);
});

test.each([
  ["resize", { type: "g6-standard-1" }],
  ["mutate", {}],
] as const)("rejects a %s while the account has an unpaid balance", async (one, action, body) => {
  proves("part 1 · Endpoints · Compute instances · rule 11");
  const web = await machine(one, { region: "eu-central", type: "g5-standard-1" });
  await outside(one, "account", { balance: 5.5, balance_uninvoiced: 3 });
  expect(await web.rejected(`POST /${action}`, body)).toEqual([
    "The account owes $5.50; pay the balance before you change the type of an instance",
  ]);
  await card(one);
  await one.send("POST /account/payments", { body: { usd: "5.50", cvv: "123" } });
  await web.request(`POST /${action}`, body);
  expect((await web.view()).type).toBe("g6-standard-1");
});

test("control requests with invalid values are rejected with every problem", async (one) => {
  const rejected = async (what: string, body: object) => {
    const response = await one.send(`POST /_emulator/${what}`, { body });
    expect(response.status).toBe(400);
    return messages(response);
  };
  expect(
    await rejected("account", { balance: 1.234, balance_uninvoiced: -1, active_since: "2022-13-01T00:00:00" }),
  ).toEqual([
    "balance: Must be an amount in dollars with at most two decimals",
    "balance_uninvoiced: Must be at least 0",
    "active_since: Must be a valid date and time",
  ]);
  expect(await rejected("logins", { username: "nemo" })).toEqual([
    'username: There is no user "nemo": POST /_emulator/users creates one',
  ]);
  await outside(one, "promo-codes", { code: "WELCOME", credit: 1 });
  expect(await rejected("promo-codes", { code: "WELCOME", credit: 1 })).toEqual([
    'code: The promo code "WELCOME" already exists',
  ]);
  expect(await rejected("external-payments", { payment_id: "PAYID-1" })).toEqual([
    'payment_id: The external payment processor has no payment "PAYID-1"',
  ]);
  const { cvv: _, ...data } = visa;
  for (let at = 0; at < 6; at++) await outside(one, "payment-methods", { data });
  expect(await rejected("payment-methods", { data })).toEqual(["The account already has 6 payment methods"]);
});
