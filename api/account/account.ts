import { z } from "zod";
import { Email, Empty, ofText, Time } from "../schema/common";
import type { Area } from "../schema/operation";
import { CardExpiry, CardLastFour, CreditCard } from "./cards";

export type Promotion = z.output<typeof Promotion>;
/** Credit from a promotion. */
export const Promotion = z.strictObject({
  credit_monthly_cap: z.string().describe("Maximum credit per month in US dollars."),
  credit_remaining: z.string().describe("Remaining credit in US dollars."),
  description: z.string().describe("Description of the promotion."),
  expire_dt: z.string().describe("Expiry time of the credit in UTC."),
  image_url: z.string().describe("URL of a picture for the promotion. Empty if there is none."),
  service_type: z
    .enum([
      "all",
      "backup",
      "blockstorage",
      "db_mysql",
      "ip_v4",
      "compute",
      "compute_disk",
      "compute_memory",
      "longview",
      "managed",
      "nodebalancer",
      "objectstorage",
      "transfer_tx",
    ])
    .describe("Services that the credit applies to."),
  summary: z.string().describe("Summary of the promotion."),
  this_month_credit_remaining: z.string().describe("Credit that can still be used this month, in US dollars."),
});

/** Contact and billing address of the account: the fields that an update request can change. */
const contact = {
  address_1: z.string().max(64).describe("First line of the billing address."),
  address_2: z.string().max(64).describe("Second line of the billing address."),
  city: z.string().max(24).describe("City of the billing address."),
  company: z.string().max(128).describe("Company of the account."),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be a country code of two capital letters, such as US")
    .describe("Country of the billing address: two-letter code."),
  email: Email.max(128).describe("Email address of the account."),
  first_name: z.string().max(50).describe("First name of the account's owner."),
  last_name: z.string().max(50).describe("Last name of the account's owner."),
  phone: z.string().max(32).describe("Phone number of the account."),
  state: z.string().max(24).describe("State or province of the billing address."),
  tax_id: z.string().max(100).nullable().describe("Tax ID. Null if tax is not collected."),
  zip: z
    .string()
    .regex(
      /^[ -]*([A-Za-z0-9][ -]*){0,9}$/,
      "must contain only letters, digits, spaces and hyphens, and at most 9 letters or digits",
    )
    .describe("Postal code of the billing address."),
};

const active_promotions = z.array(Promotion).describe("Active promotions with remaining credit.");

export type Account = z.output<typeof Account>;
/** The account that a token belongs to, with its contact, billing address and balance. */
export const Account = z.strictObject({
  ...contact,
  active_promotions,
  active_since: Time.describe("Creation time of the account in UTC."),
  balance: z.number().describe("Balance of unpaid invoices in US dollars. A negative balance is credit."),
  balance_uninvoiced: z.number().describe("Charges since the last invoice in US dollars."),
  capabilities: z.array(z.string()).describe("Services available to the account."),
  credit_card: z
    .strictObject({ last_four: CardLastFour.nullable(), expiry: CardExpiry.nullable() })
    .describe(
      "Card on file: the card of the default payment method. Its fields are null without a default payment method.",
    ),
  euuid: z
    .string()
    .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{16}$/i)
    .describe("External id of the account (UUID)."),
});

export type AccountUpdate = z.output<typeof AccountUpdate>;
export const AccountUpdate = z
  .strictObject({
    ...contact,
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, "must be a country code of two letters, such as US")
      .meta({ canonical: ofText((code) => code.toUpperCase()) })
      .describe("Country of the billing address: two-letter code. Converted to upper case."),
    active_promotions,
  })
  .partial();

const source = "part 3 · Endpoints · Account and billing";

export const account = {
  view: {
    summary: "View the contact, balance and promotions of the account.",
    method: "GET",
    path: "/account",
    scopes: ["account:read_only"],
    grant: "read_only",
    result: Account,
    source,
  },
  update: {
    summary: "Update the contact and billing address of the account.",
    method: "PUT",
    path: "/account",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: AccountUpdate.extend({
      zip: z
        .union([contact.zip, z.int().min(0).max(999_999_999)])
        .optional()
        .describe(
          "Postal code of the billing address. At most 9 letters or digits. A number is converted to a string.",
        ),
    }),
    result: Account,
    event: "account_update",
    decided: [
      "An update can contain `active_promotions` only with its current value. Only promo codes change promotions.",
      "The country code can have lower case letters and is returned in upper case.",
    ],
    source,
  },
  cancel: {
    summary: "Charge the outstanding balance to the card on file and close the account permanently.",
    method: "POST",
    path: "/account/cancel",
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: z.strictObject({ comments: z.string().optional().describe("Reason for closing the account.") }),
    result: z.strictObject({ survey_link: z.url().describe("URL of a survey about the reason.") }),
    decided: [
      "The charge is the balance plus the charges since the last invoice. If it is zero, no card is required.",
      "Later requests with a token of the account return 403.",
    ],
    source: `${source} · rule 1`,
  },
  setCreditCard: {
    summary: "Set the card on file. Deprecated: use `paymentMethods.add`.",
    method: "POST",
    path: "/account/credit-card",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: CreditCard,
    result: Empty,
    event: "credit_card_updated",
    deprecated: true,
    decided: [
      "If the default payment method is a card, the new card replaces it. Otherwise the new card is added as the default payment method.",
    ],
    source,
  },
  addPromoCredit: {
    summary: "Redeem a promo code. Only for new accounts.",
    method: "POST",
    path: "/account/promo-codes",
    scopes: ["account:read_only"],
    grant: "unrestricted",
    body: z.strictObject({ promo_code: z.string().min(1).max(32).describe("Promo code.") }),
    result: Promotion,
    decided: ["An account can redeem only one promo code, even after the promotion has expired."],
    source: `${source} · rule 6`,
  },
} satisfies Area;
