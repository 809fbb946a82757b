import { describe, expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { cloud } from "../../../testing/cloud";
import { Managed } from "../../../testing/provider";
import { refusals } from "./refusals";

const data = { cardNumber: "4111111111111111", expiryMonth: 1, expiryYear: 2031, cvv: "123" };

describe("PaymentMethod", () => {
  const method = (inputs: Bag) => refusals("PaymentMethod", inputs);

  test("no message shows a payment card", async () => {
    expect(await method({})).toMatchInlineSnapshot(`"data: is required"`);
    expect(await method({ data: { ...data, cardNumber: "4111 1111 1111 1111", cvv: "12" } })).toMatchInlineSnapshot(`
      "data.cardNumber: must contain only digits, without spaces or dashes (given [secret])
      data.cvv: must be at least 3 characters long (given [secret])"
    `);
    expect(await method({ data: { ...data, expiryMonth: 13, expiryYear: 31 } })).toMatchInlineSnapshot(`
      "data.expiryMonth: must be at most 12 (given [secret])
      data.expiryYear: must be at least 1000 (given [secret])"
    `);
    expect(await method({ data: { ...data, cardNumbr: data.cardNumber } })).toMatchInlineSnapshot(
      `"data.cardNumbr: is not a known field; did you mean "cardNumber"?"`,
    );
    expect(await method({ data: data.cardNumber })).toMatchInlineSnapshot(
      `"["data"]: must be an object (given [secret])"`,
    );
    expect(await method({ data, type: "google_pay" })).toMatchInlineSnapshot(
      `"type: must be "credit_card" (given "google_pay")"`,
    );
  });

  test("an error of the API does not show the card either", async () => {
    await using world = await cloud();
    const it = new Managed("PaymentMethod", world.host);
    await expect(it.up({ data: { ...data, expiryYear: 2001 } })).rejects.toThrowErrorMatchingInlineSnapshot(
      `[ApiError: paymentMethods.add: 400 data.expiry_year: Must be 2022 or later]`,
    );
  });
});

describe("AccountContact", () => {
  test("rejects invalid addresses", async () => {
    expect(
      await refusals("AccountContact", { country: "usa", email: "me", zip: "(19106)", firstName: "x".repeat(51) }),
    ).toMatchInlineSnapshot(`
      "country: must be a country code of two letters, such as US (given "usa")
      email: must be an email address (given "me")
      firstName: must be at most 50 characters long (given "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
      zip: must contain only letters, digits, spaces and hyphens, and at most 9 letters or digits (given "(19106)")"
    `);
    expect(await refusals("AccountContact", { activePromotions: [], balance: 0 })).toMatchInlineSnapshot(`
      "["activePromotions"]: is not a known field
      balance: is not a known field"
    `);
  });
});

describe("ServiceTransfer", () => {
  const transfer = (inputs: Bag) => refusals("ServiceTransfer", inputs);

  test("rejects instances that cannot be offered", async () => {
    expect(await transfer({})).toMatchInlineSnapshot(`"entities: is required"`);
    expect(await transfer({ entities: { computes: [] } })).toMatchInlineSnapshot(
      `"entities.computes: must have at least 1 entry (given [])"`,
    );
    expect(await transfer({ entities: { computes: [1, 2, 1], volumes: [3] } })).toMatchInlineSnapshot(`
      "entities.computes: must not list an instance twice (given [1,2,1])
      entities.volumes: is not a known field"
    `);
  });
});
