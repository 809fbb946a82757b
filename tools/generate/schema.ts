import type { z } from "zod";
import * as contract from "../../api";
import {
  type Area,
  type AreaName,
  camel,
  fieldsOf,
  isFilled,
  isRequired,
  metaOf,
  operations,
  sentence,
} from "../../api";
import { fieldOf, type Kind } from "../../provider/engine/definition";
import { idFormat, isAction } from "../../provider/engine/identity";
import { defaultTimeout } from "../../provider/engine/time-limits";
import type { Bag } from "../../provider/engine/values";
import type { ReadFunction } from "../../provider/functions/functions";
import { methodsOf } from "../../provider/functions/methods";
import { stateSchema } from "../../provider/pulumi/state";
import { configVariables } from "./configuration";
import { withCsharpNames } from "./csharp";
import { Filters } from "./filters";
import { functionSpec, methodSpec, recordsIn } from "./function-specs";
import { languages } from "./languages";
import {
  type FunctionSpec,
  methodToken,
  type PackageSchema,
  type Properties,
  type PropertySpec,
  type ResourceSpec,
  token,
} from "./model";
import { ResultTypes } from "./results";
import { wordsOf } from "./sentences";
import { fieldNames, originOf } from "./shape";
import { Types, typeName } from "./types";

type Schema = z.core.$ZodType;

/** Fields of package.json that are copied to the package schema. */
export type About = Pick<PackageSchema, "version" | "keywords" | "license" | "homepage"> & {
  repository: { url: string };
};

/** Generates Pulumi's package schema. A type that several resource classes share is named after the first of them. */
export function packageSchema(
  kinds: Record<string, Kind>,
  about: About,
  functions: readonly ReadFunction[] = [],
): PackageSchema {
  const repository = about.repository.url.replace(/^git\+|\.git$/g, "");
  const functionSchemas = functions.flatMap(({ inputs, result }) => [inputs, result]);
  const fields = new Set([...namesIn(kinds), ...functionSchemas.flatMap(fieldNames)]);
  const types = new Types(contractNames(new Set(Object.keys(kinds))), fields);
  const specs = Object.entries(kinds).map(([name, kind]) => [token(name), resourceSpec(name, kind, types)] as const);
  const [results, filters] = [new ResultTypes(types, contractNames()), new Filters(types)];
  for (const fn of functions) for (const [name, record] of recordsIn(fn)) results.reserve(record, name);
  // Functions are converted after the resources, so that shared types are named after resources.
  const reads = Object.fromEntries(functions.map((fn) => [token(fn.name), functionSpec(fn, types, results, filters)]));
  const isRead = (name: string) => token(name) in reads;
  const methods: Record<string, FunctionSpec> = {};
  const resources = Object.fromEntries(specs);
  for (const [name, kind] of Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1)))
    for (const method of methodsOf(kind).filter(({ fn }) => isRead(fn.name))) {
      const spec = resources[token(name)] as ResourceSpec;
      const own = methodToken(name, method.name);
      spec.methods = { ...spec.methods, [method.name]: own };
      methods[own] = methodSpec(name, method, reads[token(method.fn.name)] as FunctionSpec);
    }
  return withCsharpNames({
    name: "cloudinfra",
    displayName: "Cloud Infrastructure",
    version: about.version,
    description:
      "Resources of the Cloud Infrastructure API: instances, volumes, domains, firewalls, Kubernetes clusters.",
    keywords: [...about.keywords, "category/cloud", "kind/native"],
    homepage: about.homepage,
    repository,
    publisher: "pulumi-cloudinfra",
    // Pulumi downloads the plugin's archive for its platform from the GitHub release of the SDK's version.
    pluginDownloadURL: repository.replace("https://github.com/", "github://api.github.com/"),
    logoUrl: `${repository.replace("github.com", "raw.githubusercontent.com")}/main/tools/site/public/logo.svg`,
    license: about.license,
    meta: { supportPack: true },
    language: languages(repository),
    config: { variables: configVariables() },
    provider: { description: "The provider of the Cloud Infrastructure API.", inputProperties: configVariables() },
    types: byName(Object.entries(types.specs)),
    resources: byName(specs),
    functions: { ...reads, ...methods },
  });
}

/**
 * The schema as Pulumi's generators of SDKs need it: in the results of functions, the values of enums are plain strings.
 * The generated Python classes of results accept only a dict where the type is a union, and Go's have no type at all.
 */
