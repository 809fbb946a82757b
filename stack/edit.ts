import { camel, fieldsOf, holdsSecret } from "../api";
import type { AdoptedResource } from "../provider/dynamic/provider";
import { pathOf } from "../provider/engine/identity";
import type { Bag } from "../provider/engine/values";
import { handlerOf, kindIn, typeOf } from "../provider/pulumi/handle";
import { PROVIDER } from "../provider/pulumi/own-properties";
import { stateSchema } from "../provider/pulumi/state";
import { urnOf, urnParts } from "../provider/pulumi/urn";
import { type KindName, kinds } from "../provider/resources";
import {
  type ConfigValue,
  type Deployment,
  DYNAMIC_PROVIDER,
  defaultProvider,
  encrypted,
  type ResourceRow,
  rowsIn,
  type StackName,
} from "./deployment";
import { holdersOf, inlineDeclarationsOf, inlineReason, managedReason } from "./holders";
import type { StackState } from "./state";

/** An object, with the name of its resource in the program. */
export interface Named {
  kind: KindName;
  name: string;
}

export type Adoption = Named & {
  resource: Pick<AdoptedResource, "id" | "inputs" | "outputs">;
  /** The resources that the inputs refer to, by input. These resources are added to the state first. */
  references?: Readonly<Record<string, readonly Named[]>>;
};

const STACK = "pulumi:pulumi:Stack";

/**
 * Returns a function with the reason why an object cannot be added to the state, or undefined if it can. Names must differ
 * from all names in the state, and objects from those in `own`, its resources of the object's account: in another account,
 * other objects can have the same ids.
 */
export function conflictsIn(
  state: Deployment,
  own: Pick<StackState, "holders" | "resources">,
): (adoption: Named & { id: string }) => string | undefined {
  const rows = rowsIn(state);
  const rowsByName = Map.groupBy(
    rows.filter((row) => !row.delete && !row.pendingReplacement),
    (row) => `${kindIn(row.type)} ${nameInUrn(row)}`,
  );
  const holderOf = holdersOf(own.holders);
  const declarationsOf = inlineDeclarationsOf(own.resources);
  return ({ kind, name, id }) => {
    const path = pathOf(kinds[kind], id);
    const holder = holderOf(kinds[kind], path);
    const [sameName] = rowsByName.get(`${kind} ${name}`) ?? [];
    if (sameName && sameName.urn === holder?.urn && holder.relation === "managed")
      return "the stack already manages this object under this name";
    if (sameName) return `the stack already has a ${kind} "${name}", with id ${sameName.id}; choose another name`;
    return holder ? managedReason(holder, kind) : inlineReason(declarationsOf(kinds[kind], path));
  };
}

const nameInUrn = ({ urn }: ResourceRow): string => urnParts(urn).name;

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
  const resources = [...rowsIn(state)];
  const ensureRow = (row: ResourceRow): ResourceRow => {
    const existing = resources.find(({ urn, delete: old }) => urn === row.urn && !old);
    if (!existing) resources.push(row);
    return existing ?? row;
  };
  const root = ensureRow({ urn: urnFor(STACK, `${name.project}-${name.stack}`), type: STACK, custom: false });
  const settings = Object.fromEntries(
    Object.entries(config).map(([key, { value, secret }]) => [key, secret ? encrypted(value) : value]),
  );
  const provider = ensureRow(defaultProvider(name, DYNAMIC_PROVIDER, settings));
  for (const { kind, name, resource, references = {} } of adopted) {
    const type = typeOf(kind);
    const secrets = secretNames(kind);
    const prepared = (bag: Bag): Bag => ({ ...withoutSecretValues(bag, secrets), [PROVIDER]: handlerOf(kind) });
    const dependencies = Object.entries(references).map(
      ([input, targets]) => [input, targets.map((one) => urnFor(typeOf(one.kind), one.name))] as const,
    );
    const deleted = resources.findIndex((it) => it.type === type && it.pendingReplacement && nameInUrn(it) === name);
    const index = deleted < 0 ? resources.length : deleted;
    const old: Partial<ResourceRow> = resources[index] ?? {};
    resources[index] = {
      urn: old.urn ?? urnFor(type, name),
      type,
      custom: true,
      id: resource.id,
      inputs: prepared(resource.inputs),
      outputs: prepared(resource.outputs),
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

/** The names of all secret inputs and outputs of a resource class, as programs write them. */
export const secretNames = (kind: KindName): string[] =>
  Object.entries(fieldsOf(stateSchema(kinds[kind]))).flatMap(([key, field]) =>
    holdsSecret(field) ? [camel(key)] : [],
  );

const withoutSecretValues = (bag: Bag, secrets: readonly string[]): Bag =>
  Object.fromEntries(
    Object.entries(bag).map(([key, value]) => [
      key,
      secrets.includes(key) && value !== null ? encrypted(value) : value,
    ]),
  );
