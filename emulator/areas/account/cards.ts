import { type CreditCard, type PaymentMethod, paymentMethodLimits } from "../../../api";
import { notFound, type Reasons } from "../../core/error-response";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { Part } from "../../http/handlers";
import { accountOf } from "./billing";

export interface PaymentMethodRow extends PaymentMethod {
  /**
   * False for deleted payment methods. Deleted methods are kept, because they are still included in the limit of
   * additions per day.
   */
  active: boolean;
}

export const cards: Part<{ paymentMethods: PaymentMethodRow }> = {
  tables: { paymentMethods: table<PaymentMethodRow>() },
};

const DAY = 24 * 3600 * 1000;

export const activeMethods = (world: World): readonly Readonly<PaymentMethodRow>[] =>
  world.paymentMethods.by("active", true);

export const defaultMethod = (world: World): Readonly<PaymentMethodRow> | undefined =>
  activeMethods(world).find((method) => method.is_default);

export function methodOf(world: World, id: number): Readonly<PaymentMethodRow> {
  const method = world.paymentMethods.get(id);
  if (!method.active) throw notFound();
  return method;
}

/** The part of a card that is stored: type, last four digits and expiry date. */
export const storedCard = ({
  card_number,
  expiry_month,
  expiry_year,
}: Omit<CreditCard, "cvv">): PaymentMethodRow["data"] => ({
  card_type: cardTypes.find(({ begins }) => begins.test(card_number))?.name ?? "Unknown",
  last_four: card_number.slice(-4),
  expiry: `${String(expiry_month).padStart(2, "0")}/${expiry_year}`,
});

const cardTypes = [
  { name: "Visa", begins: /^4/ },
  { name: "MasterCard", begins: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/ },
  { name: "American Express", begins: /^3[47]/ },
  { name: "Discover", begins: /^(6011|64[4-9]|65)/ },
  { name: "JCB", begins: /^35(2[89]|[3-8])/ },
  { name: "Diners Club", begins: /^3(0[0-5]|[689])/ },
];

export function requireValid(
  world: World,
  { expiry_month, expiry_year }: CreditCard,
  problems: Reasons,
  within = "",
): void {
  const [year, month] = thisMonth(world);
  if (expiry_year < year) problems.add(`Must be ${year} or later`, `${within}expiry_year`);
  else if (expiry_year === year && expiry_month < month)
    problems.add(`Must be ${month} or later in ${year}: the card has expired`, `${within}expiry_month`);
}

/**
 * Adds an error for each reason why the account cannot get another payment method, such as too many existing ones (API
 * documentation, part 3 · Endpoints · Account and billing · rule 3).
 */
export function requireRoom(world: World, problems: Reasons): void {
  const { active, addedInADay } = paymentMethodLimits;
  const count = activeMethods(world).length;
  problems.addUnless(
    count < active,
    `The account already has ${count} payment methods, and at most ${active} are allowed: delete one first`,
  );
  const since = world.clock.time(world.clock.now() - DAY);
  const added = world.paymentMethods.where(({ created }) => created > since).length;
  problems.addUnless(
    added < addedInADay,
    `${added} payment methods were added in the last 24 hours, which is the maximum`,
  );
  const account = accountOf(world);
  const missing = (["address_1", "city", "country", "zip"] as const).filter((field) => !account[field].trim());
  problems.addUnless(
    missing.length === 0,
    `The account's billing address is incomplete: set ${missing.join(", ")} with PUT /v4/account`,
  );
}

/**
 * Adds a payment method. The first one of an account becomes the default, so that there is always exactly one default.
 */
export function addMethod(
  world: World,
  { type, data, is_default }: Pick<PaymentMethod, "type" | "data" | "is_default">,
) {
  const first = defaultMethod(world) === undefined;
  const since = world.clock.time(world.clock.now() - DAY);
  for (const { id } of world.paymentMethods.by("active", false).filter(({ created }) => created <= since))
    world.paymentMethods.remove(id);
  const method = world.paymentMethods.insert({ type, data, is_default: false, active: true });
  return is_default || first ? setDefault(world, method.id) : method;
}

export function setDefault(world: World, id: number): Readonly<PaymentMethodRow> {
  for (const other of activeMethods(world).filter((method) => method.is_default))
    world.paymentMethods.patch(other.id, { is_default: false });
  return world.paymentMethods.patch(id, { is_default: true });
}

/** The reason why a charge to the payment method would fail; undefined if it would succeed. */
export function chargeProblem(
  world: World,
  { data: { last_four, expiry } }: Readonly<PaymentMethodRow>,
): string | undefined {
  const [month = 0, year = 0] = expiry.split("/").map(Number);
  const [thisYear, now] = thisMonth(world);
  if (year < thisYear || (year === thisYear && month < now))
    return `The card ending in ${last_four} expired after ${expiry}`;
  return accountOf(world).declines ? `The card ending in ${last_four} was declined` : undefined;
}

function thisMonth(world: World): [year: number, month: number] {
  const [year = 0, month = 0] = world.clock.time().split("-").map(Number);
  return [year, month];
}
