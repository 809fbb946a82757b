import { randomUUID } from "node:crypto";
import { camel, fieldsOf, holdsSecret } from "../../../api";
import { pathOf } from "../../engine/identity";
import { type Bag, SECRET, SIGNATURE } from "../../engine/values";
import { type KindName, kinds } from "../../resources";
import type { AdoptedResource } from "../dynamic";
import { handlerOf, kindIn, typeOf } from "../handle";
import { PROVIDER } from "../own-properties";
import { holdersIn, holdersOf, reasonHeld } from "../ownership";
import { stateSchema } from "../state";
import { urnOf, urnParts } from "../urn";

/** The state of a stack, in the format of `pulumi stack export` and `pulumi stack import`. */
export interface Deployment {
  version: number;
  deployment: { resources?: StateResource[]; [field: string]: unknown };
}

export interface StateResource {
  urn: string;
  type: string;
  custom: boolean;
  id?: string;
  /** True if the resource was replaced, but its old object has not been deleted yet. */
  delete?: boolean;
  /** True if the object was deleted to be replaced, but the new object has not been created yet. */
  pendingReplacement?: boolean;
  /** True if the program only reads the object. */
  external?: boolean;
  [field: string]: unknown;
}

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

/** An object, with the name of its resource in the program. */
export interface Named {
  kind: KindName;
  name: string;
}

/** A resource to be added to the state. */
export type Adoption = Named & {
  resource: Pick<AdoptedResource, "id" | "inputs" | "outputs">;
  /** The resources that the inputs refer to, by input. These resources are added to the state first. */
  references?: Readonly<Record<string, readonly Named[]>>;
};

const STACK = "pulumi:pulumi:Stack";
/** The type of the provider resource that all dynamic resources use. */
export const DYNAMIC_PROVIDER = "pulumi:providers:pulumi-nodejs";

/** The names of stack and project in a state. Undefined if the state is empty. */
export function nameIn({ deployment }: Deployment): StackName | undefined {
  const { stack, project } = urnParts(deployment.resources?.[0]?.urn ?? "");
  return stack && project ? { stack, project } : undefined;
}

/** Whether the resources of this package in a state belong to the native plugin. */
export function isNative({ deployment }: Deployment): boolean {
  const own = (deployment.resources ?? []).filter(({ type }) => kindIn(type));
  return own.length > 0 && own.every(({ type }) => type.startsWith("cloudinfra:"));
}

/**
 * Returns a function with the reason why an object cannot be added to the state, or undefined if it can.
 */
export function conflictsIn({ deployment }: Deployment): (wanted: Named & { id: string }) => string | undefined {
  const rows = deployment.resources ?? [];
  const named = Map.groupBy(
    rows.filter((row) => !row.delete && !row.pendingReplacement),
    (row) => `${kindIn(row.type)} ${nameOf(row)}`,
  );
  const holderOf = holdersOf(holdersIn(rows));
  return ({ kind, name, id }) => {
    const holder = holderOf(kinds[kind], pathOf(kinds[kind], id));
    const [namesake] = named.get(`${kind} ${name}`) ?? [];
    if (namesake && namesake.urn === holder?.urn && holder.relation === "managed")
      return "the stack already manages this object under this name";
    if (namesake) return `the stack already has a ${kind} "${name}", with id ${namesake.id}; choose another name`;
    return holder && reasonHeld(holder, kind);
  };
}

const nameOf = ({ urn }: StateResource): string => urnParts(urn).name;

/**
 * Adds resources to a state: at the end, or in place of a resource whose object was deleted to be replaced, because
 * other resources may depend on that resource. Also adds the stack and the default provider if they are missing.
 * Secrets are in plain text, because `pulumi stack import` encrypts them.
 */
export function withAdopted(
  state: Deployment,
  name: StackName,
  config: Readonly<Record<string, ConfigValue>>,
  adopted: readonly Adoption[],
): Deployment {
  const urnFor = (type: string, resource: string): string => urnOf({ ...name, type, name: resource });
  const resources = [...(state.deployment.resources ?? [])];
  const ensured = (made: StateResource): StateResource => {
    const there = resources.find(({ urn, delete: old }) => urn === made.urn && !old);
    if (!there) resources.push(made);
    return there ?? made;
  };
  const root = ensured({ urn: urnFor(STACK, `${name.project}-${name.stack}`), type: STACK, custom: false });
  const settings = Object.fromEntries(
    Object.entries(config).map(([key, { value, secret }]) => [key, secret ? encrypted(value) : value]),
  );
  const provider = ensured(defaultProvider(name, DYNAMIC_PROVIDER, settings));
  for (const { kind, name, resource, references = {} } of adopted) {
    const type = typeOf(kind);
    const secrets = secretNames(kind);
    const kept = (bag: Bag): Bag => ({ ...concealed(bag, secrets), [PROVIDER]: handlerOf(kind) });
    const dependencies = Object.entries(references).map(
      ([input, those]) => [input, those.map((one) => urnFor(typeOf(one.kind), one.name))] as const,
    );
    const deleted = resources.findIndex((it) => it.type === type && it.pendingReplacement && nameOf(it) === name);
    const at = deleted < 0 ? resources.length : deleted;
    const old: Partial<StateResource> = resources[at] ?? {};
    resources[at] = {
      urn: old.urn ?? urnFor(type, name),
      type,
      custom: true,
      id: resource.id,
      inputs: kept(resource.inputs),
      outputs: kept(resource.outputs),
      parent: old.parent ?? root.urn,
      provider: `${provider.urn}::${provider.id}`,
      ...(dependencies.length && {
        dependencies: [...new Set(dependencies.flatMap(([, urns]) => urns))],
        propertyDependencies: Object.fromEntries(dependencies),
      }),
      // Without protection, `pulumi up` would delete the object as long as the program does not declare it.
      protect: true,
      ...(secrets.length && { additionalSecretOutputs: secrets }),
    };
  }
  return { ...state, deployment: { ...state.deployment, resources } };
}

/** Creates the state of the default provider of a package. */
export const defaultProvider = (stack: StackName, type: string, settings: Bag): StateResource => ({
  urn: urnOf({ ...stack, type, name: "default" }),
  type,
  custom: true,
  id: randomUUID(),
  inputs: settings,
  outputs: settings,
});

/** The names of all secret inputs and outputs of a resource class, as programs write them. */
export const secretNames = (kind: KindName): string[] =>
  Object.entries(fieldsOf(stateSchema(kinds[kind]))).flatMap(([key, field]) =>
    holdsSecret(field) ? [camel(key)] : [],
  );

const concealed = (bag: Bag, secrets: readonly string[]): Bag =>
  Object.fromEntries(
    Object.entries(bag).map(([key, value]) => [
      key,
      secrets.includes(key) && value !== null ? encrypted(value) : value,
    ]),
  );

/** Marks a value as a secret, in the format of a state in plain text. `pulumi stack import` encrypts it. */
export const encrypted = (value: unknown): Bag => ({
  [SIGNATURE]: SECRET,
  plaintext: JSON.stringify(value),
});
