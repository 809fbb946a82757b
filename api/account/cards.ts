import { z } from "zod";
import { Id } from "../schema/common";

const digits = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .regex(/^\d*$/, "must contain only digits, without spaces or dashes")
    .meta({ secret: true });

export const Cvv = digits(3, 4).describe(
  "Security code of the card (CVV). The service checks it, but does not store it.",
);

export type CreditCard = z.output<typeof CreditCard>;
/** A card in a request. Only the last four digits of its number are stored. */
export const CreditCard = z.strictObject({
  card_number: digits(14, 24).describe("Card number."),
  expiry_month: z.int().min(1).max(12).describe("Expiry month."),
  expiry_year: z
    .int()
    .min(1000)
    .max(9999)
    .describe("Expiry year with four digits. The expiry date must not be in the past."),
  cvv: Cvv,
});

export const CardExpiry = z
  .string()
  .regex(/^(0[1-9]|1[0-2])\/\d{4}$/, "must be a month and a year, such as 01/2030")
  .describe("Expiry date as `MM/YYYY`.");

export const CardLastFour = z
  .string()
  .regex(/^\d{4}$/)
  .describe("Last four digits of the card number.");

export const PaymentMethodId = Id.describe("Payment method of the account.");
