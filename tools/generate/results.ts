import { z } from "zod";
import { camel, fieldsOf, holdsSecret, isFilled, layersOf, metaOf, singular, visit } from "../../api";
import type { EnumSpec, ObjectSpec, PropertySpec, TypeSpec } from "./model";
import { describedBy, wordsOf } from "./sentences";
import { originOf } from "./shape";
import { inFamily, onlyInNode, type Types, typeName } from "./types";

type Schema = z.core.$ZodType;

/**
 * The result types of the SDK's functions, such as `getVolume`. In contrast to resource outputs, they include volatile
 * fields, which change without an update and are not stored in state.
 */
export class ResultTypes {
  readonly #types: Types;
  readonly #contract: ReadonlyMap<Schema, string>;
  readonly #known = new Map<Schema, TypeSpec>();
  readonly #recordNames = new Map<Schema, string>();

  /** `contract` maps the schemas that `api/` exports to their names. */
  constructor(types: Types, contract: ReadonlyMap<Schema, string>) {
    this.#types = types;
    this.#contract = contract;
  }

  /** The name under which `api/` exports the schema, or otherwise `name`. */
  nameOf(schema: Schema, name: string): string {
    return this.#contract.get(originOf(schema)) ?? name;
  }

  /**
   * Sets the type name of an object that a function returns. Results of other functions that contain the object use the
   * same type.
   */
  reserve(schema: Schema, name: string): void {
    const origin = originOf(schema);
    if (!this.#recordNames.has(origin)) this.#recordNames.set(origin, this.nameOf(schema, name));
  }

  /** The type of an object that a function returns. A union has a type for each variant. */
  record(schema: Schema, name: string): TypeSpec {
    if (!(schema instanceof z.core.$ZodUnion)) return this.#named(schema, name, name);
    return { oneOf: schema._zod.def.options.map((option, i) => this.#named(option, name, `${name}${i + 1}`)) };
  }

  property(schema: Schema, name: string, absent = ""): PropertySpec {
    const about = this.#types.text(schema) || absent;
    return {
      ...this.#spec(schema, name),
      ...describedBy(schema, [about]),
      ...(holdsSecret(schema) ? { secret: true as const } : {}),
      ...onlyInNode(schema),
    };
  }

  #spec(schema: Schema, name: string): TypeSpec {
    const { inner } = layersOf(schema);
    if (metaOf(schema).opaque) return this.#types.spec(schema, name);
    if (inner instanceof z.core.$ZodArray)
      return { type: "array", items: this.#spec(inner._zod.def.element, singular(name)) };
    if (inner instanceof z.core.$ZodRecord)
      return { type: "object", additionalProperties: this.#spec(inner._zod.def.valueType, singular(name)) };
    if (!(inner instanceof z.core.$ZodObject)) return this.#types.spec(schema, name);
    const declared = holdsVolatile(inner) ? undefined : this.#types.declared(inner);
    return declared ?? this.#named(inner, name, inFamily(name, this.#contract.get(originOf(inner))));
  }

  #named(schema: Schema, owner: string, name: string): TypeSpec {
    const origin = originOf(schema);
    const known = this.#known.get(origin);
    if (known) return known;
    const recordName = this.#recordNames.get(origin);
    const defined = this.#types.define(recordName ? `${recordName}Result` : name, "Result", () =>
      this.#object(schema, recordName ?? owner),
    );
    this.#known.set(origin, defined);
    return defined;
  }

  #object(schema: Schema, owner: string): ObjectSpec | EnumSpec {
    const fields = Object.entries(fieldsOf(schema));
    const filled = fields.filter(([, field]) => isFilled(field));
    const requiredOutputs = filled.map(([key]) => camel(key));
    const required = filled.filter(([, field]) => !layersOf(field).nullable).map(([key]) => camel(key));
    return {
      type: "object",
      properties: Object.fromEntries(
        fields.map(([key, field]) => [
          camel(key),
          this.property(field, typeName(owner, key), key === "id" ? `Id of the ${wordsOf(owner)}` : ""),
        ]),
      ),
      ...(required.length ? { required } : {}),
      ...(required.length < filled.length ? { language: { nodejs: { requiredOutputs } } } : {}),
    };
  }
}

const holdsVolatile = (schema: Schema): boolean => visit(schema).some((part) => metaOf(part.schema).volatile === true);
