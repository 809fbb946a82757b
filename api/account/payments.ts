import { z } from "zod";
import { Id, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";
import { Cvv, PaymentMethodId } from "./cards";

export type Payment = z.output<typeof Payment>;
/** Money that came in. */
export const Payment = z.strictObject({
  id: Id,
  date: Time.describe("When it was made, in UTC."),
  usd: z.number().describe("How much it was, in US dollars."),
});

const Usd = z
  .string()
  .regex(/^\$?\d+\.\d{2}$/, "must be dollars and cents such as 20.00 or $20.00, without commas")
  .describe("How much to pay, in US dollars with two decimals; the dollar sign may be left out.");

/** A page for people: schemes that run code or open files have no place here. */
const Return = z.url({ protocol: /^https?$/, error: "must be a URL that begins with https:// or http://" });

/** Bounds of a payment in US dollars, by what the account owes (part 3 · Endpoints · Account and billing · rules 4 and 5). */
export function paymentBounds(balance: number): Record<"card" | "external", { min: number; max: number }> {
  const card = { min: balance > 0 ? Math.min(5, balance) : 5, max: Math.max(2000, Math.min(balance, 50_000)) };
  return { card, external: { min: 5, max: Math.min(10_000, Math.max(500, card.max)) } };
}

const source = "part 3 · Endpoints · Account and billing";

export const payments = {
  list: {
    summary: "List the payments of the account.",
    method: "GET",
    path: "/account/payments",
    scopes: ["account:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Payment),
    source,
  },
  make: {
    summary: "Pay with a payment method of the account.",
    method: "POST",
    path: "/account/payments",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: z.strictObject({
      usd: Usd,
      payment_method_id: PaymentMethodId.optional().describe("What to charge; the default method unless stated."),
      cvv: Cvv.optional().describe("Security code of the card; required when a card is charged."),
    }),
    result: Payment,
    event: "payment_submitted",
    decided: [
      "At least 5.00 is paid, or the balance where that is above zero and lower.",
      "A card that has expired is not charged.",
      "The answer is the payment, and its amount has cents.",
    ],
    source: `${source} · rule 4`,
  },
  view: {
    summary: "View a payment.",
    method: "GET",
    path: "/account/payments/{paymentId}",
    scopes: ["account:read_only"],
    grant: "read_only",
    result: Payment,
    source,
  },
  stageExternal: {
    summary: "Begin a payment that the user approves at the external processor.",
    method: "POST",
    path: "/account/payments/external",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: z.strictObject({
      usd: Usd,
      redirect_url: Return.describe("Where the processor sends the user who has approved."),
      cancel_url: Return.describe("Where the processor sends the user who has not."),
    }),
    result: z.strictObject({ payment_id: z.string().describe("The processor's name for the payment.") }),
    decided: [
      "The amount is written as for a payment by card.",
      "A payment that is not executed within three hours is forgotten.",
    ],
    source: `${source} · rule 5`,
  },
  executeExternal: {
    summary: "Carry out a payment that the user approved at the external processor.",
    method: "POST",
    path: "/account/payments/external/execute",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: z.strictObject({
      payer_id: z.string().min(1).describe("Whom the processor names as the payer, after the approval."),
      payment_id: z.string().min(1).describe("The payment, as staging it named it."),
    }),
    result: Payment,
    event: "payment_submitted",
    decided: ["A payment is executed once; after that its id is unknown."],
    source: `${source} · rule 5`,
  },
} satisfies Area;
