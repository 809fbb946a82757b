import { z } from "zod";
import { Id, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

const Money = z.number();

export type Invoice = z.output<typeof Invoice>;
export const Invoice = z.strictObject({
  id: Id,
  date: Time.describe("Issue date in UTC."),
  label: z.string().describe("Label of the invoice."),
  subtotal: Money.describe("Total of the items without tax in US dollars."),
  tax: Money.describe("Total tax in US dollars."),
  total: Money.describe("Total with tax in US dollars."),
});

export type InvoiceItem = z.output<typeof InvoiceItem>;
export const InvoiceItem = z.strictObject({
  amount: Money.describe("Quantity times price, in US dollars."),
  tax: Money.describe("Tax on the item in US dollars."),
  total: Money.describe("Amount with tax in US dollars."),
  from: Time.nullable().describe("Start of the billing period of the item in UTC. Null if not applicable."),
  label: z.string().describe("Label of the item."),
  quantity: z.int().describe("Quantity of the item. Hours for items that are billed by the hour."),
  to: Time.nullable().describe("End of the billing period of the item in UTC. Null if not applicable."),
  type: z.enum(["hourly", "misc"]).describe("Whether the item is billed by the hour."),
  unit_price: z.string().describe("Unit price in US dollars."),
});

const one = "/account/invoices/{invoiceId}";
const source = "part 3 · Endpoints · Account and billing";

export const invoices = {
  list: {
    summary: "List the invoices of the account.",
    method: "GET",
    path: "/account/invoices",
    scopes: ["account:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Invoice),
    source,
  },
  view: {
    summary: "View an invoice.",
    method: "GET",
    path: one,
    scopes: ["account:read_only"],
    grant: "read_only",
    result: Invoice,
    source,
  },
  listItems: {
    summary: "List the items of an invoice.",
    method: "GET",
    path: `${one}/items`,
    scopes: ["account:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(InvoiceItem),
    source,
  },
} satisfies Area;
