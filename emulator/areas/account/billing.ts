import { randomUUID } from "node:crypto";
import type { Account, EventEntity, Payment } from "../../../api";
import { EmulatorBug } from "../../core/emulator-bug";
import { entity } from "../../core/events";
import { hash, Random } from "../../core/random";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { Part } from "../../http/handlers";

/** The stored account. Its capabilities and credit card are determined when the account is read. */
export interface AccountRow extends Omit<Account, "capabilities" | "credit_card"> {
  id: number;
  /** Whether charges to the account's card are declined. */
  declines: boolean;
  /** Time at which the account was cancelled; null while it is open. */
  cancelled: string | null;
}

export interface PaymentRow extends Payment {}

export const billing: Part<{ account: AccountRow; payments: PaymentRow }> = {
  tables: {
    account: table<AccountRow>([], { upgrade: (row) => ({ ...row, euuid: euuidOf(String(row.euuid)) }) }),
    payments: table<PaymentRow>(),
  },
};

/** Removes the last dash of a UUID, because the API returns the account's `euuid` without it. */
const euuidOf = (uuid: string): string => uuid.replace(/^(.{8}-.{4}-.{4}-.{4})-/, "$1");

/**
 * Inserts the account with fixed values. Random values would change all values that the seeded random generator returns
 * later. Only the account's id is random unless the user has set a seed: two emulators are two accounts, although their
 * objects have the same ids.
 */
export function openAccount(world: World, { isSeeded }: { isSeeded: boolean }): void {
  const uuid = isSeeded ? new Random(hash(`${world.seed}/account`)).uuid() : randomUUID();
  world.account.insert({
    address_1: "1 Example Street",
    address_2: "",
    city: "Philadelphia",
    company: "",
    country: "US",
    email: "emulator@cloudinfra.example",
    first_name: "Ada",
    last_name: "Example",
    phone: "555-0100",
    state: "PA",
    tax_id: null,
    zip: "19106",
    active_promotions: [],
    active_since: world.clock.time(),
    balance: 0,
    balance_uninvoiced: 0,
    euuid: euuidOf(uuid),
    declines: false,
    cancelled: null,
  });
}

export function accountOf(world: World): Readonly<AccountRow> {
  const [account] = world.account.all();
  if (!account)
    throw new EmulatorBug(
      "the emulator does not have an account: the table `account` of the loaded snapshot is empty; load a snapshot that has a row in it",
    );
  return account;
}

export const accountEntity = ({ id, company, email }: Readonly<AccountRow>): EventEntity<"account"> =>
  entity("account", { id, label: company || email });

export const hasBalanceDue = (world: World): boolean => accountOf(world).balance > 0;

/** Rounds dollars to whole cents, so that floating-point errors do not add up. */
export const cents = (usd: number): number => Math.round(usd * 100) / 100;

export const dollars = (usd: number): string => `$${usd.toFixed(2)}`;

/**
 * Sets the balance. At 0 or less, the notification that a payment is due is removed (API documentation, part 3 ·
 * Endpoints · Account and billing · rule 9).
 */
export function setBalance(world: World, balance: number): void {
  world.account.patch(accountOf(world).id, { balance });
  if (hasBalanceDue(world)) return;
  for (const { id } of world.notifications.by("type", "payment_due")) world.notifications.remove(id);
}

export function pay(world: World, usd: number): Readonly<PaymentRow> {
  setBalance(world, cents(accountOf(world).balance - usd));
  return world.payments.insert({ date: world.clock.time(), usd });
}
