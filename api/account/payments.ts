import { z } from "zod";
import { Id, Paging, page, Time } from "../schema/common";
import type { Area } from "../schema/operation";
import { Cvv, PaymentMethodId } from "./cards";

export type Payment = z.output<typeof Payment>;
export const Payment = z.strictObject({
  id: Id,
  date: Time.describe("Time of the payment in UTC."),
  usd: z.number().describe("Amount of the payment in US dollars."),
});

const Usd = z
  .string()
  .regex(/^\$?\d+\.\d{2}$/, "must be an amount in dollars and cents, such as 20.00 or $20.00, without commas")
  .describe("Amount in US dollars with two decimals. A leading dollar sign is allowed.");

/**
 * URL to which the external payment processor sends the user's browser. Only HTTP and HTTPS are allowed, because other
 * schemes, such as `javascript:`, can run code or open files.
 */
const Return = z.url({ protocol: /^https?$/, error: "must be a URL that begins with https:// or http://" });

/**
 * Minimum and maximum of a payment in US dollars, which depend on the account's balance. From the API documentation:
 * part 3 · Endpoints · Account and billing · rules 4 and 5.
 */
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
    summary: "Make a payment with a payment method of the account.",
    method: "POST",
    path: "/account/payments",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: z.strictObject({
      usd: Usd,
      payment_method_id: PaymentMethodId.optional().describe(
        "Payment method to charge. Defaults to the default payment method.",
      ),
      cvv: Cvv.optional().describe("Security code of the card (CVV). Required for a card."),
    }),
    result: Payment,
    event: "payment_submitted",
    decided: [
      "The minimum payment is 5.00, or the balance if it is positive and lower.",
      "An expired card cannot be charged.",
      "The response is the payment. Its amount includes cents.",
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
    summary: "Create a payment at an external payment processor. The user approves it on the website of the processor.",
    method: "POST",
    path: "/account/payments/external",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: z.strictObject({
      usd: Usd,
      redirect_url: Return.describe("URL to which the payment processor redirects the user after approval."),
      cancel_url: Return.describe("URL to which the payment processor redirects the user after cancellation."),
    }),
    result: z.strictObject({ payment_id: z.string().describe("Id of the payment at the payment processor.") }),
    decided: [
      "The amount has the same format as for a payment by card.",
      "A payment that is not executed within three hours expires.",
    ],
    source: `${source} · rule 5`,
  },
  executeExternal: {
    summary: "Execute a payment that the user has approved on the website of the external payment processor.",
    method: "POST",
    path: "/account/payments/external/execute",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: z.strictObject({
      payer_id: z.string().min(1).describe("Id of the payer. The payment processor returns it after the approval."),
      payment_id: z.string().min(1).describe("Id of the approved payment at the payment processor."),
    }),
    result: Payment,
    event: "payment_submitted",
    decided: ["A payment can be executed only once. A second request returns 400."],
    source: `${source} · rule 5`,
  },
} satisfies Area;
