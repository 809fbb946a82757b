/**
 * The parts of Pulumi's package schema that this project uses. Pulumi's metaschema (pulumi.json) defines all
 * properties.
 */
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
  language?: {
    /** Extensions that only this project's generator for TypeScript reads. */
    nodejs?: {
      nullable?: true;
      /**
       * Whether the output is never undefined, but can be null. The schema cannot list it as required, because other
       * languages do not support null in required outputs.
       */
      filled?: true;
      /** Name of the input whose value is part of this output, as a volume's label is part of its device path. */
      contains?: string;
      /**
       * Marks a string that programs can also set to a number. `id`: the id of a resource, which TypeScript programs
       * read as a number. `text`: any other string.
       */
      numbers?: "id" | "text";
    };
    /** The name of the property in C#, if it cannot have its own. */
    csharp?: { name: string };
  };
}

export type Properties = Record<string, PropertySpec>;

export interface ObjectSpec {
  type: "object";
  properties: Properties;
  required?: string[];
  /** Names of the properties that always have a value in outputs: required ones, and those with a default in inputs. */
  language?: { nodejs: { requiredOutputs: string[] } };
}

export interface EnumSpec {
  description: string;
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
  /** From the name of each method to the token of its function in the schema. */
  methods?: Record<string, string>;
}

export interface FunctionSpec {
  description: string;
  deprecationMessage?: string;
  inputs: { properties: Properties; required?: string[] };
  outputs: { properties: Properties; required: string[] };
  /**
   * The SDK file of the function and the name of its result type. For a method, `calls` has the name of the called
   * function and of its parameter for the resource's id.
   */
  language?: { nodejs: { module: string; result?: string; calls?: { name: string; id: string } } };
}

export interface PackageSchema {
  name: string;
  displayName: string;
  version: string;
  description: string;
  keywords: string[];
  homepage: string;
  repository: string;
  publisher: string;
  pluginDownloadURL: string;
  logoUrl: string;
  license: string;
  /** Makes Pulumi's generators write complete packages, for example a Go SDK with its own `go.mod`. */
  meta: { supportPack: true };
  /** Settings of Pulumi's SDK generators by language, such as the package name. */
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

/** The token of a resource's method in the package schema, such as `cloudinfra:index:Instance/getStats`. */
export const methodToken = (kind: string, name: string): string => `${token(kind)}/${name}`;

/** The functions in the package schema that are not methods of a resource. */
export const functionsOf = ({ functions }: PackageSchema): [token: string, spec: FunctionSpec][] =>
  Object.entries(functions).filter(([token]) => !token.slice(PREFIX.length).includes("/"));

export const reference = (name: string): TypeSpec => ({ $ref: `#/types/${token(name)}` });
export const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };
export const ASSET: TypeSpec = { $ref: "pulumi.json#/Asset" };

/** The definition of a type reference such as `#/types/cloudinfra:index:VolumeFilter`. Undefined for other types. */
export const typeAt = (
  { types }: Pick<PackageSchema, "types">,
  { $ref }: TypeSpec,
): ObjectSpec | EnumSpec | undefined =>
  $ref?.startsWith("#/types/") ? types[$ref.slice("#/types/".length)] : undefined;
