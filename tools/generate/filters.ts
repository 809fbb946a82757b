import { z } from "zod";
import { layersOf } from "../../api";
import { comparisonsOf, type FilterField } from "../../provider/functions/filter";
import type { Properties, PropertySpec, TypeSpec } from "./model";
import { nullability, type Types, typeName } from "./types";

type Schema = z.core.$ZodType;

const about: Readonly<Record<string, string>> = {
  neq: "Another value.",
  gt: "More, or later.",
  gte: "At least this.",
  lt: "Less, or earlier.",
  lte: "At most this.",
  contains: "A part of the text.",
};

/** The types of filters: a field's value, or what it is compared with; several of them at once, or one of several. */
export class Filters {
  readonly #types: Types;
  readonly #comparisons = new Map<string, TypeSpec>();
  readonly #known = new Map<string, TypeSpec>();
  readonly #orders = new Map<string, TypeSpec>();

  constructor(types: Types) {
    this.#types = types;
  }

  /** The filter of lists of a record. */
  of(record: string, fields: ReadonlyMap<string, FilterField>): TypeSpec {
    const known = this.#known.get(record);
    if (known) return known;
    const made = this.#types.define(`${record}Filter`, "Type", (own) => {
      const parts: PropertySpec = { type: "array", items: { $ref: `#/types/cloudinfra:index:${own}` } };
      const properties: Properties = Object.fromEntries(
        [...fields].map(([name, { value }]) => [name, this.#field(record, name, value)]),
      );
      return {
        type: "object",
        properties: {
          ...properties,
          and: { ...parts, description: "All of these hold." },
          or: { ...parts, description: "One of these holds." },
        },
      };
    });
    this.#known.set(record, made);
    return made;
  }

  /** What puts a list of a record in order. */
  order(record: string, by: Schema): TypeSpec {
    const made = this.#orders.get(record) ?? this.#types.spec(by, `${record}OrderBy`);
    this.#orders.set(record, made);
    return made;
  }

  /** Ids may be text, as those of resources are. */
  #field(record: string, name: string, value: Schema): PropertySpec {
    const plain = this.#types.spec(value, typeName(record, name));
    const text: TypeSpec[] = plain.type === "number" && /^id$|Id$/.test(name) ? [{ type: "string" }] : [];
    return { oneOf: [plain, ...text, this.#comparison(value)], ...nullability(value) };
  }

  #comparison(value: Schema): TypeSpec {
    const operators = comparisonsOf(value);
    const type = typeOf(layersOf(value).inner);
    const known = this.#comparisons.get(type);
    if (known) return known;
    const made = this.#types.define(`${names[type]}Comparison`, "Type", () => ({
      type: "object",
      properties: Object.fromEntries(
        operators.map((operator) => [operator, { type, ...(about[operator] && { description: about[operator] }) }]),
      ),
    }));
    this.#comparisons.set(type, made);
    return made;
  }
}

const names = { boolean: "Boolean", number: "Number", string: "Text" };

const typeOf = (inner: Schema): keyof typeof names =>
  inner instanceof z.core.$ZodBoolean ? "boolean" : inner instanceof z.core.$ZodNumber ? "number" : "string";
