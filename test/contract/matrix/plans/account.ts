import type { account, invoices, logins, maintenance, notifications, paymentMethods, payments } from "../../../../api";
import { card, outside, visa } from "../../account/billing";
import type { Account, Plans } from "../plan";
import { running } from "./instances";

const home = { address_1: "1 Main Street", city: "Berlin", country: "DE", zip: "10115" };

/** Sets the address of the account, which is required for paying by card. */
async function addressed({ api }: Account): Promise<void> {
  await api.account.update({ body: home });
}

export const accountPlans = {
  view: () => ({}),
  update: () => ({ body: { ...home, email: "me@example.org", tax_id: null } }),
  cancel: () => ({ body: { comments: "Thank you" } }),
  setCreditCard: async (account) => {
    await addressed(account);
    return { body: visa };
  },
  addPromoCredit: async (account) => {
    await outside(account, "promo-codes", { code: "WELCOME", credit: 100 });
    return { body: { promo_code: "WELCOME" } };
  },
} satisfies Plans<typeof account>;

async function invoice(account: Account): Promise<{ path: { invoiceId: number } }> {
  const { id } = await outside(account, "invoices", { items: [{ label: "Advice", unit_price: "10.00" }] });
  return { path: { invoiceId: id } };
}

export const invoicePlans = { list: () => ({}), view: invoice, listItems: invoice } satisfies Plans<typeof invoices>;

export const loginPlans = {
  list: () => ({}),
  view: async (account) => ({ path: { loginId: (await outside(account, "logins", {})).id } }),
} satisfies Plans<typeof logins>;

export const maintenancePlans = {
  list: async (account) => {
    await outside(account, "maintenance", {
      compute_id: await running(account),
      type: "reboot",
      reason: "A new kernel",
    });
    return {};
  },
} satisfies Plans<typeof maintenance>;

export const notificationPlans = { list: () => ({}) } satisfies Plans<typeof notifications>;

/** Adds a payment method that is not the default. */
async function method(account: Account): Promise<{ path: { paymentMethodId: number } }> {
  await card(account);
  return { path: { paymentMethodId: await card(account) } };
}

export const methodPlans = {
  list: () => ({}),
  add: async (account) => {
    await addressed(account);
    return { body: { data: visa, is_default: true, type: "credit_card" } };
  },
  view: method,
  delete: method,
  makeDefault: method,
} satisfies Plans<typeof paymentMethods>;

const urls = { redirect_url: "https://example.org/done", cancel_url: "https://example.org/not" };

export const paymentPlans = {
  list: () => ({}),
  make: async (account) => ({ body: { usd: "20.00", payment_method_id: await card(account), cvv: "123" } }),
  view: async (account) => {
    await card(account);
    const { id } = await account.api.payments.make({ body: { usd: "20.00", cvv: "123" } });
    return { path: { paymentId: id } };
  },
  stageExternal: () => ({ body: { usd: "20.00", ...urls } }),
  executeExternal: async (account) => {
    const { payment_id } = await account.api.payments.stageExternal({ body: { usd: "20.00", ...urls } });
    const { payer_id } = await outside(account, "external-payments", { payment_id });
    return { body: { payment_id, payer_id } };
  },
} satisfies Plans<typeof payments>;
