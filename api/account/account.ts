import { z } from "zod";
import { Email, Empty, Time } from "../schema/common";
import type { Area } from "../schema/operation";
import { CardExpiry, CardLastFour, CreditCard } from "./cards";

export type Promotion = z.output<typeof Promotion>;
/** Credit that a promotion gave the account. */
export const Promotion = z.strictObject({
  credit_monthly_cap: z.string().describe("Most that is credited in a month, in US dollars."),
  credit_remaining: z.string().describe("What is left of the credit, in US dollars."),
  description: z.string().describe("What the promotion is, in full."),
  expire_dt: z.string().describe("When the credit ends, in UTC."),
  image_url: z.string().describe("Where a picture for the promotion is; empty when there is none."),
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
    .describe("Which services the credit pays."),
  summary: z.string().describe("What the promotion is, in short."),
  this_month_credit_remaining: z.string().describe("What is left of this month's credit, in US dollars."),
});

/** Whom the account belongs to: what its users can change. */
const contact = {
  address_1: z.string().max(64).describe("First line of the billing address."),
  address_2: z.string().max(64).describe("Second line of the billing address."),
  city: z.string().max(24).describe("City of the billing address."),
  company: z.string().max(128).describe("Company that the account belongs to."),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be a country's code of two capital letters such as US")
    .describe("Country of the billing address, as a code of two letters."),
  email: Email.max(128).describe("Email address that the account is reached under."),
  first_name: z.string().max(50).describe("First name of the account's owner."),
  last_name: z.string().max(50).describe("Last name of the account's owner."),
  phone: z.string().max(32).describe("Phone number that the account is reached under."),
  state: z.string().max(24).describe("State of the billing address in the US, province elsewhere."),
  tax_id: z.string().max(100).nullable().describe("Tax number; null where no tax is collected."),
  zip: z
    .string()
    .regex(
      /^[ -]*([A-Za-z0-9][ -]*){0,9}$/,
      "must hold only letters, digits, spaces and hyphens, and at most 9 letters or digits",
    )
    .describe("Postal code of the billing address."),
};

const active_promotions = z.array(Promotion).describe("Credit that promotions gave and that has not ended.");

export type Account = z.output<typeof Account>;
/** The account: whom it belongs to and what it owes. */
export const Account = z.strictObject({
  ...contact,
  active_promotions,
  active_since: Time.describe("When the account was opened, in UTC."),
  balance: z.number().describe("What is owed for invoices, in US dollars; below zero it is credit."),
  balance_uninvoiced: z.number().describe("What was used since the last invoice, in US dollars."),
  capabilities: z.array(z.string()).describe("Services that the account can use."),
  credit_card: z
    .strictObject({ last_four: CardLastFour.nullable(), expiry: CardExpiry.nullable() })
    .describe("The card on file, which is the one of the default payment method; nulls when there is none."),
  euuid: z
    .string()
    .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{16}$/i)
    .describe("The account's name among other systems."),
});

export type AccountUpdate = z.output<typeof AccountUpdate>;
export const AccountUpdate = z.strictObject({ ...contact, active_promotions }).partial();

const source = "part 3 · Endpoints · Account and billing";

export const account = {
  view: {
    summary: "View the account: contact, balance, promotions.",
    method: "GET",
    path: "/account",
    scopes: ["account:read_only"],
    grant: "read_only",
    result: Account,
    source,
  },
  update: {
    summary: "Change the account's contact and billing address.",
    method: "PUT",
    path: "/account",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: AccountUpdate.extend({
      zip: z
        .union([contact.zip, z.int().min(0).max(999_999_999)])
        .optional()
        .describe(
          "Postal code of the billing address, of at most 9 letters or digits; a number is taken as its digits.",
        ),
    }),
    result: Account,
    event: "account_update",
    decided: [
      "`active_promotions` can be sent back as it was read; promotions change by promo codes only.",
      "The country's code is written in capital letters.",
    ],
    source,
  },
  cancel: {
    summary: "Charge the card on file for what is owed and close the account, for good.",
    method: "POST",
    path: "/account/cancel",
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: z.strictObject({ comments: z.string().optional().describe("Why the account is closed.") }),
    result: z.strictObject({ survey_link: z.url().describe("Where to say more about it.") }),
    decided: [
      "What is charged is the balance and what was used since the last invoice; where nothing is owed no card is needed.",
      "Every later request with a token of the account is answered with 403.",
    ],
    source: `${source} · rule 1`,
  },
  setCreditCard: {
    summary: "Put a card on file in place of the one there; payment methods replace this.",
    method: "POST",
    path: "/account/credit-card",
    scopes: ["account:read_write"],
    grant: "read_write",
    body: CreditCard,
    result: Empty,
    event: "credit_card_updated",
    deprecated: true,
    decided: [
      "The card takes the place of the default payment method when that is a card; otherwise it is added and becomes the default.",
    ],
    source,
  },
  addPromoCredit: {
    summary: "Add the credit of a promo code to a young account.",
    method: "POST",
    path: "/account/promo-codes",
    scopes: ["account:read_only"],
    grant: "unrestricted",
    body: z.strictObject({ promo_code: z.string().min(1).max(32).describe("The code, exactly as it was given out.") }),
    result: Promotion,
    decided: ["A promotion that has ended counts as well: an account gets promo credit once."],
    source: `${source} · rule 6`,
  },
} satisfies Area;
