import { wrapped } from "../../api";
import {
  ANY,
  ASSET,
  nameIn,
  type ObjectSpec,
  type PackageSchema,
  type PropertySpec,
  type TypeSpec,
  typeAt,
} from "./model";

/**
 * Where a type is used: `input` for arguments of resources, whose nested values can be promises or outputs; `output`
 * for values that programs read; `plain` for arguments of functions that return promises.
 */
export type Side = "input" | "output" | "plain";

/** The TypeScript text of a type. `from` is the prefix of named types, such as `types.`. */
export function typeText(schema: PackageSchema, spec: PropertySpec, side: Side, from: string): string {
  const inner = (part: TypeSpec = ANY): string => {
    const nested = { ...part, ...numbersOf(spec) };
    return side === "input" ? inputText(schema, nested, from) : typeText(schema, nested, side, from);
  };
  if (spec.$ref === ANY.$ref) return "unknown";
  if (spec.$ref === ASSET.$ref) return "pulumi.asset.Asset";
  if (spec.$ref) return `${from}${typeName(schema, spec, side)}`;
  if (spec.oneOf) {
    const parts = withoutBases(schema, spec.oneOf);
    return parts.map((part) => typeText(schema, { ...part, ...numbersOf(spec) }, side, from)).join(" | ");
  }
  if (spec.type === "array") return spec.items ? arrayOf(inner(spec.items)) : "unknown[]";
  if (spec.type === "object") return `Record<string, ${inner(spec.additionalProperties)}>`;
  if (spec.type === "string") return stringText(spec, side);
  return spec.type === "integer" ? "number" : String(spec.type);
}

/**
 * The parts of a union without the types of its enums, such as `string`: in TypeScript, they would hide the values of the
 * enums from the editor and the compiler. This SDK is always of the same version as the provider, so it has all values.
 */
function withoutBases(schema: PackageSchema, parts: readonly TypeSpec[]): readonly TypeSpec[] {
  const bases = parts.flatMap((part) => {
    const named = typeAt(schema, part);
    return named && !isObject(named) ? [named.type] : [];
  });
  return parts.filter(({ type }) => !bases.some((base) => base === type));
}

/**
 * The type of a string property. Programs can set an id to a number or to the `id` of a resource, which is a string,
 * and always read a number.
 */
function stringText({ language }: PropertySpec, side: Side): string {
  const numbers = language?.nodejs?.numbers;
  if (!numbers) return "string";
  return numbers === "id" && side === "output" ? "number" : "number | string";
}

const numbersOf = ({ language }: PropertySpec): Pick<PropertySpec, "language"> =>
  language?.nodejs?.numbers ? { language: { nodejs: { numbers: language.nodejs.numbers } } } : {};

/** The type of an input, which can also be a promise or an output of another resource. */
function inputText(schema: PackageSchema, spec: PropertySpec, from: string): string {
  const text = typeText(schema, spec, "input", from);
  return text === "unknown" ? text : `pulumi.Input<${text}${orNull(spec)}>`;
}

export const outputText = (schema: PackageSchema, spec: PropertySpec, from: string): string =>
  `${typeText(schema, spec, "output", from)}${orNull(spec)}`;

const argumentText = (schema: PackageSchema, spec: PropertySpec, from: string): string =>
  `${typeText(schema, spec, "plain", from)}${orNull(spec)}`;

const orNull = ({ language }: PropertySpec): string => (language?.nodejs?.nullable ? " | null" : "");

/** The name of a named type. Objects have a separate type for inputs (`…Args`), but enums do not. */
function typeName(schema: PackageSchema, spec: TypeSpec, side: Side): string {
  const name = nameIn(spec.$ref ?? "");
  return side === "input" && isObject(typeAt(schema, spec)) ? `${name}Args` : name;
}

export const isObject = (spec: unknown): spec is ObjectSpec => (spec as ObjectSpec | undefined)?.type === "object";

export const arrayOf = (element: string): string =>
  /[ |]/.test(element) && !element.endsWith(">") ? `(${element})[]` : `${element}[]`;

/** A union of literals in TypeScript, such as `"tcp" | "udp"`. */
export const literals = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(" | ");

const WIDTH = 112;

/** Formats text as a doc comment with wrapped lines. Returns an empty string if there is no text. */
export function docText(text: string | undefined, deprecated?: string): string {
  const comment = [text, deprecated && `@deprecated ${deprecated}`]
    .filter(Boolean)
    .join("\n\n")
    .replaceAll("*/", "*\\/");
  if (!comment) return "";
  const lines = comment.split("\n").flatMap((line) => wrapped(line, WIDTH));
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

/** The members of an interface for a resource's arguments. */
export const inputFields = (
  schema: PackageSchema,
  properties: Record<string, PropertySpec>,
  required: readonly string[],
  from: string,
) => fields(properties, required, (spec) => inputText(schema, spec, from));

/** The members of an interface for a type that programs read. */
export const outputFields = (schema: PackageSchema, { properties, required, language }: ObjectSpec, from: string) =>
  fields(properties, language?.nodejs.requiredOutputs ?? required ?? [], (spec) => outputText(schema, spec, from));

/**
 * The members of an interface for a function's arguments, which must be plain values. Functions that accept outputs use
 * another interface.
 */
export const argumentFields = (
  schema: PackageSchema,
  properties: Record<string, PropertySpec>,
  required: readonly string[],
  from: string,
) => fields(properties, required, (spec) => argumentText(schema, spec, from));

/**
 * The members of an interface. Optional members include `undefined`, so that programs compiled with
 * exactOptionalPropertyTypes can pass `condition ? x : undefined`.
 */
function fields(
  properties: Record<string, PropertySpec>,
  required: readonly string[],
  text: (spec: PropertySpec) => string,
): string {
  const written = Object.entries(properties).map(([name, spec]) => {
    const doc = docText(spec.description, spec.deprecationMessage);
    return required.includes(name) ? `${doc}${name}: ${text(spec)};` : `${doc}${name}?: ${text(spec)} | undefined;`;
  });
  return written.join("\n");
}
