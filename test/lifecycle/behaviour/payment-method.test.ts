import { describe, expect } from "vitest";
import { diff } from "../../../provider/engine/diff";
import { read } from "../../../provider/engine/observe";
import { kinds } from "../../../provider/resources";
import { Managed } from "../../../testing/provider";
import type { Account } from "./accounts";
import { testsOf } from "./tests";

const test = testsOf("PaymentMethod");

const visa = { cardNumber: "4111111111111111", expiryMonth: 1, expiryYear: 2031, cvv: "123" };
const other = { ...visa, cardNumber: "4000000000000002" };

const card = (digits: string) => ({ card_number: digits, expiry_month: 12, expiry_year: 2032, cvv: "321" });
const add = ({ api }: Account, digits: string) => api.paymentMethods.add({ body: { data: card(digits) } });
const cards = ({ world }: Account) =>
  world.paymentMethods.by("active", true).map(({ data, is_default }) => `${data.last_four}${is_default ? "*" : ""}`);

describe("PaymentMethod", () => {
  test("adds a card once, with the fields that the API returns as outputs", async ({ world, it }) => {
    await it.up({ data: visa });
    expect(it.outs).toMatchObject({ cardType: "Visa", lastFour: "1111", expiry: "01/2031", isDefault: true });
    // The first payment method of an account is the default, even if the program declares the opposite.
    expect((await it.up({ data: visa, isDefault: false })).op).toBe("same");
    expect(await it.refresh()).toBe("same");
    expect(world.calls()).toEqual(["paymentMethods.add"]);
  });

  test("a card whose listing failed is searched again, without a duplicate", async ({ world, it }) => {
    await add(world, "5555555555554444");
    world.emulator.faults.add({ kind: "status", status: 400, path: "paymentMethods.list", nth: 3 });
    await it.up({ data: visa });
    expect(cards(world)).toEqual(["4444*", "1111"]);
  });

  test("the error about a card that cannot be found after it was added contains the reason", async ({ world, it }) => {
    world.emulator.faults.add({ kind: "status", status: 400, path: "paymentMethods.list", nth: 3, times: 2 });
    await expect(it.up({ data: visa })).rejects.toThrow(
      "paymentMethods.add: the response was lost (it does not contain the id of the card); the request may have been carried out",
    );
  });

  test("isDefault true makes the card the default again, and false does not manage it", async ({ world }) => {
    await add(world, "5555555555554444");
    const [one, two] = [new Managed("PaymentMethod", world.host), new Managed("PaymentMethod", world.host)];
    await one.up({ data: visa, isDefault: true });
    await two.up({ data: other, isDefault: false });
    await world.api.paymentMethods.makeDefault({ path: { paymentMethodId: Number(two.id) } });
    expect(await two.refresh()).toBe("same");
    expect(await one.refresh()).toBe("changed");
    world.calls();
    await one.up({ data: visa, isDefault: true });
    expect(world.calls()).toEqual(["paymentMethods.makeDefault"]);
    expect(cards(world)).toEqual(["4444", "1111*", "0002"]);
  });

  test("another card becomes the default before the old one is deleted", async ({ world, it }) => {
    await it.up({ data: visa });
    const { id } = it;
    world.calls();
    await it.up({ data: other });
    expect(world.calls()).toEqual(["paymentMethods.add", "paymentMethods.makeDefault", "paymentMethods.delete"]);
    expect(world.messages()).toEqual([
      `PaymentMethod ${id} (Visa ending in 1111) was the default payment method; payments are now charged to ${it.id} (Visa ending in 0002)`,
    ]);
    expect(cards(world)).toEqual(["0002*"]);
  });

  test("the error about a default method without a replacement explains what to do", async ({ world, it }) => {
    await it.up({ data: visa });
    await expect(it.destroy()).rejects.toThrow(
      `PaymentMethod ${it.id} (Visa ending in 1111) is the account's only payment method and cannot be deleted. Add another one first`,
    );
    await add(world, "5555555555554444");
    await add(world, "5105105105105100");
    await expect(it.destroy()).rejects.toThrow(
      /is the default payment method and cannot be deleted\. First make one of these the default: \d+ \(MasterCard ending in 4444\), \d+ \(MasterCard ending in 5100\)$/,
    );
    expect(cards(world)).toEqual(["1111*", "4444", "5100"]);
  });

  test("recognizes a card that was added outside Pulumi by the fields that the API returns", async ({ world }) => {
    await add(world, "5555555555554444");
    const [{ id } = { id: 0 }] = world.world.paymentMethods.all();
    const found = await read(kinds.PaymentMethod, world.host, String(id), {});
    const want = { type: "credit_card", data: card("5555555555554444") };
    expect(diff(kinds.PaymentMethod, found?.outs ?? {}, want).changed).toEqual([]);
    expect(diff(kinds.PaymentMethod, found?.outs ?? {}, { ...want, data: card("4111111111111111") }).replaces).toEqual([
      "data",
    ]);
  });
});