export const withPlainResults = (schema: PackageSchema): PackageSchema => ({
  ...schema,
  functions: Object.fromEntries(
    Object.entries(schema.functions).map(([token, spec]) => {
      const properties = Object.entries(spec.outputs.properties).map(([name, property]) => [
        name,
        withoutEnum(property),
      ]);
      return [token, { ...spec, outputs: { ...spec.outputs, properties: Object.fromEntries(properties) } }];
    }),
  ),
});

const withoutEnum = ({ oneOf, ...property }: PropertySpec): PropertySpec =>
  oneOf?.some(({ type }) => type === "string")
    ? { type: "string", ...property }
    : { ...(oneOf && { oneOf }), ...property };

const byName = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** The API's names of all fields of the given resource classes, in snake_case. */
export const namesIn = (kinds: Record<string, Kind>): ReadonlySet<string> =>
  new Set(Object.values(kinds).flatMap((kind) => fieldNames(stateSchema(kind))));

/** Maps the schemas that `api/` exports to their names, except names of resource classes. */
function contractNames(taken: ReadonlySet<string> = new Set()): Map<Schema, string> {
  const named = Object.entries(contract).flatMap(([exported, value]) => {
    const name = exported.replace(/Create$/, "");
    return "_zod" in Object(value) && !taken.has(name) ? [[originOf(value as Schema), name] as const] : [];
  });
  return new Map(named);
}

function resourceSpec(name: string, kind: Kind, types: Types): ResourceSpec {
  const inputs = fieldsOf(kind.inputs);
  const shown = fieldsOf(kind.outputs);
  const outputs = Object.entries(fieldsOf(stateSchema(kind))).filter(([key]) => isRetained(kind, key));
  const isStored = (field: Schema | undefined) => field !== undefined && !metaOf(field).volatile && isFilled(field);
  const known = outputs
    .map(([key]) => key)
    .filter((key) => isStored(shown[key]) || isStored(inputs[key]) || key === kind.identity.autoname);
  const declared = Object.fromEntries(Object.entries(inputs).filter(([, field]) => !metaOf(field).computed));
  const required = Object.keys(declared).filter(
    (key) => key !== kind.identity.autoname && isRequired(declared[key] as Schema),
  );
  // Inputs are converted before outputs: if both need a type with the same name, the input's type gets it, and the
  // output's type gets a suffix.
  const inputProperties: Properties = Object.fromEntries(
    Object.entries(declared).map(([key, field]) => {
      const property = types.input(field, typeName(name, key), [...absence(kind, key), ...effectOf(name, kind, key)]);
      return [
        camel(key),
        fieldOf(kind, key).change === "replace"
          ? { ...property, replaceOnChanges: true, willReplaceOnChanges: true }
          : property,
      ];
    }),
  );
  const properties: Properties = Object.fromEntries(
    outputs.map(([key, field]) => [camel(key), types.output(field, typeName(name, key), shown[key])]),
  );
  const isNullable = (key: string): boolean => properties[key]?.language?.nodejs?.nullable === true;
  for (const key of known.map(camel).filter(isNullable))
    properties[key] = {
      ...properties[key],
      language: { nodejs: { ...properties[key]?.language?.nodejs, filled: true } },
    };
  const deprecationMessage = deprecationOf(kind);
  return {
    description: description(name, kind),
    ...(deprecationMessage && { deprecationMessage }),
    properties,
    required: known.map(camel).filter((key) => !isNullable(key)),
    inputProperties,
    requiredInputs: required.map(camel),
  };
}

/** A deprecation message if the API operation that creates the objects of the resource class is deprecated. */
export function deprecationOf({ identity }: Kind): string | undefined {
  const { create }: Area = operations[identity.area as AreaName];
  return create?.deprecated && "The service will remove the operations that it uses.";
}

/**
 * Whether a field is stored in state: inputs always, and outputs unless they are volatile, that is, change without an
 * update.
 */
const isRetained = (kind: Kind, key: string): boolean =>
  key in fieldsOf(kind.inputs) || (key !== "id" && !metaOf(fieldsOf(kind.outputs)[key] as Schema).volatile);

export const absence = (kind: Kind, key: string): string[] =>
  key === kind.identity.autoname
    ? ["Defaults to the resource's name with a random suffix, which is not managed after creation"]
    : [];

