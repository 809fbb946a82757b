import { z } from "zod";
import { fieldsOf, type Operation, pathNames, suggestion } from "../../api";
import { isPaged } from "./envelope";
import { type Filter, type Input, objectNameOf } from "./request";

/** The part of the HTTP request to which a field of a call's input belongs, such as `path` for `volumeId`. */
export type InputPart = "path" | "query" | "body" | "filter" | "whole body";

/**
 * The fields of an operation's input, each with the part of the HTTP request to which it belongs. Names are unique
 * within an operation.
 */
export function inputParts(operation: Operation): ReadonlyMap<string, InputPart> {
  return new Map(inputFields(operation));
}

/** The fields as a list, which can contain duplicates, so that a test can verify that names are unique. */
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

/** Splits the input of a call, which is one object, into path parameters, query and body. Throws on unknown fields. */
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

/** The text for a path parameter without a description, such as `Id of the node balancer.` for `nodeBalancerId`. */
export const aboutParameter = (name: string): string =>
  name.endsWith("Id") ? `Id of the ${objectNameOf(name)}.` : `The ${objectNameOf(name)}.`;

type Row = Record<string, unknown>;
