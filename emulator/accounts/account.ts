import { type Operation, operations, type Result, type Sent } from "../../api";
import { areas } from "../areas";
import { EmulatorBug } from "../core/emulator-bug";
import { addToken } from "../core/users";
import type { World } from "../core/world";
import { Router } from "../http/router";

/**
 * The emulated account to which the objects are added. They are created with ordinary API requests, so all rules of the
 * API apply.
 */
export interface Account {
  call<O extends Operation>(operation: O, sent: Sent<O>): Promise<Result<O>>;
  /** Advances the emulator's clock until every job, such as the boot of an instance, has ended. */
  settle(): void;
  /** How often each operation was called. */
  counts(): Record<string, number>;
}

/**
 * A plan creates the objects of one part of the API, such as volumes. Plans run in order, so a plan can list and use
 * the objects that earlier plans have created.
 */
export interface Plan {
  small(account: Account): Promise<void>;
  /** Creates the additional objects of the `large` account. Omitted if that account does not need more of them. */
  large?(account: Account): Promise<void>;
}

/** Token of the requests that fill a new account. It is revoked afterwards. */
const TOKEN = "account";

/**
 * Calls `work` with an account, and waits for its jobs. Requests to the account are handled in this process, without
 * rate limits, injected faults and entries in the emulator's request log.
 */
export async function within(world: World, work: (account: Account) => Promise<void>): Promise<Account> {
  const router = new Router(world, operations, areas, { shuffle: false, rateLimits: false });
  const account: Account = {
    async call(operation, sent) {
      const { path = {}, query, body } = sent as { path?: object; query?: Record<string, string>; body?: object };
      const { status, body: result } = await router.handle({
        method: operation.method,
        url: urlOf(operation, path, query),
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: body && Buffer.from(JSON.stringify(body)),
        address: "127.0.0.1",
      });
      if (status === 200) return JSON.parse(String(result));
      throw new EmulatorBug(
        `cannot create the objects of a new account: ${operation.method} ${operation.path} returned ${status} ${result}`,
      );
    },
    settle: () => world.schedule.settle(),
    counts: () => router.log.counts(),
  };
  const token = addToken(world, TOKEN);
  try {
    await work(account);
    account.settle();
    return account;
  } finally {
    world.tokens.remove(token);
  }
}

function urlOf({ path, beta }: Operation, values: object, query: Record<string, string> = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent((values as Record<string, string>)[name] ?? ""),
  );
  const text = new URLSearchParams(query).toString();
  return `/v4${beta ? "beta" : ""}${filled}${text && `?${text}`}`;
}

export async function times(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < count; at++) await work(at);
}
