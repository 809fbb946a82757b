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
  replaceOnChanges?: true;
  willReplaceOnChanges?: true;
  defaultInfo?: { environment: string[] };
  /** Facts that only our TypeScript SDK expresses. */
  language?: {
    nodejs: {
      nullable?: true;
      /** The output is never undefined; it is null if it has no value, so it is not required in other languages. */
      filled?: true;
      /** The input whose value this output contains. */
      contains?: string;
      /** `id`: numbers are also accepted, and programs read numbers. `text`: the value can be a number. */
      numbers?: "id" | "text";
    };
  };
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
  deprecationMessage?: string;
  properties: Properties;
  required: string[];
  inputProperties: Properties;
  requiredInputs: string[];
  /** The tokens of the methods by their names. */
  methods?: Record<string, string>;
}

export interface FunctionSpec {
  description: string;
  deprecationMessage?: string;
  inputs: { properties: Properties; required?: string[] };
  outputs: { properties: Properties; required: string[] };
  /**
   * The SDK file that declares it, and the named type of its result. Methods are in no file, because the TypeScript SDK
   * has the functions.
   */
  language?: { nodejs: { module: string; result?: string } };
}

export interface PackageSchema {
  name: string;
  displayName: string;
  description: string;
  keywords: string[];
  homepage: string;
  repository: string;
  publisher: string;
  logoUrl: string;
  license: string;
  /** Pulumi's current layout of SDKs, with a `go.mod`. */
  meta: { supportPack: true };
  /** Names and dependencies of the SDKs. */
  language: Record<string, object>;
  config: { variables: Properties };
  provider: { description: string; inputProperties: Properties };
  types: Record<string, ObjectSpec | EnumSpec>;
  resources: Record<string, ResourceSpec>;
  functions: Record<string, FunctionSpec>;
}

const PREFIX = "cloudinfra:index:";

export const token = (name: string): string => `${PREFIX}${name}`;
export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf(":") + 1);

/** The token of a method. */
export const methodToken = (kind: string, name: string): string => `${token(kind)}/${name}`;

/** The functions of a package without the methods. */
export const functionsOf = ({ functions }: PackageSchema): [token: string, spec: FunctionSpec][] =>
  Object.entries(functions).filter(([token]) => !token.slice(PREFIX.length).includes("/"));

export const reference = (name: string): TypeSpec => ({ $ref: `#/types/${token(name)}` });
export const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };
export const ASSET: TypeSpec = { $ref: "pulumi.json#/Asset" };

/** The named type that a reference leads to; undefined for anything else. */
export const typeAt = (
  { types }: Pick<PackageSchema, "types">,
  { $ref }: TypeSpec,
): ObjectSpec | EnumSpec | undefined =>
  $ref?.startsWith("#/types/") ? types[$ref.slice("#/types/".length)] : undefined;
