/** The parts of Pulumi's package schema that this project uses. All keys are defined by Pulumi's metaschema. */
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
  /** Facts that only the TypeScript SDK of this project uses. */
  language?: {
    nodejs: {
      nullable?: true;
      /**
       * The output always has a value or null. It is not required in the schema, because other languages do not support
       * null there.
       */
      filled?: true;
      /** Name of the input that is part of this output. */
      contains?: string;
      /**
       * `id`: programs may also pass numbers, and always read numbers. `text`: programs may pass a number instead of
       * the text.
       */
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
  /** Outputs that always have a value, in addition to those of required inputs, because the input has a default. */
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
  /** The tokens of the methods, by name. */
  methods?: Record<string, string>;
}

export interface FunctionSpec {
  description: string;
  deprecationMessage?: string;
  inputs: { properties: Properties; required?: string[] };
  outputs: { properties: Properties; required: string[] };
  /**
   * The SDK file that contains the function, the name of its result type, and for a method the function that it calls
   * with the resource's id.
   */
  language?: { nodejs: { module: string; result?: string; calls?: { name: string; id: string } } };
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
  /** Selects Pulumi's current layout of SDKs, which contains a `go.mod`. */
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

/** The token of a resource's method. */
export const methodToken = (kind: string, name: string): string => `${token(kind)}/${name}`;

/** The functions of a package, without methods. */
export const functionsOf = ({ functions }: PackageSchema): [token: string, spec: FunctionSpec][] =>
  Object.entries(functions).filter(([token]) => !token.slice(PREFIX.length).includes("/"));

export const reference = (name: string): TypeSpec => ({ $ref: `#/types/${token(name)}` });
export const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };
export const ASSET: TypeSpec = { $ref: "pulumi.json#/Asset" };

/** The named type to which a reference points. Undefined if the type is not a reference. */
export const typeAt = (
  { types }: Pick<PackageSchema, "types">,
  { $ref }: TypeSpec,
): ObjectSpec | EnumSpec | undefined =>
  $ref?.startsWith("#/types/") ? types[$ref.slice("#/types/".length)] : undefined;
