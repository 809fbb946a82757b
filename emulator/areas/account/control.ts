import { z } from "zod";
import {
  CreditCard,
  Id,
  InvoiceItem,
  Login,
  Maintenance,
  Notification,
  PaymentMethod,
  Promotion,
  paymentMethodLimits,
  Time,
} from "../../../api";
import { ErrorResponse } from "../../core/error-response";
import { action, actionWithoutBody } from "../../http/control/action";
import type { Part } from "../../http/handlers";
import { accountEntity, accountOf, setBalance } from "./billing";
import { activeMethods, addMethod, storedCard } from "./cards";
import { issue } from "./invoices";
import { decide } from "./payments";

/**
 * Whether the date exists. JavaScript parses February 30 as a day in March, so the parsed date is compared with the
 * text.
 */
function exists(time: string): boolean {
  const parsed = new Date(`${time}Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(time);
}
const Moment = Time.refine(exists, "must be a valid date and time");

const isCents = (usd: number): boolean => Math.abs(usd * 100 - Math.round(usd * 100)) < 1e-6;
const Money = z.number().refine(isCents, "must be an amount in dollars with at most two decimals");

const AccountState = z
  .strictObject({
    balance: Money.describe("Account balance in dollars. A negative balance is a credit."),
    balance_uninvoiced: Money.min(0).describe("Usage since the last invoice, in dollars."),
    active_since: Moment.describe("Time at which the account was created."),
    decline: z.boolean().describe("Whether charges to the account's payment methods are declined from now on."),
  })
  .partial();

const Method = z.strictObject({
  type: PaymentMethod.shape.type.default("credit_card"),
  is_default: z
    .boolean()
    .default(false)
    .describe("Whether the card becomes the default payment method, which is charged from now on."),
  data: CreditCard.omit({ cvv: true }),
});

const Bill = z.strictObject({
  label: z.string().min(1).optional().describe("Label of the invoice. Defaults to `Invoice #` and its id."),
  items: z
    .array(
      InvoiceItem.omit({ amount: true, total: true }).extend({
        type: InvoiceItem.shape.type.default("misc"),
        quantity: z.int().min(1).default(1),
        unit_price: z.string().regex(/^-?\d{1,9}(\.\d{1,6})?$/, "must be a price such as 0.0075"),
        tax: Money.default(0),
        from: Moment.nullable().default(null),
        to: Moment.nullable().default(null),
      }),
    )
    .min(1),
});

const Notice = Notification.extend({
  entity: Notification.shape.entity.optional(),
  severity: Notification.shape.severity.default("minor"),
  body: z.string().nullable().default(null),
  when: Moment.nullable().default(null),
  until: Moment.nullable().default(null),
});

const Work = Maintenance.omit({ entity: true, status: true }).extend({ compute_id: Id, when: Moment.optional() });

const LoggedIn = z.strictObject({
  username: z.string().min(1).default("emulator").describe("Name of the user who logs in."),
  ip: Login.shape.ip.default("192.0.2.1"),
  datetime: Moment.optional().describe("Time of the login. Defaults to the current time."),
});

const PromoCode = z.strictObject({
  code: z.string().min(1).max(32).describe("Promo code that users enter."),
  credit: Money.positive().describe("Credit in US dollars that the code adds to an account."),
  monthly_cap: Money.positive().optional().describe("Maximum credit per month in dollars. Defaults to `credit`."),
  expires: Moment.nullable()
    .default(null)
    .describe("Time until which the code can be redeemed. Null if it does not expire."),
  days: z
    .int()
    .min(1)
    .max(36_500)
    .default(60)
    .describe("Number of days for which the credit can be used after the code is redeemed."),
  description: z.string().default("Credit for a new account."),
  summary: z.string().default("Promo credit"),
  service_type: Promotion.shape.service_type.default("all"),
});

const Decision = z.strictObject({
  payment_id: z.string().min(1).describe("Id of the payment at the external payment processor."),
  approve: z.boolean().default(true).describe("Whether the payer approves the payment."),
});
const ById = z.strictObject({ id: Id.describe("Id of the notification or maintenance to remove.") });

/**
 * Endpoints under `/_emulator` that simulate changes outside the API: by the account's bank, by users in the web
 * console and by the platform's staff.
 */
export const accountControl: Part = {
  control: {
    account: {
      GET: actionWithoutBody(({ world }) => accountOf(world)),
      POST: action(AccountState, ({ world }, { decline: declines, balance, ...state }) => {
        if (balance !== undefined) setBalance(world, balance);
        return world.account.patch(accountOf(world).id, { ...state, declines });
      }),
    },
    "payment-methods": {
      POST: action(Method, ({ world }, { data, ...method }) => {
        const { active } = paymentMethodLimits;
        if (activeMethods(world).length >= active)
          throw new ErrorResponse(400, `The account already has ${active} payment methods`);
        return addMethod(world, { ...method, data: storedCard(data) });
      }),
    },
    "external-payments": {
      GET: actionWithoutBody(({ world }) => ({ payments: world.externalPayments.all() })),
      POST: action(Decision, ({ world }, { payment_id, approve }) => {
        if (!world.externalPayments.find(payment_id))
          throw new ErrorResponse(
            400,
            `The external payment processor has no payment ${JSON.stringify(payment_id)}`,
            "payment_id",
          );
        return decide(world, payment_id, approve);
      }),
    },
    invoices: {
      POST: action(Bill, ({ world }, { items, label }) => {
        return issue(world, items, label);
      }),
    },
    logins: {
      POST: action(LoggedIn, ({ world }, { username, ip, datetime = world.clock.time() }) => {
        const user = world.users.find(username);
        if (!user)
          throw new ErrorResponse(
            400,
            `There is no user ${JSON.stringify(username)}: POST /_emulator/users creates one`,
            "username",
          );
        return world.logins.insert({ username, ip, datetime, restricted: user.restricted });
      }),
    },
    maintenance: {
      GET: actionWithoutBody(({ world }) => ({ maintenance: world.maintenance.all() })),
      POST: action(Work, ({ world }, { when = world.clock.time(), ...work }) => {
        if (!world.instances.find(work.compute_id))
          throw new ErrorResponse(400, `There is no instance ${work.compute_id}`, "compute_id");
        return world.maintenance.insert({ ...work, when });
      }),
      DELETE: action(ById, ({ world }, { id }) => {
        if (!world.maintenance.find(id)) throw new ErrorResponse(400, `There is no maintenance ${id}`, "id");
        world.maintenance.remove(id);
        return {};
      }),
    },
    notifications: {
      GET: actionWithoutBody(({ world }) => ({ notifications: world.notifications.all() })),
      POST: action(Notice, ({ world }, { entity = accountEntity(accountOf(world)), ...notice }) => {
        return world.notifications.insert({ ...notice, entity });
      }),
      DELETE: action(ById, ({ world }, { id }) => {
        if (!world.notifications.find(id)) throw new ErrorResponse(400, `There is no notification ${id}`, "id");
        world.notifications.remove(id);
        return {};
      }),
    },
    "promo-codes": {
      POST: action(PromoCode, ({ world }, { code: id, monthly_cap, ...promo }) => {
        if (world.promoCodes.find(id))
          throw new ErrorResponse(400, `The promo code ${JSON.stringify(id)} already exists`, "code");
        return world.promoCodes.insert({ id, monthly_cap: monthly_cap ?? promo.credit, ...promo });
      }),
    },
  },
};
