import { randomUUID } from "node:crypto";
import { isObject } from "../api";
import { factsOf, type Kind } from "../provider/engine/definition";
import { type Bag, SECRET, SIGNATURE } from "../provider/engine/values";
import { kindIn } from "../provider/pulumi/handle";
import { urnOf, urnParts } from "../provider/pulumi/urn";
import { kinds } from "../provider/resources";

/** A row of a stack's state, as Pulumi exports it. Nothing is certain about its fields but the URN. */
export interface StateRow extends Bag {
  urn: string;
  id?: unknown;
  custom?: unknown;
  /** True if the program only reads the object. */
  external?: unknown;
  /** True if the resource was replaced, but its old object has not been deleted yet. */
  delete?: unknown;
  /** True if the object was deleted to be replaced, but the new object has not been created yet. */
  pendingReplacement?: unknown;
  /** URN and id of the provider that manages the resource. */
  provider?: unknown;
  inputs?: unknown;
  outputs?: unknown;
}

/** A row of a state that the Pulumi CLI has returned. */
export interface ResourceRow extends StateRow {
  type: string;
  custom: boolean;
  id?: string;
}

/** The state of a stack, in the format of `pulumi stack export` and `pulumi stack import`. */
export interface Deployment {
  version: number;
  deployment: { resources?: ResourceRow[]; [field: string]: unknown };
}

/** The resources in a state. Pulumi omits the list if there are none. */
export const rowsIn = ({ deployment }: Deployment): ResourceRow[] => deployment.resources ?? [];

/** The names of stack and project, which all URNs of a stack contain. */
export interface StackName {
  stack: string;
  project: string;
}

export interface ConfigValue {
  value: string;
  secret: boolean;
}

/** Converts a stack's configuration to the format in which Pulumi passes it to a provider: strings by key. */
export const rawConfig = (config: Readonly<Record<string, ConfigValue>>): Record<string, string> =>
  Object.fromEntries(Object.entries(config).map(([key, { value }]) => [key, value]));

/** The type of the provider resource that all dynamic resources use. */
export const DYNAMIC_PROVIDER = "pulumi:providers:pulumi-nodejs";

/** The names of stack and project in a state. Undefined if the state is empty. */
export function nameIn(state: Deployment): StackName | undefined {
  const { stack, project } = urnParts(rowsIn(state)[0]?.urn ?? "");
  return stack && project ? { stack, project } : undefined;
}

/** Whether the resources of this package in a state belong to the native plugin. */
export function isNative(state: Deployment): boolean {
  const managedRows = rowsIn(state).filter(({ type }) => kindIn(type));
  return managedRows.length > 0 && managedRows.every(({ type }) => type.startsWith("cloudinfra:"));
}

/** Whether a provider's URN is that of a default provider. Pulumi creates one for each version of the package. */
export const isDefaultProvider = (urn: string): boolean => /^default(_|$)/.test(urnParts(urn).name);

/** Creates the state of the default provider of a package. */
export const defaultProvider = (stack: StackName, type: string, settings: Bag): ResourceRow => ({
  urn: urnOf({ ...stack, type, name: "default" }),
  type,
  custom: true,
  id: randomUUID(),
  inputs: settings,
  outputs: settings,
});

/** Marks a value as a secret, in the format of a state in plain text. `pulumi stack import` encrypts it. */
export const encrypted = (value: unknown): Bag => ({
  [SIGNATURE]: SECRET,
  plaintext: JSON.stringify(value),
});

export const bagIn = (value: unknown): Bag => (isObject(value) ? value : {});

/**
 * How to complete an operation that an interrupted update has left pending. Only the native plugin continues with the
 * object of a create.
 */
export function completionOf({ type, resource }: { type: string; resource: { urn: string } }): string {
  const kind = kindIn(urnParts(resource.urn).type);
  const isContinued = type !== "creating" || !urnParts(resource.urn).type.startsWith("pulumi-nodejs:dynamic");
  const work = isContinued || !kind ? 'complete it with "pulumi up"' : adoptionOf(kind);
  return `${work}, then run "pulumi refresh --clear-pending-creates"`;
}

const listedKinds = Object.values<Kind>(kinds).flatMap((kind) =>
  factsOf(kind).list === "operation" ? [kind.name] : [],
);

/** How to find the object of a create that may have been carried out. */
export const adoptionOf = (kind: string): string =>
  listedKinds.includes(kind)
    ? 'adopt its object if "cloudinfra drift --unmanaged" lists it'
    : `look for its object in the account, because "cloudinfra drift --unmanaged" does not list it as ${kind}; if it exists, adopt it by its id or delete it`;
