import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Area, operations } from "../../../api";
import { tested } from "../../../tools/generate/coverage";
import { grants, scopes, tokens } from "./authorization";
import { type Account, type AllPlans, freshAccount, type Plan } from "./plan";
import { plans } from "./plans";
import { bodies, filters, ids, methods, owners, queries, versions } from "./refusals";
import { type Input, type Ready, statusesIn } from "./request";
import { success } from "./success";

/**
 * The checks for each operation. Checks of rejected requests come first: these requests change nothing, so all of them
 * can use the same account.
 */
const checks = [tokens, scopes, grants, ids, owners, bodies, queries, filters, methods, versions, success];

/** Defines the tests for every operation of the given parts of the API, such as `volumes`. */
export function testOperations(areas: readonly (keyof AllPlans)[]): void {
  for (const area of areas)
    for (const [key, operation] of Object.entries<Area[string]>(operations[area]))
      describe(`${area}.${key}`, () => {
        let ready: Ready | undefined;
        beforeAll(async () => {
          const created: Account = await freshAccount();
          const plan = (plans[area] as Readonly<Record<string, Plan<never>>>)[key] as (
            account: Account,
          ) => Promise<Input>;
          ready = { account: created, input: await plan(created) };
        });
        afterAll(() => ready?.account.close());
        for (const check of checks) check(operation, () => ready as Ready);
        test("all statuses of docs/coverage.md were seen", () => {
          expect([...statusesIn((ready as Ready).account)]).toEqual(expect.arrayContaining(tested({ operation })));
        });
      });
}
