import { expect, test } from "vitest";
import { z } from "zod";
import { contentTypeOf, type EventAction, type Operation } from "../../../api";
import { missingKeys } from "./keys";
import { allOperations, type Ready, request } from "./request";

/**
 * Events that may occur in addition to the one that the contract declares for an operation: each new node of a cluster
 * causes an event, and instances boot after some operations.
 */
const consequences: ReadonlySet<EventAction> = new Set([
  "compute_boot",
  "compute_mutate_create",
  "compute_resize_create",
  "lke_node_create",
]);

/** Paths of objects that DELETE cancels or renews, so that they still exist afterwards. */
const lasting: ReadonlySet<string> = new Set([
  "/account/entity-transfers/{token}",
  "/lke/clusters/{clusterId}/kubeconfig",
  "/object-storage/buckets/{clusterId}/{bucket}/ssl",
]);

/**
 * A valid request succeeds, returns a result that matches the contract, and causes the event that the contract
 * declares and no others. A deleted object no longer exists.
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
    const actions = new Set(written.map(({ action }) => action));
    expect([...actions].filter((action) => action === event || !consequences.has(action))).toEqual(
      event ? [event] : [],
    );
  });
  if (operation.method === "DELETE" && !lasting.has(operation.path))
    test("404 Not found after the deletion", async () => {
      const { account, input } = ready();
      account.settle();
      const view = allOperations.find(({ method, path }) => method === "GET" && path === operation.path);
      for (const deleted of view ? [operation, view] : [operation])
        expect([deleted.method, (await request(account, deleted, input)).status]).toEqual([deleted.method, 404]);
    });
  if (contentTypeOf(result)) return;
  test("the response has every field of its record", () => {
    expect(body).toBeTypeOf("object");
    expect(missingKeys(result, body)).toEqual([]);
  });
}
