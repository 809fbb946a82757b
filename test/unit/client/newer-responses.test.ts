import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  contentTypeOf,
  elementOf,
  fieldsOf,
  innerOf,
  isObject,
  namedOperations,
  type Operation,
  operations,
  pathNames,
  translationOf,
  valueTypeOf,
} from "../../../api";
import { clientOf } from "../../../provider/client/client";
import { callNamed } from "../../../provider/client/operation-calls";
import { json, serve, TOKEN } from "./scripted";

type Schema = z.core.$ZodType;

const NEWER = "newer_value";
const unknownFields = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`newer_${at}`, { in: [at, null] }]));

/** A value of the schema as a newer service could return it: with more fields, and with other values of enumerations. */
function newer(schema: Schema, field = ""): unknown {
  const inner = innerOf(schema);
  const { type } = inner._zod.def;
  if (inner instanceof z.core.$ZodUnion) return newer(inner._zod.def.options[0] as Schema, field);
  if (inner instanceof z.core.$ZodLiteral) return inner._zod.def.values[0];
  if (inner instanceof z.core.$ZodEnum) return NEWER;
  if (type === "object") {
    const parts = Object.entries(fieldsOf(inner)).map(([name, part]) => [name, newer(part, name)]);
    return { ...Object.fromEntries(parts), ...unknownFields };
  }
  const element = elementOf(inner);
  if (element) return [newer(element, field)];
  const values = valueTypeOf(inner);
  if (values) return { key: newer(values, field) };
  if (type === "number" || type === "int") return 1;
  if (type === "boolean") return true;
  return `a ${field}`;
}

const pathOf = ({ path, params = {} }: Operation) =>
  Object.fromEntries(pathNames(path).map((name) => [name, params[name] ? "one" : 1]));

describe.each([undefined, "linode"] as const)("with the dialect %s", (dialect) => {
  let url: string;
  let response: unknown;
  beforeEach(async () => {
    ({ url } = await serve((request, out) => json(200, response)(request, out)));
  });

  test.each(
    namedOperations(operations)
      .filter(({ operation }) => !contentTypeOf(operation.result))
      .map(({ name, area, key, operation }) => [name, area, key, operation] as const),
  )("%s reads unknown fields, values of enumerations and statuses", async (_, area, key, operation) => {
    const { api, close } = clientOf(operations, { url, token: TOKEN, dialect });
    const names = dialect && translationOf(dialect).of(operation.result, "to");
    response = names ? names(newer(operation.result)) : newer(operation.result);
    const body = operation.body && contentTypeOf(operation.body) ? new Uint8Array([1]) : {};
    const sent = { path: pathOf(operation), ...(operation.body && { body }) };
    const read = await callNamed(api, area, key)(sent as never);
    expect(fieldNames(read)).toEqual(fieldNames(newer(operation.result)));
    await close();
  });
});

const fieldNames = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(fieldNames)
    : isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fieldNames(part)]))
      : value === NEWER
        ? NEWER
        : typeof value;
