import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  contentTypeOf,
  type Direction,
  entryOf,
  filterableFields,
  namedOperations,
  operations,
  queryOf,
  translationOf,
  visit,
} from "../../../../api";
import { userText, userTextsIn, valuesOf } from "./values";

const linode = translationOf("linode");
const all = namedOperations(operations);

/** Number of random values over all schemas of the contract. */
const VALUES = 10_000;

const schemas = all.flatMap(({ name, operation }) => [
  ...(operation.body && !contentTypeOf(operation.body) ? [{ name: `${name} request`, schema: operation.body }] : []),
  ...(contentTypeOf(operation.result) ? [] : [{ name: `${name} response`, schema: operation.result }]),
]);
const filtered = all.flatMap(({ name, operation }) => {
  const entry = entryOf(operation);
  return entry && filterableFields(entry).size ? [{ name, entry }] : [];
});

const converted = (schema: z.core.$ZodType, direction: Direction, value: unknown): unknown =>
  linode.of(schema, direction)?.(value) ?? value;

describe("random values of all operations", () => {
  test.each(schemas)("$name: two conversions restore the value, and the texts of users are unchanged", ({ schema }) => {
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        for (const [existing, back] of [
          ["to", "from"],
          ["from", "to"],
        ] as const) {
          const other = converted(schema, existing, value);
          expect(JSON.stringify(converted(schema, back, other))).toBe(JSON.stringify(value));
          expect(userTextsIn(other)).toEqual(userTextsIn(value));
        }
      }),
      { numRuns: Math.ceil(VALUES / schemas.length), seed: 1 },
    );
  });

  test.each(filtered)("$name: two conversions restore a filter, and the texts of users are unchanged", ({ entry }) => {
    const names = fc.constantFrom("compute_id", "linode_id", "entity.type", ...filterableFields(entry).keys());
    const condition = fc.oneof(userText, fc.record({ "+contains": userText }), fc.record({ "+neq": userText }));
    const conditions = fc.dictionary(names, condition, { maxKeys: 3 });
    const filters = fc.record({ "+or": fc.array(conditions, { maxLength: 2 }), "+order_by": names });
    fc.assert(
      fc.property(filters, (filter) => {
        for (const [existing, back] of [
          ["to", "from"],
          ["from", "to"],
        ] as const) {
          const other = linode.filter(entry, existing)(filter);
          expect(JSON.stringify(linode.filter(entry, back)(other))).toBe(JSON.stringify(filter));
          expect(userTextsIn(other)).toEqual(userTextsIn(filter));
        }
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  test("a message is restored by two conversions", () => {
    fc.assert(
      fc.property(userText, (text) => {
        expect(linode.text(linode.text(text))).toBe(text);
      }),
      { seed: 1 },
    );
  });
});

test.each([
  ["_sip", "sip", "_sip"],
  ["sip", "sip", "_sip"],
  ["", "", ""],
  [null, null, null],
])("the service %j of an SRV record is sent as %j and read as %j", (service, sent, read) => {
  const { service: schema } = operations.domainRecords.view.result.shape;
  expect([converted(schema, "to", service), converted(schema, "fromUser", service)]).toEqual([sent, sent]);
  expect(converted(schema, "from", service)).toEqual(read);
});

test("every name of the contract with the noun has a name in the dialect", () => {
  const noun = /compute/i;
  const left = new Set<string>();
  for (const { operation } of all) {
    const path = operation.path.replace(/\{\w+\}/g, "{}");
    if (noun.test(path) && noun.test(linode.path(path))) left.add(path);
    for (const scope of operation.scopes) if (noun.test(linode.text(scope))) left.add(scope);
    if (operation.grant && noun.test(linode.text(operation.grant))) left.add(operation.grant);
    for (const whole of [queryOf(operation), operation.result, ...(operation.body ? [operation.body] : [])])
      for (const { schema, field } of visit(whole)) {
        if (field && noun.test(field) && noun.test(linode.field(z.strictObject({ [field]: schema }), field)))
          left.add(field);
        const values =
          schema instanceof z.core.$ZodEnum || schema instanceof z.core.$ZodLiteral ? schema._zod.values : [];
        for (const value of values) if (noun.test(String(converted(schema, "to", value)))) left.add(String(value));
      }
  }
  expect([...left]).toEqual([]);
});

test("schemas without names of the service need no conversion", () => {
  expect(linode.of(operations.domains.create.body, "to")).toBeUndefined();
  expect(linode.of(operations.domains.list.result, "from")).toBeUndefined();
});
