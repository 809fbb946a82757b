import { z } from "zod";
import { Id, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";

const Money = z.number();

export type Invoice = z.output<typeof Invoice>;
/** A bill. */
export const Invoice = z.strictObject({
  id: Id,
  date: Time.describe("When it was issued, in UTC."),
  label: z.string().describe("What it is called."),
  subtotal: Money.describe("Sum of its items without tax, in US dollars."),
  tax: Money.describe("Sum of the tax, in US dollars."),
  total: Money.describe("What it comes to, in US dollars."),
});

export type InvoiceItem = z.output<typeof InvoiceItem>;
/** What a bill is for. */
export const InvoiceItem = z.strictObject({
  amount: Money.describe("Quantity times price, in US dollars."),
  tax: Money.describe("Tax on it, in US dollars."),
  total: Money.describe("Amount and tax, in US dollars."),
  from: Time.nullable().describe("When what was used began, in UTC; null where it has no time."),
  label: z.string().describe("What was used."),
  quantity: z.int().describe("How many, or how many hours, of it."),
  to: Time.nullable().describe("When what was used ended, in UTC; null where it has no time."),
  type: z.enum(["hourly", "misc"]).describe("Whether it is billed by the hour."),
  unit_price: z.string().describe("Price of one, in US dollars."),
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
    summary: "List what an invoice is for.",
    method: "GET",
    path: `${one}/items`,
    scopes: ["account:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(InvoiceItem),
    source,
  },
} satisfies Area;
