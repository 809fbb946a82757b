/** The parts of Pulumi's package schema that we write and read; every key is one of its own metaschema. */
export interface TypeSpec {
  type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  items?: TypeSpec;
  additionalProperties?: TypeSpec;
  oneOf?: TypeSpec[];
  $ref?: string;
}

export interface PropertySpec extends TypeSpec {
  description?: string;
  default?: string | number | boolean;
  deprecationMessage?: string;
  secret?: true;
  willReplaceOnChanges?: true;
  /**
   * Pulumi's schema can express neither null nor outputs that contain an input's value, so they are declared per
   * language.
   */
  language?: { nodejs: { nullable?: true; contains?: string } };
}

export type Properties = Record<string, PropertySpec>;

export interface ObjectSpec {
  type: "object";
  properties: Properties;
  /** Names of the required inputs. */
  required?: string[];
  /** Outputs are also set if the input has a default. */
  language?: { nodejs: { requiredOutputs: string[] } };
}

export interface EnumSpec {
  type: "string" | "integer" | "number";
  enum: { name: string; value: string | number }[];
}

export interface ResourceSpec {
  description: string;
  properties: Properties;
  required: string[];
  inputProperties: Properties;
  requiredInputs: string[];
}

export interface FunctionSpec {
  description: string;
  deprecationMessage?: string;
  inputs: { properties: Properties; required?: string[] };
  outputs: TypeSpec | { properties: Properties; required: string[] };
  /** The SDK file that declares it. */
  language: { nodejs: { module: string } };
}

export interface PackageSchema {
  name: string;
  displayName: string;
  description: string;
  keywords: string[];
  license: string;
  config: { variables: Properties };
  provider: { description: string; inputProperties: Properties };
  types: Record<string, ObjectSpec | EnumSpec>;
  resources: Record<string, ResourceSpec>;
  functions: Record<string, FunctionSpec>;
}

const PREFIX = "cloudinfra:index:";

export const token = (name: string): string => `${PREFIX}${name}`;
export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf(":") + 1);

export const reference = (name: string): TypeSpec => ({ $ref: `#/types/${token(name)}` });
export const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };
export const ASSET: TypeSpec = { $ref: "pulumi.json#/Asset" };

/** The named type that a reference leads to; undefined for anything else. */
export const typeAt = (schema: PackageSchema, { $ref }: TypeSpec): ObjectSpec | EnumSpec | undefined =>
  $ref?.startsWith("#/types/") ? schema.types[$ref.slice("#/types/".length)] : undefined;
