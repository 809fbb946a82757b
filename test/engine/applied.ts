import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

/**
 * Programs that read every output of every resource in `apply` write a line of JSON to this file whenever one of these
 * functions runs.
 */
export const APPLIED = "applied.jsonl";

/** A function in `apply` that has run. */
export interface Applied {
  /** Whether it ran in a preview. */
  preview: boolean;
  /** Class and name of the resource, such as `Volume data`. */
  resource: string;
  /** Name of the output in the schema. */
  property: string;
  /** The value that the function received. Missing if it is undefined. */
  value?: unknown;
}

interface Type {
  type?: string;
  items?: Type;
  additionalProperties?: Type;
  oneOf?: Type[];
  $ref?: string;
  language?: { nodejs?: { numbers?: string } };
}
interface Named {
  type: string;
  enum?: unknown[];
  properties?: Record<string, Type>;
  required?: string[];
}
interface Resource {
  properties: Record<string, Type>;
  required: string[];
}

const schema = JSON.parse(readFileSync(join(__dirname, "../../schema.json"), "utf8")) as {
  types: Record<string, Named>;
  resources: Record<string, Resource>;
};

/** The names of the outputs of each resource class. */
export const outputsOf: Record<string, string[]> = Object.fromEntries(
  Object.entries(schema.resources).map(([token, { properties }]) => [
    token.slice(token.lastIndexOf(":") + 1),
    Object.keys(properties),
  ]),
);

export const appliedIn = (text: string): Applied[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** How a language passes values to a program where they differ from the schema. */
export interface Language {
  /** Ids are strings in the schema, and numbers in TypeScript. */
  id: "number" | "string";
  /** The name in the program of a property of a nested object. */
  named?(property: string): string;
}

/**
 * Compares what ran in `apply` with the schema. Returns a sentence for each function that ran in the preview with
 * another value than in the update, for each output of a resource that was missing in the update, and for each value
 * that does not have the output's type.
 */
export function mistakes(applied: Applied[], language: Language): string[] {
  const keyOf = ({ resource, property }: Applied): string => `${resource}: ${property}`;
  const final = new Map(applied.filter(({ preview }) => !preview).map((one) => [keyOf(one), one]));
  const early = applied
    .filter((one) => one.preview)
    .filter((one) => !isDeepStrictEqual(one.value, final.get(keyOf(one))?.value))
    .map((one) => `${keyOf(one)} ran in the preview with ${JSON.stringify(one.value)}`);
  const resources = [...new Set([...final.values()].map(({ resource }) => resource))];
  const wrong = resources.flatMap((resource) => {
    const kind = resource.slice(0, resource.indexOf(" "));
    const { properties, required } = schema.resources[`cloudinfra:index:${kind}`] as Resource;
    return Object.entries(properties).flatMap(([property, type]) => {
      const name = `${resource}: ${property}`;
      const one = final.get(name);
      if (!one) return [`${name} did not run in the update`];
      return absent(one.value) && !required.includes(property) ? [] : mismatches(type, one.value, name, language);
    });
  });
  return [...early, ...wrong];
}

const absent = (value: unknown): boolean => value === undefined || value === null;

function mismatches(type: Type, value: unknown, path: string, language: Language): string[] {
  const unexpected = (wanted: string) => [`${path} should be ${wanted}, and is ${JSON.stringify(value)}`];
  const { numbers } = type.language?.nodejs ?? {};
  const same = numbers ? { language: { nodejs: { numbers } } } : {};
  if (type.oneOf) {
    const each = type.oneOf.map((part) => mismatches({ ...part, ...same }, value, path, language));
    return each.find((found) => found.length === 0) ?? (each.flat() as string[]);
  }
  if (type.$ref?.startsWith("#/types/")) {
    const named = schema.types[type.$ref.slice("#/types/".length)] as Named;
    if (named.enum) return typeof value === named.type ? [] : unexpected(named.type);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return unexpected("an object");
    const { named: nameIn = (property) => property } = language;
    return Object.entries(named.properties ?? {}).flatMap(([key, part]) => {
      const input = (value as Record<string, unknown>)[nameIn(key)];
      return absent(input) && !named.required?.includes(key) ? [] : mismatches(part, input, `${path}.${key}`, language);
    });
  }
  if (type.$ref) return [];
  if (type.type === "array")
    return Array.isArray(value)
      ? value.flatMap((item, i) => mismatches({ ...type.items, ...same }, item, `${path}[${i}]`, language))
      : unexpected("a list");
  if (type.type === "object")
    return typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, item]) =>
          mismatches({ ...type.additionalProperties, ...same }, item, `${path}.${key}`, language),
        )
      : unexpected("an object");
  if (type.type === "integer") return Number.isInteger(value) ? [] : unexpected("an integer");
  const wanted = numbers === "id" ? language.id : (type.type ?? "");
  return typeof value === wanted ? [] : unexpected(wanted);
}
