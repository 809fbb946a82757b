import { expect } from "vitest";
import { test } from "../cloud";
import { outside } from "./billing";

test("lists and views invoices with their items, and adds them to the balance", async (one) => {
  await outside(one, "account", { balance_uninvoiced: 20 });
  const hours = { from: "2021-12-01T00:00:00", to: "2022-01-01T00:00:00" };
  const created = await outside(one, "invoices", {
    items: [
      { label: "g6-nanode-1", type: "hourly", quantity: 744, unit_price: "0.0075", tax: 0.42, ...hours },
      { label: "Setup", unit_price: "10.00" },
      { label: "Regret", unit_price: "-1.10" },
    ],
  });
  const invoice = {
    id: created.id,
    date: "2022-01-01T00:00:00",
    label: `Invoice #${created.id}`,
    subtotal: 14.48,
    tax: 0.42,
    total: 14.9,
  };
  expect((await one.send(`GET /account/invoices/${created.id}`)).body).toEqual(invoice);
  await outside(one, "invoices", { label: "December", items: [{ label: "Advice", quantity: 2, unit_price: "50" }] });
  const { body } = await one.send("GET /account/invoices");
  expect(body).toMatchObject({ results: 2, data: [invoice, { label: "December", total: 100 }] });
  expect((await one.send(`GET /account/invoices/${created.id}/items`)).body).toMatchObject({
    results: 3,
    data: [
      { label: "g6-nanode-1", type: "hourly", quantity: 744, unit_price: "0.0075", amount: 5.58, total: 6, ...hours },
      { label: "Setup", type: "misc", quantity: 1, amount: 10, tax: 0, total: 10, from: null, to: null },
      { label: "Regret", amount: -1.1, total: -1.1 },
    ],
  });
  expect((await one.send("GET /account")).body).toMatchObject({ balance: 114.9, balance_uninvoiced: 0 });
  expect((await one.send("GET /account/invoices/7/items")).status).toBe(404);
});

test("rejects an invalid invoice of a control request with the reason", async (one) => {
  const items = [{ unit_price: "1,000", tax: 0.001, from: "2022-02-30T00:00:00" }];
  const { status, body } = await one.send("POST /_emulator/invoices", { body: { items } });
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    { field: "items.0.tax", reason: "Must be an amount in dollars with at most two decimals" },
    { field: "items.0.from", reason: "Must be a valid date and time" },
    { field: "items.0.label", reason: "Is required" },
    { field: "items.0.unit_price", reason: "Must be a price such as 0.0075" },
  ]);
  expect((await one.send("GET /account/invoices")).body.results).toBe(0);
});
