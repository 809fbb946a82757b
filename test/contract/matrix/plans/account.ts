import type { account, invoices, logins, maintenance, notifications, paymentMethods, payments } from "../../../../api";
import { card, outside, visa } from "../../billing";
import type { Plans, Stage } from "../plan";
import { running } from "./instances";

const home = { address_1: "1 Main Street", city: "Berlin", country: "DE", zip: "10115" };

/** An account whose address is known, as paying by card wants it. */
async function addressed({ api }: Stage): Promise<void> {
  await api.account.update({ body: home });
}

export const accountPlans = {
  view: () => ({}),
  update: () => ({ body: { ...home, email: "me@example.org", tax_id: null } }),
  cancel: () => ({ body: { comments: "Thank you" } }),
  setCreditCard: async (stage) => {
    await addressed(stage);
    return { body: visa };
  },
  addPromoCredit: async (stage) => {
    await outside(stage, "promo-codes", { code: "WELCOME", credit: 100 });
    return { body: { promo_code: "WELCOME" } };
  },
} satisfies Plans<typeof account>;

async function invoice(stage: Stage): Promise<{ path: { invoiceId: number } }> {
  const { id } = await outside(stage, "invoices", { items: [{ label: "Advice", unit_price: "10.00" }] });
  return { path: { invoiceId: id } };
}

export const invoicePlans = { list: () => ({}), view: invoice, listItems: invoice } satisfies Plans<typeof invoices>;

export const loginPlans = {
  list: () => ({}),
  view: async (stage) => ({ path: { loginId: (await outside(stage, "logins", {})).id } }),
} satisfies Plans<typeof logins>;

export const maintenancePlans = {
  list: async (stage) => {
    await outside(stage, "maintenance", { compute_id: await running(stage), type: "reboot", reason: "A new kernel" });
    return {};
  },
} satisfies Plans<typeof maintenance>;

export const notificationPlans = { list: () => ({}) } satisfies Plans<typeof notifications>;

/** A further payment method, which is not the default. */
async function method(stage: Stage): Promise<{ path: { paymentMethodId: number } }> {
  await card(stage);
  return { path: { paymentMethodId: await card(stage) } };
}

export const methodPlans = {
  list: () => ({}),
  add: async (stage) => {
    await addressed(stage);
    return { body: { data: visa, is_default: true, type: "credit_card" } };
  },
  view: method,
  delete: method,
  makeDefault: method,
} satisfies Plans<typeof paymentMethods>;

const urls = { redirect_url: "https://example.org/done", cancel_url: "https://example.org/not" };

export const paymentPlans = {
  list: () => ({}),
  make: async (stage) => ({ body: { usd: "20.00", payment_method_id: await card(stage), cvv: "123" } }),
  view: async (stage) => {
    await card(stage);
    const { id } = await stage.api.payments.make({ body: { usd: "20.00", cvv: "123" } });
    return { path: { paymentId: id } };
  },
  stageExternal: () => ({ body: { usd: "20.00", ...urls } }),
  executeExternal: async (stage) => {
    const { payment_id } = await stage.api.payments.stageExternal({ body: { usd: "20.00", ...urls } });
    const { payer_id } = await outside(stage, "external-payments", { payment_id });
    return { body: { payment_id, payer_id } };
  },
} satisfies Plans<typeof payments>;
