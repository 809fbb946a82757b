import { expect } from "vitest";
import { paymentBounds } from "../../../api";
import { type Cloud, history, messages, test } from "../cloud";
import { proves } from "../proves";
import { card, days, outside, rule } from "./billing";

const pay = ({ send }: Cloud, usd: string, more: object = {}) =>
  send("POST /account/payments", { body: { usd, cvv: "123", ...more } });
const balance = async ({ send }: Cloud) => (await send("GET /account")).body.balance;

test("makes, lists and views payments, which reduce the balance", async (one) => {
  await card(one);
  await outside(one, "account", { balance: 20.1 });
  const created = await pay(one, "20.00");
  expect(created).toMatchObject({ status: 200, body: { usd: 20, date: "2022-01-01T00:00:00" } });
  expect(await balance(one)).toBe(0.1);
  await pay(one, "$7.35");
  expect(await balance(one)).toBe(-7.25);
  const { data } = (await one.send("GET /account/payments")).body;
  expect(data).toMatchObject([created.body, { usd: 7.35 }]);
  expect((await one.send(`GET /account/payments/${created.body.id}`)).body).toEqual(created.body);
});

test("charges the default payment method unless the request names another one", async (one) => {
  proves(rule(4));
  expect(messages(await pay(one, "5.00"))).toEqual([
    "payment_method_id: The account does not have a payment method to charge",
  ]);
  await card(one, { expiry_year: 2022 });
  const other = await card(one, { card_number: "5500005555555559" });
  one.advance(days(31));
  expect(messages(await pay(one, "5.00"))).toEqual(["The card ending in 1111 expired after 01/2022"]);
  expect((await pay(one, "5.00", { payment_method_id: other })).status).toBe(200);
  await one.send(`POST /account/payment-methods/${other}/make-default`);
  expect((await pay(one, "5.00")).status).toBe(200);
  expect(messages(await pay(one, "5.00", { payment_method_id: 7 }))).toEqual([
    "payment_method_id: There is no payment method 7",
  ]);
});

test.each([
  ["20.00", true],
  ["$20.99", true],
  ["20", false],
  ["20.5", false],
  ["20.000", false],
  ["1,000.00", false],
  ["$$20.00", false],
  ["-20.00", false],
  ["£20.00", false],
  [" 20.00", false],
  ["20.00\n", false],
])(
  "usd is an amount in dollars and cents without commas, with or without a dollar sign: %j: %s",
  async (one, usd, fine) => {
    proves(rule(4));
    await card(one);
    const response = await pay(one, usd);
    if (fine) expect(response).toMatchObject({ status: 200, body: { usd: Number(usd.replace("$", "")) } });
    else
      expect(messages(response)).toEqual([
        "usd: Must be an amount in dollars and cents, such as 20.00 or $20.00, without commas",
      ]);
  },
);

test("a card requires its security code, other methods do not, and a charge can fail", async (one) => {
  proves(rule(4));
  const data = { card_number: "4111111111111111", expiry_month: 1, expiry_year: 2030 };
  const { id } = await outside(one, "payment-methods", { type: "google_pay", data });
  const visa = await card(one);
  const without = (payment_method_id: number) =>
    one.send("POST /account/payments", { body: { usd: "5.00", payment_method_id } });
  expect((await without(id)).status).toBe(200);
  expect(messages(await without(visa))).toEqual(["cvv: Is required when a card is charged"]);
  await outside(one, "account", { decline: true });
  const before = one.world.payments.size;
  expect(messages(await pay(one, "5.00"))).toEqual(["The card ending in 1111 was declined"]);
  expect(one.world.payments.size).toBe(before);
  expect(await balance(one)).toBe(-5);
});

const urls = { redirect_url: "https://shop.example/paid?order=1", cancel_url: "https://shop.example/cancelled" };
const stage = ({ send }: Cloud, usd: string, more: object = {}) =>
  send("POST /account/payments/external", { body: { usd, ...urls, ...more } });
const execute = ({ send }: Cloud, body: object) => send("POST /account/payments/external/execute", { body });

