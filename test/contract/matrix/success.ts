import { expect, test } from "vitest";
import { z } from "zod";
import { contentTypeOf, type EventAction, type Operation } from "../../../api";
import { missingKeys } from "./keys";
import { type Ready, request } from "./request";

/**
 * Events that may occur in addition to the one that the contract declares for an operation: each new node of a cluster
 * causes an event.
 */
const consequences: ReadonlySet<EventAction> = new Set(["lke_node_create"]);

/**
 * A valid request succeeds, returns a result that matches the contract, and causes the event that the contract
 * declares.
 */
export function success(operation: Operation, ready: () => Ready): void {
  const { event, result } = operation;
  let body: unknown;
  test(`200${event ? ` and the event ${event}` : ""}`, async () => {
    const { account, input } = ready();
    const before = account.world.events.table.all().length;
    const response = await request(account, operation, input);
    expect([response.status, response.body?.errors]).toEqual([200, undefined]);
    body = response.body;
    const type = contentTypeOf(result);
    if (type) expect(response.headers.get("content-type")).toBe(type);
    else expect(z.safeParse(result, response.body).error?.issues).toBeUndefined();
    for (const header of ["x-spec-version", "x-ratelimit-remaining", "x-accepted-oauth-scopes"])
      expect(response.headers.get(header), header).not.toBeNull();
    const written = account.world.events.table.all().slice(before);
    const messages = written.map(({ action }) => action).filter((action) => !consequences.has(action));
    if (event) expect(messages).toContain(event);
    else expect(messages).toEqual([]);
  });
  if (contentTypeOf(result)) return;
  test("the response has every field of its record", () => {
    expect(body).toBeTypeOf("object");
    expect(missingKeys(result, body)).toEqual([]);
  });
}
