import { z } from "zod";
import * as api from "../../api";

export type Json = Record<string, unknown>;
type Schema = z.core.$ZodType;

/** The ids that exist at present, by the list that contains them: `{ regions: ["us-east", "eu-west"] }`. */
export type Catalogues = Partial<Record<api.Catalogue, readonly string[]>>;

/**
 * The contract's object schemas by their exported names, such as `Volume`. They become shared components of the OpenAPI
 * document.
 */
const named = z.registry<{ id: string }>();
for (const [name, schema] of Object.entries<unknown>({ ...api }))
  if (/^[A-Z]/.test(name) && schema instanceof z.core.$ZodObject && !named.has(schema)) named.add(schema, { id: name });

/** Converts the contract's schemas to JSON Schema. Schemas with a name, such as `Volume`, become components. */
export class Shapes {
  readonly components: Json = {};
  readonly #catalogues: Catalogues;

  constructor(catalogues: Catalogues) {
    this.#catalogues = catalogues;
  }

  /**
   * The JSON Schema of a request. Fields with a default are optional in requests but not in responses, so the two need
   * separate components.
   */
  input = (schema: Schema): Json => this.#shape(schema, "input", "Input");

  output = (schema: Schema): Json => this.#shape(schema, "output", "");

  #shape(schema: Schema, io: "input" | "output", suffix: string): Json {
    const contentMediaType = api.contentTypeOf(schema);
    if (contentMediaType) return { type: "string", contentMediaType };
    const {
      $schema: _,
      $defs,
      ...own
    } = z.toJSONSchema(schema as z.ZodType, {
      io,
      metadata: named as never,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => this.#describe(zodSchema, jsonSchema as Json, io),
    }) as Json;
    for (const [name, part] of Object.entries($defs ?? {}))
      this.components[name + suffix] ??= withReferences(part as Json, suffix);
    return withReferences(own, suffix);
  }

  /**
   * Adds a field's metadata, such as its description, and removes minimums and maximums that only reflect JavaScript's
   * safe integers.
   */
  #describe(schema: Schema, json: Json, io: "input" | "output"): void {
    const { description, secret, filterable, catalogue } = z.globalRegistry.get(schema) ?? {};
    const ids = catalogue && this.#catalogues[catalogue];
    if (description) json.description = description;
    if (secret && json.type === "string") json.format = "password";
    if (filterable) json["x-filterable"] = true;
    // Only requests list the allowed ids. A response may contain an id that is added to the catalogue later.
    if (ids && io === "input") json.enum = ids;
    if (io === "input") takeNull(schema, json);
    if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
    if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    if (typeof json.pattern === "string") json.pattern = withoutCodePoints(json.pattern);
    // An OpenAPI document identifies a component by its position, `#/components/schemas/Volume`, not by a schema id.
    delete json.id;
  }
}

/** In requests, allows null for unknown fields, and for fields where the service treats null like an omitted field. */
function takeNull(schema: Schema, json: Json): void {
  const properties = json.properties as Json | undefined;
  if (!properties || !(schema instanceof z.core.$ZodObject)) return;
  if (json.additionalProperties === false) json.additionalProperties = { type: "null" };
  for (const [name, field] of Object.entries(api.fieldsOf(schema)))
    if (api.nullIsAbsent(field)) properties[name] = { anyOf: [properties[name], { type: "null" }] };
}

/**
 * Replaces `\u{…}` in a pattern by the character itself, because regular expressions of other languages do not support
 * it.
 */
const withoutCodePoints = (pattern: string): string =>
  pattern.replace(/\\u\{([0-9a-f]+)\}/gi, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));

const withReferences = (json: Json, suffix: string): Json =>
  JSON.parse(JSON.stringify(json), (key, value) => {
    if (key === "$ref") return `${value.replace("#/$defs/", "#/components/schemas/")}${suffix}`;
    // The referenced component defines `additionalProperties` itself. A second definition next to `$ref` would reject
    // the component's properties.
    if (typeof value === "object" && value !== null && "$ref" in value) delete value.additionalProperties;
    return value;
  });