/**
 * Sentences for an input's hover text about what a change does, for example "Changing this replaces the volume". Empty
 * for an update in place without special effects.
 */
function effectOf(name: string, kind: Kind, key: string, subject = "this"): string[] {
  const { change, note, replaceUnless } = fieldOf(kind, key);
  const { hashedIn } = metaOf(fieldsOf(kind.inputs)[key] as Schema);
  if (hashedIn) return effectOf(name, kind, hashedIn, "the content");
  if (change === "writeOnly") return [`Write-only: ${note}`, "Later changes have no effect"];
  if (change === "replace" || replaceUnless) return [`Changing ${subject} ${meaningOf(name, kind, key)}`, note ?? ""];
  return [note ? `When ${subject} changes, ${note}` : ""];
}

/** The effect of changing the input in words, such as `in place` or `replaces the volume`. */
export function meaningOf(name: string, kind: Kind, key: string): string {
  const { change, note, replaceUnless } = fieldOf(kind, key);
  const { hashedIn } = metaOf(fieldsOf(kind.inputs)[key] as Schema);
  if (replaceUnless) return `replaces the ${wordsOf(name)} unless ${conditionOf(replaceUnless)}`;
  if (hashedIn) return `${meaningOf(name, kind, hashedIn)} if the content differs`;
  if (change === "writeOnly") return `write-only: ${note}`;
  if (change === "replace")
    return `replaces the ${isAction(kind) ? "resource, which runs the action again" : wordsOf(name)}`;
  return change === "local" && !note ? "in place, without an API call" : "in place";
}

/** Converts a condition such as `{ region_change: "migrate" }` to words, for example: `regionChange` is "migrate". */
const conditionOf = (values: Bag): string =>
  Object.entries(values)
    .map(([key, value]) => `\`${camel(key)}\` is ${JSON.stringify(value)}`)
    .join(" and ");

function description(name: string, kind: Kind): string {
  const minutes = (operation: "create" | "update" | "delete") =>
    `${operation} ${defaultTimeout(kind, operation) / 60_000}`;
  return [
    sentence(kind.summary),
    [
      ...waits(kind),
      `Default timeouts in minutes: ${["create", "update", "delete"].map((op) => minutes(op as "create")).join(", ")}.`,
    ].join(" "),
    ...replacement(name, kind),
    `ID: \`${idFormat(kind)}\`. ${adoption(name, kind)}`,
  ].join("\n\n");
}

/** The sentence in a resource's description about adopting an existing object with `pulumi import`. */
const adoption = (name: string, kind: Kind): string =>
  isAction(kind)
    ? "An action does not create an object that could be adopted."
    : `To manage an existing ${wordsOf(name)}, run \`pulumi import cloudinfra:index:${name} NAME ID\`; with dynamic resources, \`cloudinfra adopt ${name} NAME ID\`.`;

function waits(kind: Kind): string[] {
  const states = Object.entries(kind.readiness?.byStatus ?? {});
  const statusesWith = (matches: (readiness: unknown) => boolean) =>
    states
      .filter(([, readiness]) => matches(readiness))
      .map(([state]) => `\`${state}\``)
      .join(", ");
  const ready = statusesWith((readiness) => readiness === "ready");
  const depends = statusesWith((readiness) => typeof readiness === "function");
  const failed = statusesWith((readiness) => readiness === "failed");
  return [
    ...(ready || depends
      ? [
          `Waits until the status is ${[ready, depends && `${depends}, if the inputs require it`].filter(Boolean).join(" or ")}.`,
        ]
      : []),
    ...(failed ? [`Fails if the status becomes ${failed}.`] : []),
  ];
}

/**
 * A sentence for resource classes whose replacement deletes the old object first, which differs from Pulumi's default.
 */
export function replacement(name: string, kind: Kind): string[] {
  const old = `the old ${wordsOf(name)} is deleted before the new one is created`;
  const { replaceOrder } = kind.delete ?? {};
  const { autoname } = kind.identity;
  if (replaceOrder === "deleteFirst") return [`In a replacement, ${old}.`];
  return autoname && !replaceOrder
    ? [
        `If \`${camel(autoname)}\` is set, a replacement deletes the old ${wordsOf(name)} before it creates the new one.`,
      ]
    : [];
}
