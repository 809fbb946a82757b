import { isDeepStrictEqual } from "node:util";
import type { Account, Promotion } from "../../../api";
import { ErrorResponse, Reasons } from "../../core/error-response";
import { type RowOf, table } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";
import { accountEntity, accountOf, cents, dollars, pay, setBalance } from "./billing";
import { addMethod, chargeProblem, defaultMethod, requireRoom, requireValid, storedCard } from "./cards";

export interface PromoCodeRow extends Pick<Promotion, "description" | "summary" | "service_type"> {
  /** The promotion code, which is also the id of the row. */
  id: string;
  credit: number;
  monthly_cap: number;
  /** Expiry time of the code; null if it does not expire. */
  expires: string | null;
  /** Number of days for which the credit can be used after the code has been redeemed. */
  days: number;
}

const DAY = 24 * 3600 * 1000;
/**
 * Maximum age in days of an account that can use a promotion code (API documentation, part 3 · Endpoints · Account and
 * billing · rule 6).
 */
const PROMO_DAYS = 90;

export const account: AreaModule<"account", { promoCodes: PromoCodeRow }> = {
  tables: { promoCodes: table<PromoCodeRow>() },
  handlers: {
    view: ({ world }) => accountRecord(world),

    update({ world, body, emit }) {
      const account = accountOf(world);
      const { active_promotions, country, zip, ...contact } = body;
      if (active_promotions && !isDeepStrictEqual(active_promotions, current(world, account)))
        throw new ErrorResponse(
          400,
          "Is read-only and can be changed only by promo codes: omit it or send it unchanged",
          "active_promotions",
        );
      const converted = { country: country?.toUpperCase(), zip: zip?.toString() };
      emit(accountEntity(world.account.patch(account.id, { ...contact, ...converted })));
      return accountRecord(world);
    },

    cancel({ world }) {
      const { id, balance, balance_uninvoiced } = accountOf(world);
      const amountDue = cents(balance + balance_uninvoiced);
      if (amountDue > 0) {
        const card = defaultMethod(world);
        const problem = card ? chargeProblem(world, card) : "The account does not have a payment method";
        if (problem) throw new ErrorResponse(400, `${problem}; the account owes ${dollars(amountDue)} and stays open`);
        pay(world, amountDue);
        setBalance(world, 0);
        world.account.patch(id, { balance_uninvoiced: 0 });
      }
      world.account.patch(id, { cancelled: world.clock.time() });
      return { survey_link: "https://cloudinfra.example/survey" };
    },

    setCreditCard({ world, body, emit }) {
      const problems = new Reasons();
      requireValid(world, body, problems);
      const method = defaultMethod(world);
      const edits = method?.type === "credit_card";
      if (!edits) requireRoom(world, problems);
      problems.throwIfAny();
      if (edits) world.paymentMethods.patch(method.id, { data: storedCard(body) });
      else addMethod(world, { type: "credit_card", data: storedCard(body), is_default: true });
      emit(accountEntity(accountOf(world)));
      return {};
    },

    addPromoCredit({ world, body: { promo_code } }) {
      const { id, active_since, active_promotions } = accountOf(world);
      const now = world.clock.now();
      const problems = new Reasons();
      const isNew = world.clock.time(now - PROMO_DAYS * DAY) < active_since;
      problems.addUnless(
        isNew,
        `The account must be less than ${PROMO_DAYS} days old; it was created at ${active_since}`,
      );
      problems.addUnless(active_promotions.length === 0, "The account has already used a promo code");
      const code = world.promoCodes.find(promo_code);
      if (!code) problems.add("Is not a valid promo code", "promo_code");
      else if (code.expires !== null && code.expires <= world.clock.time())
        problems.add(`Expired at ${code.expires}`, "promo_code");
      problems.throwIfAny();
      const promotion = promotionOf(code as PromoCodeRow, world.clock.time(now + (code as PromoCodeRow).days * DAY));
      world.account.patch(id, { active_promotions: [promotion] });
      return promotion;
    },
  },
};

function accountRecord(world: World): Account {
  const account = accountOf(world);
  const card = defaultMethod(world)?.data;
  return {
    ...account,
    active_promotions: current(world, account),
    capabilities: [...new Set(world.regions.all().flatMap(({ capabilities }) => capabilities))],
    credit_card: { last_four: card?.last_four ?? null, expiry: card?.expiry ?? null },
  };
}

const current = (world: World, { active_promotions }: Pick<RowOf<"account">, "active_promotions">): Promotion[] =>
  active_promotions.filter(({ expire_dt }) => expire_dt > world.clock.time());

function promotionOf(
  { credit, monthly_cap, description, summary, service_type }: Readonly<PromoCodeRow>,
  expire_dt: string,
): Promotion {
  return {
    credit_monthly_cap: monthly_cap.toFixed(2),
    credit_remaining: credit.toFixed(2),
    description,
    expire_dt,
    image_url: "",
    service_type,
    summary,
    this_month_credit_remaining: Math.min(credit, monthly_cap).toFixed(2),
  };
}
