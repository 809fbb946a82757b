import type { z } from "zod";
import {
  type Area,
  entryOf,
  fieldsOf,
  filterableFields,
  isRequired,
  metaOf,
  type Operation,
  pascal,
} from "../../../api";
import { aboutParameter, inputFields } from "../../../provider/client/flat-input";
import { docText } from "../typescript";
import { isBytes, type Records } from "./records";

type Schema = z.core.$ZodType;

/**
 * Generates the TypeScript types of the API client: an abstract class `Areas` with a property for each group of
 * operations (such as `volumes`), and interfaces for the groups and for the input of each operation.
 */
export function areasText(operations: Record<string, Area>, records: Records): string {
  const areas = Object.entries(operations);
  const fields = areas.map(([area]) => `declare readonly ${area}: ${pascal(area)}Area;`);
  return [
    `/** The operations of the service, by area. */\nexport abstract class Areas {\n${fields.join("\n")}\n}`,
    ...areas.flatMap(([area, known]) => [
      areaText(area, known, records),
      ...Object.entries(known).flatMap(([key, operation]) => inputText(area, key, operation, records)),
    ]),
  ].join("\n\n");
}

function areaText(area: string, known: Area, records: Records): string {
  const methods = Object.entries(known).map(
    ([key, operation]) => `${docText(aboutOf(operation))}${methodText(area, key, operation, records)}`,
  );
  return `export interface ${pascal(area)}Area {\n${methods.join("\n")}\n}`;
}

function methodText(area: string, key: string, operation: Operation, records: Records): string {
  const input = inputName(area, key);
  const takes = inputFields(operation).length > 0;
  const optional = describedFields(operation, records).every(({ required }) => !required);
  const entry = entryOf(operation);
  if (entry) return `${key}: ${optional ? "List" : "ListOf"}<${input}, ${records.typeOf(entry, "output")}>;`;
  const result =
    Object.keys(fieldsOf(operation.result)).length || isBytes(operation.result)
      ? records.typeOf(operation.result, "output")
      : "void";
  const argument = takes ? `input${optional ? "?" : ""}: ${input}` : "input?: Record<never, never>";
  return `${key}(${argument}, options?: CallOptions): Promise<${result}>;`;
}

const aboutOf = (operation: Operation): string =>
  [operation.summary, factsOf(operation), ...(operation.deprecated ? [`@deprecated ${DEPRECATED}`] : [])].join("\n\n");

export const DEPRECATED = "The service will remove this operation.";

/** Facts for the hover text of an operation: its HTTP request, and the scopes that the token requires. */
export function factsOf({ scopes, grant, beta, method, path }: Operation): string {
  const needs = scopes.length ? `Scopes: ${scopes.map((scope) => `\`${scope}\``).join(", ")}.` : "No token required.";
  return [
    `\`${method} ${path}\`.`,
    needs,
    ...(grant ? [`Grant for restricted users: \`${grant}\`.`] : []),
    ...(beta ? ["Beta."] : []),
  ].join(" ");
}

function inputText(area: string, key: string, operation: Operation, records: Records): string[] {
  const fields = describedFields(operation, records);
  if (!fields.length) return [];
  const lines = fields.map(
    ({ name, doc, required, type }) =>
      `${docText(doc)}${name}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"};`,
  );
  return [
    `/** The input of {@link ${pascal(area)}Area.${key}}. */\nexport interface ${inputName(area, key)} {\n${lines.join("\n")}\n}`,
  ];
}

interface Field {
  name: string;
  doc: string;
  required: boolean;
  type: string;
}

function describedFields(operation: Operation, records: Records): Field[] {
  const { params = {}, query, body } = operation;
  const ofSchema = (name: string, schema: Schema): Field => ({
    name,
    doc: records.docOf(schema, "input"),
    required: isRequired(schema),
    type: records.typeOf(schema, "input"),
  });
  const inPath = (name: string): Field => {
    const schema = params[name];
    if (!schema) return { name, doc: aboutParameter(name), required: true, type: "number" };
    const field = ofSchema(name, schema);
    return { ...field, doc: metaOf(schema).description ? field.doc : `${aboutParameter(name)} ${field.doc}`.trim() };
  };
  return inputFields(operation).map(([name, part]): Field => {
    if (part === "path") return inPath(name);
    if (part === "filter") return filterField(operation, records);
    if (part === "whole body") return ofSchema(name, body as Schema);
    return ofSchema(name, fieldsOf((part === "query" ? query : body) as Schema)[name] as Schema);
  });
}

function filterField(operation: Operation, records: Records): Field {
  const fields = [...filterableFields(entryOf(operation) as Schema)];
  const types = fields.map(([name, { value }]) => `${JSON.stringify(name)}: ${records.typeOf(value, "output")}`);
  const names = fields.map(([name]) => `\`${name}\``).join(", ");
  return {
    name: "filter",
    doc: names ? `Filter by ${names}.` : "Sort order. This list cannot be filtered.",
    required: false,
    type: types.length ? `FilterOn<{ ${types.join("; ")} }>` : "FilterOn<unknown>",
  };
}

const inputName = (area: string, key: string): string => `${pascal(area)}${pascal(key)}Input`;
