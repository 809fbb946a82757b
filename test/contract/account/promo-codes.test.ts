import { expect } from "vitest";
import { messages, test } from "../cloud";
import { proves } from "../proves";
import { days, outside, rule } from "./billing";

test("a valid code adds its credit to a new account, once", async (one) => {
  proves(rule(6));
  await outside(one, "promo-codes", { code: "WELCOME", credit: 100, monthly_cap: 40, days: 30 });
  await outside(one, "promo-codes", { code: "MORE", credit: 5 });
  const add = (promo_code: string) => one.send("POST /account/promo-codes", { body: { promo_code } });
  const added = await add("WELCOME");
  expect(added).toMatchObject({
    status: 200,
    body: {
      credit_monthly_cap: "40.00",
      credit_remaining: "100.00",
      this_month_credit_remaining: "40.00",
      expire_dt: "2022-01-31T00:00:00",
      service_type: "all",
    },
  });
  expect((await one.send("GET /account")).body.active_promotions).toEqual([added.body]);
  expect(messages(await add("MORE"))).toEqual(["The account has already used a promo code"]);
  one.advance(days(30));
  expect((await one.send("GET /account")).body.active_promotions).toEqual([]);
  expect(messages(await add("MORE"))).toEqual(["The account has already used a promo code"]);
});

test("rejects an invalid code and an expired one", async (one) => {
  proves(rule(6));
  await outside(one, "promo-codes", { code: "NEW-YEAR", credit: 5, expires: "2022-01-02T00:00:00" });
  const add = (promo_code: string) => one.send("POST /account/promo-codes", { body: { promo_code } });
  expect(messages(await add("new-year"))).toEqual(["promo_code: Is not a valid promo code"]);
  one.advance(days(1));
  expect(messages(await add("NEW-YEAR"))).toEqual(["promo_code: Expired at 2022-01-02T00:00:00"]);
  expect((await one.send("GET /account")).body.active_promotions).toEqual([]);
});

test("rejects a code if the account is older than 90 days", async (one) => {
  proves(rule(6), "part 3 · Limits · limit 7");
  await outside(one, "promo-codes", { code: "WELCOME", credit: 100 });
  const add = () => one.send("POST /account/promo-codes", { body: { promo_code: "WELCOME" } });
  one.advance(days(90));
  expect(messages(await add())).toEqual([
    "The account must be less than 90 days old; it was created at 2022-01-01T00:00:00",
  ]);
  await outside(one, "account", { active_since: "2022-01-01T00:00:01" });
  expect((await add()).status).toBe(200);
});

test("a promo code must have 1 to 32 characters", async (one) => {
  proves("part 3 · Limits · limit 9");
  await outside(one, "promo-codes", { code: "C".repeat(32), credit: 1 });
  const add = async (promo_code: string) =>
    (await one.send("POST /account/promo-codes", { body: { promo_code } })).body.errors?.[0].field;
  expect(await add("")).toBe("promo_code");
  expect(await add("C".repeat(33))).toBe("promo_code");
  expect(await add("C".repeat(32))).toBeUndefined();
});
