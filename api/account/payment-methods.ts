import { z } from "zod";
import { Created, Empty, Id, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";
import { CardExpiry, CardLastFour, CreditCard } from "./cards";

/**
 * Maximum number of payment methods, and of additions per day. From the API documentation: part 3 · Endpoints · Account
 * and billing · rule 3.
 */
export const paymentMethodLimits = { active: 6, addedInADay: 60 } as const;

export type PaymentMethod = z.output<typeof PaymentMethod>;
export const PaymentMethod = z.strictObject({
  id: Id,
  type: z.enum(["credit_card", "google_pay"]).describe("Type of the payment method."),
  is_default: z.boolean().describe("Whether this is the default payment method."),
  created: Created,
  data: z
    .strictObject({
      card_type: z.string().describe("Card network, derived from the first digits of the card number."),
      last_four: CardLastFour,
      expiry: CardExpiry,
    })
    .describe("Card of the payment method."),
});

const one = "/account/payment-methods/{paymentMethodId}";
const source = "part 3 · Endpoints · Account and billing";
const ofRule = `${source} · rule 3`;

export const paymentMethods = {
  list: {
    summary: "List the active payment methods of the account.",
    method: "GET",
    path: "/account/payment-methods",
    scopes: ["account:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(PaymentMethod),
    source,
  },
  add: {
    summary: "Add a credit card as a payment method.",
    method: "POST",
    path: "/account/payment-methods",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: z.strictObject({
      type: z
        .enum(["credit_card"])
        .default("credit_card")
        .describe("Type of the payment method. Other types can be added only in the web console."),
      is_default: z.boolean().default(false).describe("Whether to make this the default payment method."),
      data: CreditCard.describe("Card."),
    }),
    result: Empty,
    event: "payment_method_add",
    decided: [
      "The first payment method of an account becomes the default regardless of `is_default`.",
      "The account must have `address_1`, `city`, `country` and `zip` before a payment method can be added.",
      "The limit of 60 additions per day covers the last 24 hours and includes deleted payment methods.",
    ],
    source: ofRule,
  },
  view: {
    summary: "View a payment method.",
    method: "GET",
    path: one,
    scopes: ["account:read_only"],
    grant: "read_only",
    result: PaymentMethod,
    source,
  },
  delete: {
    summary: "Delete a payment method. The default payment method cannot be deleted.",
    method: "DELETE",
    path: one,
    scopes: ["account:read_only"],
    grant: "read_write",
    result: Empty,
    source: ofRule,
  },
  makeDefault: {
    summary: "Make a payment method the default.",
    method: "POST",
    path: `${one}/make-default`,
    scopes: ["account:read_write"],
    grant: "read_write",
    result: Empty,
    source: ofRule,
  },
} satisfies Area;
