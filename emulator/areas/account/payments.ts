import { paymentBounds } from "../../../api";
import { ErrorResponse, Reasons } from "../../core/error-response";
import { type RowOf, table } from "../../core/store";
import { task, type World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";
import { accountEntity, accountOf, pay } from "./billing";
import { activeMethods, chargeProblem, defaultMethod } from "./cards";

/** A payment through an external payment processor that was created but not executed yet. */
export interface ExternalPaymentRow {
  /** Payment id that the processor assigned. */
  id: string;
  usd: number;
  redirect_url: string;
  cancel_url: string;
  /** The processor's id of the payer who approved the payment; null until the payment is approved. */
  payer_id: string | null;
}

const STAGED_SECONDS = 3 * 3600;

/** Removes an external payment that was not executed in time. */
const forgotten = task<{ id: string }>("payments.forgotten", (world, { id }) => {
  if (world.externalPayments.find(id)) world.externalPayments.remove(id);
});

export const payments: AreaModule<"payments", { externalPayments: ExternalPaymentRow }> = {
  tables: { externalPayments: table<ExternalPaymentRow>() },
  tasks: [forgotten],
  handlers: {
    list: ({ world }) => world.payments,

    make({ world, body, emit }) {
      const problems = new Reasons();
      const account = accountOf(world);
      const usd = amountOf(body.usd, paymentBounds(account.balance).card, problems);
      const method = wanted(world, body.payment_method_id, problems);
      if (method?.type === "credit_card")
        problems.addUnless(body.cvv !== undefined, "Is required when a card is charged", "cvv");
      const problem = method && chargeProblem(world, method);
      if (problem) problems.add(problem);
      problems.throwIfAny();
      const payment = pay(world, usd);
      emit(accountEntity(account));
      return payment;
    },

    view: ({ world, path }) => world.payments.get(path.paymentId),

    stageExternal({ world, body: { usd, redirect_url, cancel_url } }) {
      const problems = new Reasons();
      const amount = amountOf(usd, paymentBounds(accountOf(world).balance).external, problems);
      problems.throwIfAny();
      const id = `PAYID-${world.random.hex(24).toUpperCase()}`;
      world.externalPayments.insert({ id, usd: amount, redirect_url, cancel_url, payer_id: null });
      world.later(forgotten, { id }, STAGED_SECONDS, { background: true });
      return { payment_id: id };
    },

    executeExternal({ world, body: { payer_id, payment_id }, emit }) {
      const staged = world.externalPayments.find(payment_id);
      if (!staged)
        throw new ErrorResponse(
          400,
          "There is no such external payment. Create one with POST /account/payments/external first",
          "payment_id",
        );
      if (staged.payer_id === null)
        throw new ErrorResponse(400, "The user has not approved the payment at the processor yet", "payment_id");
      if (staged.payer_id !== payer_id)
        throw new ErrorResponse(400, "Must be the payer who approved the payment", "payer_id");
      world.externalPayments.remove(staged.id);
      const payment = pay(world, staged.usd);
      emit(accountEntity(accountOf(world)));
      return payment;
    },
  },
};

/**
 * Simulates the payment processor's web page, on which the user approves or cancels the payment. Returns the URL to
 * which the page redirects the browser.
 */
export function decide(world: World, id: string, approved: boolean): { payer_id: string | null; url: string } {
  const { redirect_url, cancel_url } = world.externalPayments.get(id);
  if (!approved) {
    world.externalPayments.remove(id);
    return { payer_id: null, url: cancel_url };
  }
  const payer_id = world.random.hex(13).toUpperCase();
  world.externalPayments.patch(id, { payer_id });
  const url = new URL(redirect_url);
  url.searchParams.set("paymentId", id);
  url.searchParams.set("PayerID", payer_id);
  return { payer_id, url: url.href };
}

/** Parses an amount in dollars. Adds an error if the amount is out of bounds. */
function amountOf(text: string, { min, max }: { min: number; max: number }, problems: Reasons): number {
  const usd = Number(text.replace("$", ""));
  problems.addUnless(usd >= min && usd <= max, `Must be from ${min.toFixed(2)} to ${max.toFixed(2)}`, "usd");
  return usd;
}

/** The payment method that the request names, or else the account's default. */
function wanted(world: World, id: number | undefined, problems: Reasons): RowOf<"paymentMethods"> | undefined {
  const method = id === undefined ? defaultMethod(world) : activeMethods(world).find((one) => one.id === id);
  if (method) return method;
  const reason =
    id === undefined ? "The account does not have a payment method to charge" : `There is no payment method ${id}`;
  problems.add(reason, "payment_method_id");
  return undefined;
}
