import { z } from "zod";
import {
  camel,
  elementOf,
  fieldsOf,
  fromWire,
  holdsSecret,
  isFilled,
  isReference,
  isRequired,
  isText,
  layersOf,
  metaOf,
  pascal,
  sentence,
  singular,
  valueTypeOf,
} from "../../api";
import {
  ANY,
  ASSET,
  type EnumSpec,
  type ObjectSpec,
  type PropertySpec,
  reference,
  type TypeSpec,
  token,
} from "./model";
import { describedBy, limitSentence, limits, translated } from "./sentences";
import { originOf } from "./shape";

type Schema = z.core.$ZodType;

/**
 * Converts the fields of API schemas to properties of Pulumi's package schema, and collects the named types that they
 * use.
 */
export class Types {
  readonly specs: Record<string, ObjectSpec | EnumSpec> = {};
  readonly #known = new Map<Schema, string>();
  readonly #taken = new Set<string>();
  #assetValue: TypeSpec | undefined;
  readonly #contract: ReadonlyMap<Schema, string>;
  readonly #fields: ReadonlySet<string>;

  /**
   * `contract` maps the schemas that `api/` exports to their names. `fields` are the API's field names, which are
   * converted to camelCase where descriptions mention them.
   */
  constructor(contract: ReadonlyMap<Schema, string>, fields: ReadonlySet<string>) {
    this.#contract = contract;
    this.#fields = fields;
  }

  /**
   * The schema property of an input. `name` is used if the property is an object or an enum, which needs a named type.
   */
  input(schema: Schema, name: string, more: readonly string[] = []): PropertySpec {
    const { nullable, initial } = layersOf(schema);
    const described = this.text(schema);
    const sentences = [
      described,
      ...limits(schema, described).map(limitSentence),
      nullable && initial !== null && !described.includes("null") ? "Set to `null` to clear it" : "",
      initial === undefined ? "" : `Defaults to \`${JSON.stringify(fromWire(schema, initial))}\``,
      holdsSecret(schema) ? "Secret: encrypted in state and never shown" : "",
      ...more.map((text) => this.#translated(text)),
    ];
    return {
      ...this.#property(schema, name, sentences),
      // Pulumi's generator for Python gives defaults of enums a wrong type, so the schema omits them. The provider sets
      // all defaults itself.
      ...(initial === undefined || typeof initial === "object" || this.spec(schema, name).oneOf
        ? {}
        : { default: isText(schema) ? String(initial) : (initial as string | number | boolean) }),
    };
  }

  /** The schema property of an output. `shown` is the field in the API's response, whose description is preferred. */
  output(schema: Schema, name: string, shown: Schema = schema): PropertySpec {
    return {
      ...this.#property(schema, name, [this.text(shown) || this.text(schema)]),
      ...(metaOf(schema).asset ? this.#assetOutput() : {}),
      ...(holdsSecret(shown) ? { secret: true as const } : {}),
      ...onlyInNode(schema, shown),
    };
  }

  #property(schema: Schema, name: string, sentences: readonly string[]): PropertySpec {
    return {
      ...this.spec(schema, name),
      ...describedBy(schema, sentences),
      ...(holdsSecret(schema) ? { secret: true } : {}),
      ...onlyInNode(schema),
    };
  }

  /**
   * The type of an output that contains an asset: an object, because Pulumi passes stored assets to providers without
   * their path, text and address, so that a refresh could not return an asset.
   */
  #assetOutput(): TypeSpec {
    this.#assetValue ??= this.define("AssetValue", "State", () => ({
      type: "object",
      properties: {
        path: { type: "string", description: "Path of the file, if the program passes a FileAsset." },
        text: { type: "string", description: "Text, if the program passes a StringAsset." },
        uri: { type: "string", description: "Address, if the program passes a RemoteAsset." },
      },
    }));
    return this.#assetValue;
  }

  spec(schema: Schema, name: string): TypeSpec {
    const { inner } = layersOf(schema);
    if (isText(inner)) return { type: "string" };
    if (metaOf(schema).asset) return ASSET;
    if (metaOf(schema).opaque)
      return inner instanceof z.core.$ZodArray
        ? { type: "array", items: ANY }
        : { type: "object", additionalProperties: ANY };
    if (inner instanceof z.core.$ZodString) return { type: "string" };
    if (inner instanceof z.core.$ZodBoolean) return { type: "boolean" };
    // Integers have 32 bits in the SDKs of .NET and Java.
    if (inner instanceof z.core.$ZodNumber)
      return { type: inner instanceof z.core.$ZodNumberFormat && !metaOf(schema).large ? "integer" : "number" };
    if (inner instanceof z.core.$ZodUnknown || inner instanceof z.core.$ZodAny) return ANY;
    if (inner instanceof z.core.$ZodArray)
      return { type: "array", items: this.spec(inner._zod.def.element, singular(name)) };
    if (inner instanceof z.core.$ZodRecord) {
      return { type: "object", additionalProperties: this.spec(inner._zod.def.valueType, singular(name)) };
    }
    if (inner instanceof z.core.$ZodUnion)
      return unionOf(inner._zod.def.options.map((option) => this.spec(option, name)));
    if (inner instanceof z.core.$ZodEnum) return this.#enum(schema, Object.values(inner._zod.def.entries), name);
    if (inner instanceof z.core.$ZodLiteral) return this.#enum(schema, inner._zod.def.values, name);
    if (inner instanceof z.core.$ZodObject) return this.#named(inner, name, (own) => this.#object(inner, own));
    throw new Error(
      `${name}: the generator knows no type for zod's "${inner._zod.def.type}"; add it to tools/generate/types.ts`,
    );
  }

  /**
   * An enum, or any other value of its type: a program can then also set a value that the service has added since the
   * SDK was generated, and in Python a plain string.
   */
  #enum(schema: Schema, values: readonly z.core.util.Literal[], name: string): TypeSpec {
    const { inner } = layersOf(schema);
    const literals = values.filter((value) => typeof value === "string" || typeof value === "number");
    const type = literals.every((value) => typeof value === "string") ? "string" : "number";
    const description = sentence(this.text(schema) || `Value of \`${name}\``);
    return { oneOf: [{ type }, this.#named(inner, name, () => ({ type, description, enum: literals.map(named) }))] };
  }

  /**
   * A named type of the package schema. Schemas with the same origin share a type, which has the name under which
   * `api/` exports the schema, if it does.
   */
  #named(schema: Schema, name: string, make: (name: string) => ObjectSpec | EnumSpec): TypeSpec {
    const origin = originOf(schema);
    const known = this.#known.get(origin);
    if (known) return reference(known);
    return this.define(inFamily(name, this.#contract.get(origin)), "State", (own) => {
      this.#known.set(origin, own);
      return make(own);
    });
  }

  /** The named type that resources already use for this schema. Undefined if there is none. */
  declared(schema: Schema): TypeSpec | undefined {
    const known = this.#known.get(originOf(schema));
    return known === undefined ? undefined : reference(known);
  }

  /** Adds a named type. If the name is already used, `suffix` or a number is appended. */
  define(name: string, suffix: string, make: (name: string) => ObjectSpec | EnumSpec): TypeSpec {
    const own = this.#free(name, suffix);
    this.#taken.add(own);
    this.specs[token(own)] = make(own);
    return reference(own);
  }

  #free(name: string, suffix: string, attempt = 1): string {
    const own = [name, `${name}${suffix}`][attempt - 1] ?? `${name}${attempt}`;
    return this.#taken.has(own) ? this.#free(name, suffix, attempt + 1) : own;
  }

  #object(schema: Schema, owner: string): ObjectSpec {
    const fields = Object.entries(fieldsOf(schema)).filter(([, field]) => !metaOf(field).volatile);
    const names = (matches: (field: Schema) => boolean) =>
      fields.filter(([, field]) => matches(field)).map(([key]) => camel(key));
    const required = names(isRequired);
    const filled = names(isFilled);
    return {
      type: "object",
      properties: Object.fromEntries(
        fields.map(([key, field]) => [camel(key), this.input(field, typeName(owner, key))]),
      ),
      ...(required.length ? { required } : {}),
      ...(filled.length > required.length ? { language: { nodejs: { requiredOutputs: filled } } } : {}),
    };
  }

  /** The description of a field. The API's field names in it are converted to camelCase. */
  text = (schema: Schema): string => this.#translated(metaOf(schema).description ?? "");

  #translated = (text: string): string => translated(text, this.#fields);
}

