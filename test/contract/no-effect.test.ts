import { expect, test } from "vitest";
import { fieldsOf, queryOf } from "../../api";
import { calls, other, outcome } from "./matrix/calls";
import type { Row } from "./matrix/updates";

/** Query parameters that clients send with every GET request, and names that every object inherits. */
const unknown = { page: "1", page_size: "100", nonsense: "x", constructor: "1", toString: "2" };

test.each(calls)("$name: unknown query parameters have no effect", async (call) => {
  const own = fieldsOf(queryOf(call.operation));
  const added = Object.fromEntries(Object.entries(unknown).filter(([name]) => !Object.hasOwn(own, name)));
  const plain = await outcome(call, (input) => input);
  expect([plain.status, plain.body.errors]).toEqual([200, undefined]);
  expect(await outcome(call, (input) => ({ ...input, query: { ...input.query, ...added } }))).toEqual(plain);
});

// A tag has no field but its label.
const creations = calls.filter(({ key, name }) => key === "create" && name !== "tags.create");

test.each(creations)("$name: read-only fields have no effect", async (call) => {
  const { body } = call.operation;
  const plain = await outcome(call, (input) => input);
  const fields = Object.keys(plain.body).filter((name) => body && !Object.hasOwn(fieldsOf(body), name));
  expect(fields.length).toBeGreaterThan(0);
  const added = Object.fromEntries(fields.map((name) => [name, other(plain.body[name])]));
  expect(await outcome(call, (input) => ({ ...input, body: { ...(input.body as Row), ...added } }))).toEqual(plain);
});
