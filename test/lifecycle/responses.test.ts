import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fieldsOf, innerOf, isObject, mapParts } from "../../api";
import type { Kind } from "../../provider/engine/definition";
import { recordFields } from "../../provider/engine/records";
import type { Bag } from "../../provider/engine/values";
import { type ChangeResponse, type Schema, withChangedResponses } from "./changed-responses";
import { fileOf, names, type Scenario, scenario } from "./scenario";

/** Refreshes the resource with a new provider. `change` removes fields from the API responses or adds unknown ones. */
const looked = async (it: Scenario, change: ChangeResponse) => {
  it.anew();
  it.managed.reconnect(withChangedResponses({ ...it, host: it.reconnect() }, change));
  return it.managed.refresh();
};

const unexpected = fc.constantFrom<unknown>(null, 7, "new", [], {}, [{ id: null }], { deep: { er: [1] } });

/** Ten fields that no schema has. */
const unknownFields = Array.from({ length: 10 }, (_, at) => [`newer_${at}`, { value: [at, null] }] as const);

describe.each(names)("%s", (name) => {
  test("accepts responses with unknown fields, and responses without optional fields", async () => {
    await using it = await scenario(name);
    await it.managed.up(it.fixture.base);
    const { inputs } = it.managed.state ?? {};
    const responses = fc.record({ extra: unexpected, drop: fc.infiniteStream(fc.boolean()), at: fc.nat(9) });
    await fc.assert(
      fc.asyncProperty(responses, async ({ extra, drop, at }) => {
        const change: ChangeResponse = (schema, value) => {
          // Only fields that are not inputs are removed. A missing input would mean that the input is not set, which is
          // a real difference.
          const parts = Object.entries(value).map(([key, item]) => {
            const part = fieldsOf(schema)[key];
            return [key, part && !(key in it.kind.fields) ? inner(part, item) : item] as const;
          });
          const stored = parts.filter(([key]) => !mayLack(it.kind, schema, key) || !drop.next().value);
          return Object.fromEntries([...stored.slice(0, at), ["brand_new", extra], ...stored.slice(at)]);
        };
        const inner = (schema: Schema, value: unknown): unknown =>
          isObject(value) && Object.keys(fieldsOf(schema)).length
            ? change(schema, value)
            : mapParts(schema, value, inner);
        expect(await looked(it, change)).toBe("same");
        expect(it.managed.state?.inputs).toEqual(inputs);
      }),
      { numRuns: 25 },
    );
  });

  test("accepts values of enumerations, such as statuses, that are newer than the documents", async () => {
    await using it = await scenario(name);
    await it.managed.up(it.fixture.base);
    const { inputs } = it.managed.state ?? {};
    const newer: ChangeResponse = (schema, value) => {
      const parts = Object.entries(value).map(([key, item]) => {
        const part = fieldsOf(schema)[key];
        return [key, part && !(key in it.kind.fields) ? inner(part, item) : item] as const;
      });
      return Object.fromEntries([...parts, ...unknownFields]);
    };
    const inner = (schema: Schema, value: unknown): unknown => {
      if (innerOf(schema) instanceof z.core.$ZodEnum && value !== null) return "newer_value";
      return isObject(value) && Object.keys(fieldsOf(schema)).length
        ? newer(schema, value)
        : mapParts(schema, value, inner);
    };
    expect(await looked(it, newer)).not.toBe("deleted");
    expect(it.managed.state?.inputs).toEqual(inputs);
    expect(JSON.stringify(it.managed.state)).not.toContain("newer_0");
    it.anew();
    expect((await it.managed.preview(it.fixture.base)).op).toBe("same");
  });

  test("shows no difference if its state was written from responses without empty fields", async () => {
    await using it = await scenario(name);
    it.managed.reconnect(withChangedResponses(it, withoutEmpty));
    await it.managed.up(it.fixture.base);
    const { inputs } = it.managed.state ?? {};
    it.anew();
    expect((await it.managed.preview(it.fixture.base)).op).toBe("same");
    expect(await it.managed.refresh()).toBe("same");
    expect(it.managed.state?.inputs).toEqual(inputs);
    expect((await it.managed.preview(it.fixture.base)).op).toBe("same");
    expect(it.calls()).toEqual([]);
  });

  test("keeps the value in state of a required field that a response omits", async () => {
    await using it = await scenario(name);
    await it.managed.up(it.fixture.base);
    const promised = Object.entries(recordFields(it.kind)).filter(([, { _zod }]) => _zod.def.type !== "optional");
    const isRecord = (schema: Schema) => promised.every(([key]) => key in fieldsOf(schema));
    for (const [key] of promised) {
      if (it.fixture.mustReturn?.includes(key)) continue;
      const change: ChangeResponse = (schema, { [key]: lost, ...rest }) =>
        isRecord(schema) ? rest : { ...rest, [key]: lost };
      const result = await looked(it, change).catch((error: unknown) => error);
      expect(result, `a refresh whose response lacks "${key}". ${hints(result, key, fileOf(name))}`).toBe("same");
    }
  });
});

/**
 * Advice for fixing a resource class whose refresh reports a change or a deletion because a field is missing in a
 * response.
 */
function hints(result: unknown, key: string, file: string): string {
  if (result === "changed")
    return `The provider reports a change: an absent field keeps its value in state, so \`get\` or \`extend\` of the definition must return undefined for what it computes from the field, and not another value`;
  return `The provider takes the object for missing or fails: \`get\` or \`extend\` of the definition must not conclude that from an absent "${key}". If the object cannot be identified without it, list it in \`mustReturn\` of the fixture in ${file}`;
}

/**
 * Fields that earlier versions of the emulator omitted instead of returning null or an empty value. The provider must
 * accept both.
 */
const leftOut = new Set([
  ...["description", "group", "soa_email", "name", "email", "eol", "vendor", "rdns", "finished", "last_decrypted"],
  ...["last_successful", "current", "in_progress", "comments", "global"],
]);

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

function withoutEmpty(schema: Schema, value: Bag): Bag {
  const inner = (part: Schema, item: unknown): unknown =>
    isObject(item) && Object.keys(fieldsOf(part)).length ? withoutEmpty(part, item) : mapParts(part, item, inner);
  const stored = Object.entries(value).filter(([key, item]) => !(leftOut.has(key) && isEmpty(item)));
  return Object.fromEntries(stored.map(([key, item]) => [key, inner(fieldsOf(schema)[key] ?? schema, item)]));
}

const mayLack = ({ fields }: Kind, schema: Schema, key: string): boolean =>
  !(key in fields) && (leftOut.has(key) || fieldsOf(schema)[key]?._zod.def.type === "optional");
