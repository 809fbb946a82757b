import { z } from "zod";
import { fieldsOf, type Operation, pathNames, suggestion } from "../../api";
import { isPaged } from "./envelope";
import { type Filter, type Input, thingOf } from "./request";

/** Where a field of the one object that callers pass goes to. */
export type InputPart = "path" | "query" | "body" | "filter" | "whole body";

/** The fields of an operation's input, each with where it goes; the contract has no name twice in an operation. */
export function inputParts(operation: Operation): ReadonlyMap<string, InputPart> {
  return new Map(inputFields(operation));
}

/** The same as a list, in which a name that the contract had twice would be seen. */
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

/** Whether the body is no record, so that it has no fields to pass: bytes, for one. */
export const isWhole = (body: Operation["body"] | z.core.$ZodType): boolean =>
  body !== undefined && !(body instanceof z.core.$ZodObject);

/** The input of the internal client for one flat object; refuses what the operation does not know. */
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
    if (!part) throw new TypeError(`${name}: there is no field "${field}"${suggestion(field, [...parts.keys()])}`);
    if (part === "filter") found.filter = value as Filter;
    else if (part === "whole body") found.input.body = value;
    else input[part][field] = value;
  }
  for (const field of pathNames(operation.path))
    if (input.path[field] === undefined || input.path[field] === null)
      throw new TypeError(`${name}: "${field}" is missing, which says what to call it on`);
  return found;
}

/** What a path parameter is, where the contract has no words for it: `nodeBalancerId` is the id of a node balancer. */
export const aboutParameter = (name: string): string =>
  name.endsWith("Id") ? `Id of the ${thingOf(name)}.` : `The ${thingOf(name)}.`;

type Row = Record<string, unknown>;
