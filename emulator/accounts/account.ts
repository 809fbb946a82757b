import { type Operation, operations, type Result, type Sent } from "../../api";
import { areas } from "../areas";
import { EmulatorBug } from "../core/emulator-bug";
import { addToken } from "../core/users";
import type { World } from "../core/world";
import { Router } from "../http/router";

/** An account to which plans add objects. Plans send ordinary API requests, so all rules of the API apply. */
export interface Account {
  call<O extends Operation>(operation: O, sent: Sent<O>): Promise<Result<O>>;
  /** Advances the clock until every job has ended. */
  settle(): void;
  /** How often each operation was called. */
  counts(): Record<string, number>;
}

/**
 * Adds the objects of one area to an account. Plans run in order, and a plan finds the objects of earlier plans with
 * list requests.
 */
export interface Plan {
  small(account: Account): Promise<void>;
  /** Adds more objects to a large account. Omitted for areas with few objects even in large accounts. */
  large?(account: Account): Promise<void>;
}

/** The token that creates the objects of a new account. It is revoked afterwards. */
const TOKEN = "account";

/** An account whose operations are called in this process, without rate limits, faults and the request log. */
export async function within(world: World, work: (account: Account) => Promise<void>): Promise<Account> {
  const router = new Router(world, operations, areas, { shuffle: false, rateLimits: false });
  const account: Account = {
    async call(operation, sent) {
      const { path = {}, query, body } = sent as { path?: object; query?: Record<string, string>; body?: object };
      const { status, body: answer } = await router.handle({
        method: operation.method,
        url: urlOf(operation, path, query),
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: body && Buffer.from(JSON.stringify(body)),
        address: "127.0.0.1",
      });
      if (status === 200) return JSON.parse(String(answer));
      throw new EmulatorBug(
        `cannot create the objects of a new account: ${operation.method} ${operation.path} returned ${status} ${answer}`,
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

/** Calls the function `count` times, with 0, 1, 2 and so on. */
export async function times(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < count; at++) await work(at);
}
