import { z } from "zod";
import { layersOf } from "../../api";
import { comparisonsOf, type FilterField } from "../../provider/functions/filter";
import { type Properties, type PropertySpec, reference, type TypeSpec } from "./model";
import { onlyInNode, type Types, typeName, unionOf } from "./types";

type Schema = z.core.$ZodType;

const about: Readonly<Record<string, string>> = {
  neq: "Not equal to this value.",
  gt: "Greater than, or later than, this value.",
  gte: "Greater, later or equal.",
  lt: "Less than, or earlier than, this value.",
  lte: "Less, earlier or equal.",
  contains: "Contains this text.",
};

/**
 * Generates the types of the argument `filter` of list functions. A filter contains a value or a comparison for each
 * field, or combines filters with `and` and `or`.
 */
export class Filters {
  readonly #types: Types;
  readonly #comparisons = new Map<string, TypeSpec>();
  readonly #known = new Map<string, TypeSpec>();
  readonly #orders = new Map<string, TypeSpec>();

  constructor(types: Types) {
    this.#types = types;
  }

  /** The filter type for lists of an object type, for example `VolumeFilter`. */
  of(record: string, fields: ReadonlyMap<string, FilterField>): TypeSpec {
    const known = this.#known.get(record);
    if (known) return known;
    const defined = this.#types.define(`${record}Filter`, "Type", (own) => {
      const parts: PropertySpec = { type: "array", items: reference(own) };
      const properties: Properties = Object.fromEntries(
        [...fields].map(([name, field]) => [name, this.#field(record, name, field)]),
      );
      return {
        type: "object",
        properties: {
          ...properties,
          and: { ...parts, description: "All of these filters match." },
          or: { ...parts, description: "At least one of these filters matches." },
        },
      };
    });
    this.#known.set(record, defined);
    return defined;
  }

  /** The type of the argument `orderBy`: the names of the fields by which the list can be sorted. */
  order(record: string, by: Schema): TypeSpec {
    const defined = this.#orders.get(record) ?? this.#types.spec(by, `${record}OrderBy`);
    this.#orders.set(record, defined);
    return defined;
  }

  /** The type of a filter's property. Ids can also be strings, because the `id` of a Pulumi resource is a string. */
  #field(record: string, name: string, { value, inner }: FilterField): PropertySpec {
    const valueType = this.#types.spec(value, typeName(record, name));
    const compared = inner ? `the \`${inner}\` of one of the \`${name}\`` : `\`${name}\``;
    const description = `Value that ${compared} must have, or a comparison with it.`;
    if (valueType.type !== "number" || !/^id$|Id$/.test(name))
      return { ...unionOf([valueType, this.#comparison(value)]), description, ...onlyInNode(value) };
    const numbers = { language: { nodejs: { numbers: "id" as const } } };
    return { oneOf: [{ type: "string" }, this.#comparison(value)], description, ...numbers };
  }

  #comparison(value: Schema): TypeSpec {
    const operators = comparisonsOf(value);
    const type = typeOf(layersOf(value).inner);
    const known = this.#comparisons.get(type);
    if (known) return known;
    const defined = this.#types.define(`${names[type]}Comparison`, "Type", () => ({
      type: "object",
      properties: Object.fromEntries(
        operators.map((operator) => [operator, { type, ...(about[operator] && { description: about[operator] }) }]),
      ),
    }));
    this.#comparisons.set(type, defined);
    return defined;
  }
}

const names = { boolean: "Boolean", number: "Number", string: "Text" };

const typeOf = (inner: Schema): keyof typeof names =>
  inner instanceof z.core.$ZodBoolean ? "boolean" : inner instanceof z.core.$ZodNumber ? "number" : "string";
