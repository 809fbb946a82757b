import { z } from "zod";
import { Id } from "../schema/common";

const digits = (min: number, max: number) =>
  z.string().min(min).max(max).regex(/^\d*$/, "must be digits only, without spaces or dashes").meta({ secret: true });

export const Cvv = digits(3, 4).describe("Security code of the card; it is checked and forgotten.");

export type CreditCard = z.output<typeof CreditCard>;
/** A card as its owner states it; of number and code nothing but the last four digits is kept. */
export const CreditCard = z.strictObject({
  card_number: digits(14, 24).describe("Number of the card."),
  expiry_month: z.int().min(1).max(12).describe("Last month in which the card is valid."),
  expiry_year: z.int().min(1000).max(9999).describe("Year of that month, in four digits; the month must not be over."),
  cvv: Cvv,
});

export const CardExpiry = z
  .string()
  .regex(/^(0[1-9]|1[0-2])\/\d{4}$/, "must be a month like 01/2030")
  .describe("Last month in which the card is valid, as `MM/YYYY`.");

export const CardLastFour = z
  .string()
  .regex(/^\d{4}$/)
  .describe("Last four digits of the card's number.");

export const PaymentMethodId = Id.describe("Payment method of the account.");
