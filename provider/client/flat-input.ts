import { z } from "zod";
import { fieldsOf, type Operation, pathNames, suggestion } from "../../api";
import { isPaged } from "./envelope";
import { type Filter, type Input, thingOf } from "./request";

/** The part of the request that a field of the flat input belongs to. */
export type InputPart = "path" | "query" | "body" | "filter" | "whole body";

/** The fields of an operation's flat input, each with its part of the request. Names are unique within an operation. */
export function inputParts(operation: Operation): ReadonlyMap<string, InputPart> {
  return new Map(inputFields(operation));
}

/** The fields as a list in which duplicate names remain visible. */
export function inputFields(operation: Operation): [name: string, part: InputPart][] {
  const { path, query, body } = operation;
  const named = (part: InputPart, names: string[]) => names.map((name): [string, InputPart] => [name, part]);
  return [
    ...named("path", pathNames(path)),
    ...named("query", query ? Object.keys(fieldsOf(query)) : []),
    ...named("filter", isPaged(operation) ? ["filter"] : []),
    ...(isWhole(body) ? named("whole body", ["body"]) : named("body", body ? Object.keys(fieldsOf(body)) : [])),
  ];
}

/** Whether the body is a single value instead of an object with fields, for example bytes. */
export const isWhole = (body: Operation["body"] | z.core.$ZodType): boolean =>
  body !== undefined && !(body instanceof z.core.$ZodObject);

/** Converts a flat input to path parameters, query and body. Throws on unknown fields. */
export function inputFrom(
  name: string,
  operation: Operation,
  flat: Readonly<Record<string, unknown>>,
  parts = inputParts(operation),
): { input: Input; filter?: Filter } {
  const input = { path: {} as Row, query: {} as Row, body: {} as Row };
  const found: { input: Input; filter?: Filter } = { input };
  for (const [field, value] of Object.entries(flat)) {
    if (value === undefined) continue;
    const part = parts.get(field);
    if (!part) throw new TypeError(`${name}: unknown field "${field}"${suggestion(field, [...parts.keys()])}`);
    if (part === "filter") found.filter = value as Filter;
    else if (part === "whole body") found.input.body = value;
    else input[part][field] = value;
  }
  for (const field of pathNames(operation.path))
    if (input.path[field] === undefined || input.path[field] === null)
      throw new TypeError(`${name}: missing required parameter "${field}"`);
  return found;
}

/** The description of a path parameter that has none: `nodeBalancerId` is described as the id of a node balancer. */
export const aboutParameter = (name: string): string =>
  name.endsWith("Id") ? `Id of the ${thingOf(name)}.` : `The ${thingOf(name)}.`;

type Row = Record<string, unknown>;
