import type { Invoice, InvoiceItem } from "../../../api";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";
import { accountOf, cents, setBalance } from "./billing";

export interface InvoiceRow extends Invoice {}
export interface InvoiceItemRow extends InvoiceItem {
  id: number;
  invoice_id: number;
}

export const invoices: AreaModule<"invoices", { invoices: InvoiceRow; invoiceItems: InvoiceItemRow }> = {
  tables: {
    invoices: table<InvoiceRow>(),
    invoiceItems: table<InvoiceItemRow>([], { refs: { invoice_id: "invoices" } }),
  },
  handlers: {
    list: ({ world }) => world.invoices,

    view: ({ world, path }) => world.invoices.get(path.invoiceId),

    listItems: ({ world, path }) => world.invoiceItems.by("invoice_id", world.invoices.get(path.invoiceId).id),
  },
};

export type Billed = Omit<InvoiceItem, "amount" | "total">;

/** Issues an invoice, adds its total to the balance, and marks the usage as invoiced. */
export function issue(world: World, items: readonly Billed[], label?: string): Readonly<InvoiceRow> {
  const billed = items.map((item) => {
    const amount = cents(item.quantity * Number(item.unit_price));
    return { ...item, amount, total: cents(amount + item.tax) };
  });
  const sum = (of: "amount" | "tax" | "total") => cents(billed.reduce((all, item) => all + item[of], 0));
  const subtotal = sum("amount");
  const total = sum("total");
  const invoice = world.invoices.insert({ date: world.clock.time(), label: "", subtotal, tax: sum("tax"), total });
  for (const item of billed) world.invoiceItems.insert({ ...item, invoice_id: invoice.id });
  const { id, balance, balance_uninvoiced } = accountOf(world);
  setBalance(world, cents(balance + total));
  world.account.patch(id, { balance_uninvoiced: Math.max(0, cents(balance_uninvoiced - subtotal)) });
  return world.invoices.patch(invoice.id, { label: label ?? `Invoice #${invoice.id}` });
}
