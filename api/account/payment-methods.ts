import { z } from "zod";
import { Created, Empty, Id, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";
import { CardExpiry, CardLastFour, CreditCard } from "./cards";

/** How many an account has at most, and how many can be added in a day (part 3 · Endpoints · Account and billing · rule 3). */
export const paymentMethodLimits = { active: 6, addedInADay: 60 } as const;

export type PaymentMethod = z.output<typeof PaymentMethod>;
/** What payments are charged to. */
export const PaymentMethod = z.strictObject({
  id: Id,
  type: z.enum(["credit_card", "google_pay"]),
  is_default: z.boolean().describe("Whether it is charged when nothing else is named."),
  created: Created,
  data: z.strictObject({
    card_type: z.string().describe("Who issues cards of this kind, by the number's first digits."),
    last_four: CardLastFour,
    expiry: CardExpiry,
  }),
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
    summary: "Add a credit card to pay with.",
    method: "POST",
    path: "/account/payment-methods",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: z.strictObject({
      type: z.enum(["credit_card"]).default("credit_card").describe("Other kinds are added at the web console."),
      is_default: z.boolean().default(false).describe("Whether it takes the place of the default method."),
      data: CreditCard.describe("The card."),
    }),
    result: Empty,
    event: "payment_method_add",
    decided: [
      "The first method of an account is its default, whatever `is_default` says.",
      "The account needs `address_1`, `city`, `country` and `zip` before a method is added.",
      "The day of the 60 additions is the last 24 hours, those that were deleted since included.",
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
    summary: "Deactivate a payment method that is not the default.",
    method: "DELETE",
    path: one,
    scopes: ["account:read_only"],
    grant: "read_write",
    result: Empty,
    source: ofRule,
  },
  makeDefault: {
    summary: "Make a payment method the one that is charged when nothing else is named.",
    method: "POST",
    path: `${one}/make-default`,
    scopes: ["account:read_write"],
    grant: "read_write",
    result: Empty,
    source: ofRule,
  },
} satisfies Area;
