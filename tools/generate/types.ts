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
import { limitSentence, limits, translated } from "./sentences";
import { originOf } from "./shape";

type Schema = z.core.$ZodType;

/** Turns the contract's fields into properties and collects the named types they refer to. */
export class Types {
  readonly specs: Record<string, ObjectSpec | EnumSpec> = {};
  readonly #known = new Map<Schema, string>();
  readonly #taken = new Set<string>();
  readonly #contract: ReadonlyMap<Schema, string>;
  readonly #fields: ReadonlySet<string>;

  /**
   * `contract` names the shapes that the contract exports, `fields` are the names to translate where texts mention
   * them.
   */
  constructor(contract: ReadonlyMap<Schema, string>, fields: ReadonlySet<string>) {
    this.#contract = contract;
    this.#fields = fields;
  }

  /** An input. `name` names its type if the type needs a name. */
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
      // Pulumi's generator for Python gives the default of an enum a wrong type. The provider fills in all defaults.
      ...(initial === undefined || typeof initial === "object" || this.spec(schema, name).$ref
        ? {}
        : { default: isText(schema) ? String(initial) : (initial as string | number | boolean) }),
    };
  }

  /** An output. `shown` is the field in the API's response, if it is there. */
  output(schema: Schema, name: string, shown: Schema = schema): PropertySpec {
    return {
      ...this.#property(schema, name, [this.text(shown) || this.text(schema)]),
      ...(holdsSecret(shown) ? { secret: true as const } : {}),
      ...onlyInNode(schema, shown),
    };
  }

  #property(schema: Schema, name: string, sentences: readonly string[]): PropertySpec {
    const instead = metaOf(schema).deprecated ? sentence(this.text(schema) || "deprecated") : "";
    const description = sentences
      .filter(Boolean)
      .map(sentence)
      .filter((text) => text !== instead)
      .join(" ");
    return {
      ...this.spec(schema, name),
      ...(description ? { description } : {}),
      ...(instead ? { deprecationMessage: instead } : {}),
      ...(holdsSecret(schema) ? { secret: true } : {}),
      ...onlyInNode(schema),
    };
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
    if (inner instanceof z.core.$ZodNumber)
      return { type: inner instanceof z.core.$ZodNumberFormat ? "integer" : "number" };
    if (inner instanceof z.core.$ZodUnknown || inner instanceof z.core.$ZodAny) return ANY;
    if (inner instanceof z.core.$ZodArray)
      return { type: "array", items: this.spec(inner._zod.def.element, singular(name)) };
    if (inner instanceof z.core.$ZodRecord) {
      return { type: "object", additionalProperties: this.spec(inner._zod.def.valueType, singular(name)) };
    }
    if (inner instanceof z.core.$ZodUnion)
      return unionOf(inner._zod.def.options.map((option) => this.spec(option, name)));
    if (inner instanceof z.core.$ZodEnum)
      return this.#named(inner, name, () => enumOf(Object.values(inner._zod.def.entries)));
    if (inner instanceof z.core.$ZodLiteral) return this.#named(inner, name, () => enumOf(inner._zod.def.values));
    if (inner instanceof z.core.$ZodObject) return this.#named(inner, name, (own) => this.#object(inner, own));
    throw new Error(
      `${name}: the generator knows no type for zod's "${inner._zod.def.type}"; add it to tools/generate/types.ts`,
    );
  }

  /** One type for all copies of a schema; the contract's own name for it if it has one. */
  #named(schema: Schema, name: string, make: (name: string) => ObjectSpec | EnumSpec): TypeSpec {
    const origin = originOf(schema);
    const known = this.#known.get(origin);
    if (known) return reference(known);
    return this.define(inFamily(name, this.#contract.get(origin)), "State", (own) => {
      this.#known.set(origin, own);
      return make(own);
    });
  }

  /** The input type of a shape, or undefined if it is not an input. */
  stated(schema: Schema): TypeSpec | undefined {
    const known = this.#known.get(originOf(schema));
    return known === undefined ? undefined : reference(known);
  }

  /** Adds a type; `suffix` keeps its name unique. */
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
    const names = (kept: (field: Schema) => boolean) =>
      fields.filter(([, field]) => kept(field)).map(([key]) => camel(key));
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

  /** A field's description with field names in camelCase. */
  text = (schema: Schema): string => this.#translated(metaOf(schema).description ?? "");

  #translated = (text: string): string => translated(text, this.#fields);
}

/** State holds an input or an output, so it can be null where either can. */
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

/** Whether the field, or the entries of a list or map, are strings in Pulumi's schema and can be numbers in TypeScript. */
function numbersIn(schema: Schema): "id" | "text" | undefined {
  const each = elementOf(schema) ?? valueTypeOf(schema);
  if (each) return numbersIn(each);
  if (isReference(schema)) return "id";
  return isText(schema) ? "text" : undefined;
}

/**
 * The contract's name for a shape, which need not say whose it is: an `Interface` of an instance is an
 * `InstanceInterface`.
 */
export function inFamily(name: string, contractName = name): string {
  const family = /^[A-Z][a-z0-9]*/.exec(name)?.[0] ?? "";
  return contractName.startsWith(family) ? contractName : `${family}${contractName}`;
}

/** `Firewall` and `inbound_policy` make `FirewallInboundPolicy`. */
export const typeName = (owner: string, key: string): string => `${owner}${pascal(key)}`;

function enumOf(values: readonly z.core.util.Literal[]): EnumSpec {
  const kept = values.filter((value) => typeof value === "string" || typeof value === "number");
  const named = kept.map((value) => ({ name: pascal(String(value)).replace(/^(?=\d|$)/, "Value"), value }));
  return { type: kept.every((value) => typeof value === "string") ? "string" : "number", enum: named };
}

function unionOf(specs: readonly TypeSpec[]): TypeSpec {
  const different = [...new Map(specs.map((spec) => [JSON.stringify(spec), spec])).values()];
  return different.length === 1 ? (different[0] as TypeSpec) : { oneOf: different };
}
