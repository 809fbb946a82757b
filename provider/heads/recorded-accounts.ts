import { isObject } from "../../api";
import type { Host } from "../engine/host";
import type { Bag } from "../engine/values";
import { type AccountIdentity, accountIn, accountText, requireSameAccount } from "./account";
import { ACCOUNT } from "./own-properties";

/** The fields of a resource in an exported state that show its account. */
export interface Row {
  urn: string;
  [field: string]: unknown;
}

/**
 * Returns a function that finds the account of a resource in an exported state: a dynamic resource has it in its own
 * properties, and a resource of the native plugin in those of its provider. Undefined if the state was written before
 * accounts were recorded.
 */
export function recordedAccounts(rows: readonly Row[]): (row: Row) => AccountIdentity | undefined {
  const providers = new Map(rows.map((row) => [`${row.urn}::${row.id}`, row]));
  return (row) => ownAccount(row) ?? ownAccount(providers.get(String(row.provider)));
}

const ownAccount = (row: Row | undefined): AccountIdentity | undefined =>
  accountIn(bagIn(row?.outputs)[ACCOUNT]) ?? accountIn(bagIn(row?.inputs)[ACCOUNT]);

const bagIn = (value: unknown): Bag => (isObject(value) ? value : {});

/** Throws an error if one of the accounts is not the one at hand. */
export async function requireSameAccounts(
  host: Host,
  accounts: readonly (AccountIdentity | undefined)[],
): Promise<void> {
  const distinct = new Map(accounts.flatMap((account) => (account ? [[accountText(account), account]] : [])));
  for (const account of distinct.values()) await requireSameAccount(host, account, { isChange: true });
}