test("an external payment is created, approved at the processor and then executed once", async (one) => {
  proves(rule(5));
  await outside(one, "account", { balance: 30 });
  const staged = await stage(one, "25.50");
  expect(staged).toMatchObject({ status: 200, body: { payment_id: expect.stringMatching(/^PAYID-/) } });
  const { payment_id } = staged.body;
  expect(messages(await execute(one, { payment_id, payer_id: "X" }))).toEqual([
    "payment_id: The user has not approved the payment at the processor yet",
  ]);
  expect(await balance(one)).toBe(30);
  const { payer_id, url } = await outside(one, "external-payments", { payment_id });
  expect(url).toBe(`https://shop.example/paid?order=1&paymentId=${payment_id}&PayerID=${payer_id}`);
  expect(messages(await execute(one, { payment_id, payer_id: "X" }))).toEqual([
    "payer_id: Must be the payer who approved the payment",
  ]);
  const created = await execute(one, { payment_id, payer_id });
  expect(created).toMatchObject({ status: 200, body: { usd: 25.5 } });
  expect((await one.send(`GET /account/payments/${created.body.id}`)).body).toEqual(created.body);
  expect(await balance(one)).toBe(4.5);
  expect(history(one)).toEqual(["payment_submitted notification"]);
  expect(messages(await execute(one, { payment_id, payer_id }))).toEqual([
    "payment_id: There is no such external payment. Create one with POST /account/payments/external first",
  ]);
  expect(await balance(one)).toBe(4.5);
});

test("an external payment expires if it is not approved and executed in time", async (one) => {
  proves(rule(5));
  const { payment_id } = (await stage(one, "25.00")).body;
  const { url, payer_id } = await outside(one, "external-payments", { payment_id, approve: false });
  expect({ url, payer_id }).toEqual({ url: urls.cancel_url, payer_id: null });
  const late = (await stage(one, "25.00")).body.payment_id;
  const approved = await outside(one, "external-payments", { payment_id: late });
  one.advance(3 * 3_600_000);
  for (const body of [
    { payment_id, payer_id: "X" },
    { payment_id: late, payer_id: approved.payer_id },
  ])
    expect(messages(await execute(one, body))).toEqual([
      "payment_id: There is no such external payment. Create one with POST /account/payments/external first",
    ]);
  expect((await one.send("GET /account/payments")).body.results).toBe(0);
});

test("a wait for all jobs does not last until an external payment expires", async (one) => {
  const { payment_id } = (await stage(one, "25.00")).body;
  const { payer_id } = await outside(one, "external-payments", { payment_id });
  one.settle();
  expect((await execute(one, { payment_id, payer_id })).status).toBe(200);
});

test("an external payment that the user has cancelled at the processor no longer exists", async (one) => {
  proves(rule(5));
  const { payment_id } = (await stage(one, "25.00")).body;
  await outside(one, "external-payments", { payment_id, approve: false });
  expect(messages(await execute(one, { payment_id, payer_id: "X" }))).toEqual([
    "payment_id: There is no such external payment. Create one with POST /account/payments/external first",
  ]);
});

test("rejects redirect URLs that are not web pages", async (one) => {
  const rejected = await stage(one, "5.00", { redirect_url: "javascript:alert(1)", cancel_url: "shop" });
  expect(messages(rejected)).toEqual([
    "redirect_url: Must be a URL that begins with https:// or http://",
    "cancel_url: Must be a URL that begins with https:// or http://",
  ]);
});

test("rejects payments below the minimum and above the maximum", () => {
  expect(paymentBounds(4)).toEqual({ card: { min: 4, max: 2000 }, external: { min: 5, max: 2000 } });
});

test.each([
  ["payment", 0, "4.99", "Must be from 5.00 to 2000.00"],
  ["payment", 0, "5.00", undefined],
  ["payment", 0, "2000.00", undefined],
  ["payment", 0, "2000.01", "Must be from 5.00 to 2000.00"],
  ["payment", -50, "4.99", "Must be from 5.00 to 2000.00"],
  ["payment", 3.2, "3.20", undefined],
  ["payment", 3.2, "3.19", "Must be from 3.20 to 2000.00"],
  ["payment", 3000, "3000.00", undefined],
  ["payment", 3000, "3000.01", "Must be from 5.00 to 3000.00"],
  ["payment", 90_000, "50000.00", undefined],
  ["payment", 90_000, "50000.01", "Must be from 5.00 to 50000.00"],
  ["external payment", 0, "4.99", "Must be from 5.00 to 2000.00"],
  ["external payment", 3, "3.00", "Must be from 5.00 to 2000.00"],
  ["external payment", 0, "5.00", undefined],
  ["external payment", 0, "2000.00", undefined],
  ["external payment", 6000, "6000.00", undefined],
  ["external payment", 6000, "6000.01", "Must be from 5.00 to 6000.00"],
  ["external payment", 90_000, "10000.00", undefined],
  ["external payment", 90_000, "10000.01", "Must be from 5.00 to 10000.00"],
])("a %s with a balance of %d, of %s: %s", async (one, kind, pending, usd, problem) => {
  proves(rule(kind === "payment" ? 4 : 5), "part 3 · Limits · limit 5");
  await card(one);
  await outside(one, "account", { balance: pending });
  const response = await (kind === "payment" ? pay : stage)(one, usd);
  expect([response.status, ...(problem ? messages(response) : [])]).toEqual(problem ? [400, `usd: ${problem}`] : [200]);
});