/**
 * Properties under `language.nodejs`, for example that an output can be null. `schemas` are the schemas of the same
 * property as input and as output.
 */
export function onlyInNode(...schemas: readonly Schema[]): Pick<PropertySpec, "language"> {
  const nullable = schemas.some((schema) => layersOf(schema).nullable);
  const contains = schemas.map((schema) => metaOf(schema).contains).find(Boolean);
  const numbers = schemas.map(numbersIn).find(Boolean);
  if (!nullable && !contains && !numbers) return {};
  return {
    language: {
      nodejs: {
        ...(nullable && { nullable }),
        ...(contains && { contains: camel(contains) }),
        ...(numbers && { numbers }),
      },
    },
  };
}

/**
 * Whether a value is a string in Pulumi's schema, but a program can also set a number: `id` for ids of resources,
 * `text` for texts. For lists and maps, this refers to their entries.
 */
function numbersIn(schema: Schema): "id" | "text" | undefined {
  const each = elementOf(schema) ?? valueTypeOf(schema);
  if (each) return numbersIn(each);
  if (isReference(schema)) return "id";
  return isText(schema) ? "text" : undefined;
}

/**
 * Adds the name of the resource class to a type's name in `api/`, unless it already starts with it: the `Interface` of
 * an instance becomes `InstanceInterface`.
 */
export function inFamily(name: string, contractName = name): string {
  const family = /^[A-Z][a-z0-9]*/.exec(name)?.[0] ?? "";
  return contractName.startsWith(family) ? contractName : `${family}${contractName}`;
}

/** Combines names to the name of a type: `Firewall` and `inbound_policy` become `FirewallInboundPolicy`. */
export const typeName = (owner: string, key: string): string => `${owner}${pascal(key)}`;

const named = (value: string | number) => ({ name: pascal(String(value)).replace(/^(?=\d|$)/, "Value"), value });

/** A union of types. Unions in it are replaced by their parts. */
export function unionOf(specs: readonly TypeSpec[]): TypeSpec {
  const parts = specs.flatMap((spec) => spec.oneOf ?? [spec]);
  const different = [...new Map(parts.map((spec) => [JSON.stringify(spec), spec])).values()];
  return different.length === 1 ? (different[0] as TypeSpec) : { oneOf: different };
}
