import { z } from "zod";
import { allowed, fieldsOf, isFilled, isRequired, layersOf, metaOf, sentence, visit } from "../../../api";
import { limitSentence } from "../sentences";
import { originOf } from "../shape";
import { arrayOf, docText, literals } from "../typescript";

type Schema = z.core.$ZodType;

/** Whether a type is for inputs or outputs. Inputs may omit fields that have a default. */
export type Side = "input" | "output";

/**
 * Generates TypeScript types for the object schemas of the API, such as `Volume`. Only types that are used are
 * generated.
 */
export class Records {
  readonly #contract = new Map<Schema, string>();
  readonly #written = new Map<string, string>();
  /** Names of the types that occur in requests, whose doc comments include constraints. */
  readonly #sent = new Set<string>();

  /** `contract` contains the exports of `api/`, whose names become the names of the types. */
  constructor(contract: Record<string, unknown>) {
    for (const [name, value] of Object.entries(contract)) {
      if (!isSchema(value) || !(isRecord(value) || value instanceof z.core.$ZodEnum)) continue;
      const origin = originOf(value);
      if (!this.#contract.has(origin)) this.#contract.set(origin, name);
    }
  }

  get names(): string[] {
    return [...this.#written.keys()];
  }

  text(): string {
    return [...this.#written]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => text)
      .join("\n\n");
  }

  typeOf(schema: Schema, side: Side): string {
    const { inner, nullable } = layersOf(schema);
    const text = this.#named(inner, side) ?? this.#plain(inner, side);
    return nullable ? `${text} | null` : text;
  }

  /** The doc comment of a field: its description, constraints and default. */
  docOf(schema: Schema, side: Side): string {
    const { description = "", secret } = metaOf(schema);
    const { initial, nullable } = layersOf(schema);
    // Constraints such as "1 to 32 characters" are omitted for outputs, because programs cannot violate them. The
    // values of an enum are omitted, because the type shows them.
    const bounds = allowed(side === "input" ? schema : Nothing).filter(
      (text) => !description.includes(text) && !/^(one of |only |at least 1$)/.test(text),
    );
    return [
      description,
      ...bounds.map(limitSentence),
      side === "input" && nullable && initial !== null && !description.includes("null")
        ? "Set to `null` to clear it"
        : "",
      side === "input" && initial !== undefined ? `Defaults to \`${JSON.stringify(initial)}\`` : "",
      secret ? "Secret: never in logs or errors" : "",
    ]
      .filter(Boolean)
      .map(sentence)
      .join(" ");
  }

  #named(inner: Schema, side: Side): string | undefined {
    const known = this.#contract.get(originOf(inner));
    if (!known) return undefined;
    const name = side === "input" && isRecord(inner) && hasDefaults(inner) ? `${known}Input` : known;
    if (!this.#written.has(name) || (side === "input" && !this.#sent.has(name))) {
      this.#written.set(name, "");
      if (side === "input") this.#sent.add(name);
      const doc = docText(metaOf(inner).description);
      this.#written.set(
        name,
        isRecord(inner)
          ? `${doc}export interface ${name} {\n${this.#fields(inner, side)}\n}`
          : `export type ${name} = ${this.#plain(inner, side)};`,
      );
    }
    return name;
  }

  #plain(inner: Schema, side: Side): string {
    if (isBytes(inner)) return "Uint8Array";
    const { def } = inner._zod;
    if (inner instanceof z.core.$ZodString || def.type === "template_literal") return "string";
    if (inner instanceof z.core.$ZodNumber) return "number";
    if (inner instanceof z.core.$ZodBoolean) return "boolean";
    if (inner instanceof z.core.$ZodUnknown || inner instanceof z.core.$ZodAny) return "unknown";
    if (inner instanceof z.core.$ZodNull) return "null";
    if (inner instanceof z.core.$ZodEnum) return literals(Object.values(inner._zod.def.entries));
    if (inner instanceof z.core.$ZodLiteral) return literals(inner._zod.def.values);
    if (inner instanceof z.core.$ZodArray) return arrayOf(this.typeOf(inner._zod.def.element, side));
    if (inner instanceof z.core.$ZodRecord) return `Record<string, ${this.typeOf(inner._zod.def.valueType, side)}>`;
    if (inner instanceof z.core.$ZodUnion)
      return [...new Set(inner._zod.def.options.map((option) => this.typeOf(option, side)))].join(" | ");
    if (isRecord(inner))
      return Object.keys(fieldsOf(inner)).length ? `{\n${this.#fields(inner, side)}\n}` : "Record<string, never>";
    throw new Error(`the generator knows no type for zod's "${def.type}"; add it to tools/generate/client/records.ts`);
  }

  #fields(schema: Schema, side: Side): string {
    return Object.entries(fieldsOf(schema))
      .map(([name, field]) => {
        const filled = side === "input" ? isRequired(field) : isFilled(field);
        const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
        const type = this.typeOf(field, side);
        return `${docText(this.docOf(field, side))}${key}${filled ? "" : "?"}: ${type}${filled ? "" : " | undefined"};`;
      })
      .join("\n");
  }
}

const Nothing = z.unknown();

/** Whether the schema is for bytes, such as a picture, instead of JSON. */
export const isBytes = (schema: Schema): boolean =>
  "contentType" in metaOf(schema) || schema instanceof z.core.$ZodCustom || schema instanceof z.core.$ZodFile;

const isRecord = (schema: Schema): boolean => schema instanceof z.core.$ZodObject;

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null && "_zod" in value;

/**
 * Whether the type has fields that are optional in requests but always present in responses. Requests then use a
 * separate type, such as `VolumeInput`.
 */
const hasDefaults = (schema: Schema): boolean =>
  visit(schema).some((part) => layersOf(part.schema).initial !== undefined);
