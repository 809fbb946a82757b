import { type Host, perConnection } from "../engine/host";
import { currentAccount } from "./account";

const stacks = perConnection(() => ({ isShown: false, hasObjects: false }));

/** The stack has objects in the account already, so users know which one it is. */
export function knowsAccount(host: Host): void {
  stacks(host).hasObjects = true;
}

/**
 * Shows, once per connection, in which account the first objects of a stack will be created, so that a user sees a
 * mistaken token in the preview. Omitted if the token may not read the account.
 */
export async function showAccount(host: Host, inform: (message: string) => void): Promise<void> {
  const stack = stacks(host);
  if (stack.isShown || stack.hasObjects) return;
  stack.isShown = true;
  const { holder, address } = await currentAccount(host);
  if (holder === undefined) return;
  const count = await instanceCount(host);
  // A resource that exists already can be checked after a new one. If it comes later still, the line appears again.
  if (stack.hasObjects) return;
  const has = count === undefined ? "" : `, which has ${count === 1 ? "1 instance" : `${count} instances`}`;
  inform(`new objects are created in the account of ${holder} at ${address}${has}`);
}

/** The number of instances in the account. Undefined if the token may not list them. */
async function instanceCount({ api }: Host): Promise<number | undefined> {
  try {
    const { results } = await api.instances.list({ query: { page_size: 25 } });
    return results;
  } catch {
    return undefined;
  }
}
