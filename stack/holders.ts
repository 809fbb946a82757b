import { camel, isObject } from "../api";
import { factsOf, fieldOf, type Kind } from "../provider/engine/definition";
import { canonicalPath, hasOwnId, idOf, idParts, idProblem, isAction, pathOf } from "../provider/engine/identity";
import { STATE_VERSION } from "../provider/engine/observe";
import type { Bag } from "../provider/engine/values";
import type { AccountIdentity } from "../provider/pulumi/account";
import { kindIn, nativeTypeOf } from "../provider/pulumi/handle";
import { DECLARED, pathsIn, VERSION } from "../provider/pulumi/own-properties";
import { stateIn, toApiNames } from "../provider/pulumi/properties";
import { urnParts } from "../provider/pulumi/urn";
import { type KindName, kinds } from "../provider/resources";
import { recordedAccounts } from "./account";
import type { StateRow } from "./deployment";

/**
 * The relation of a row to its object: a resource manages it (`managed`), Pulumi deletes it in the next update
 * (`deleting`), or Pulumi has deleted it and creates another one in the next update (`replacing`). A row that this
 * version cannot read (`unreadable`) may manage any object with its id.
 */
export type Relation = "managed" | "deleting" | "replacing" | "unreadable";

/** A row of a stack's state that holds an object, so that no other resource may take the object. */
export interface Holder {
  kind: string;
  name: string;
  urn: string;
  id: string;
  isNative: boolean;
  relation: Relation;
  /** URN and id of the provider that manages the resource, as the row refers to it. */
  provider: string | undefined;
  /** The account that the object belongs to. Undefined if the state was written before accounts were recorded. */
  account: AccountIdentity | undefined;
  /** Keys of all objects that the row holds, such as the cluster and its node pools. */
  keys: string[];
}

/** An object of an API area such as `volumes`, by the parts of its id. */
export interface ManagedObject {
  area: string;
  path: Bag;
}

/**
 * The objects that a resource manages. Without `identity.manages`, that is the object that `view` reads, or, if the id
 * consists of parents only, this kind's part of the parent.
 */
function objectsOf(kind: Kind, path: Bag, state: Bag, declared: Bag = {}): ManagedObject[] {
  const { manages, area } = kind.identity;
  if (isAction(kind)) return [];
  if (manages) return manages(path, state, declared);
  return [{ area: hasOwnId(kind) ? String(area) : kind.name, path }];
}

const keyOf = ({ area, path }: ManagedObject): string => JSON.stringify([area, ...Object.values(path).map(String)]);

/**
 * Keys of the objects that a resource manages. Two resources with a common key manage the same object, also if their ids
 * differ in notation.
 */
export const objectKeys = (kind: Kind, path: Bag, state: Bag = {}, declared: Bag = {}): string[] =>
  objectsOf(kind, canonicalPath(kind, path), state, declared).map(keyOf);

/** The properties of an object that is added to a stack, with the names that programs use. */
interface AddedObject {
  id: string;
  inputs: Bag;
  outputs: Bag;
  /** The inputs that the program declares. */
  program: Bag;
}

/**
 * Objects that are added to a stack, without the inputs by which their resources would also manage an object of another
 * one or of a holder, such as the reverse name of an address that a `ReverseDns` sets.
 */
export function withoutTaken<R extends AddedObject, T extends { kind: KindName; resource: R }>(
  added: readonly T[],
  holders: readonly Holder[],
): T[] {
  const taken = new Set([
    ...holders.flatMap(({ keys }) => keys),
    ...added.flatMap(({ kind, resource: { id } }) => objectKeys(kinds[kind], pathOf(kinds[kind], id))),
  ]);
  return added.map((one) => ({ ...one, resource: ownPartsOf(kinds[one.kind], one.resource, taken) }));
}

function ownPartsOf<R extends AddedObject>(kind: Kind, object: R, taken: ReadonlySet<string>): R {
  if (!kind.identity.manages) return object;
  const [path, state] = [pathOf(kind, object.id), stateIn(kind, object.outputs)];
  const own = new Set(objectKeys(kind, path, state));
  const isTaken = ([key, value]: [string, unknown]): boolean =>
    objectKeys(kind, path, state, toApiNames(kind, { [key]: value })).some((one) => !own.has(one) && taken.has(one));
  const rest = (bag: Bag): Bag => Object.fromEntries(Object.entries(bag).filter((entry) => !isTaken(entry)));
  const inputs = rest(object.inputs);
  const declared = pathsIn(object.outputs[DECLARED])?.filter((path) => (/^\w+/.exec(path)?.[0] ?? "") in inputs);
  const outputs = declared ? { ...object.outputs, [DECLARED]: declared.join(",") } : object.outputs;
  return { ...object, inputs, program: rest(object.program), outputs };
}

/** The key under which a row holds every object with its id, because its kind or its state is not readable. */
const keyOfAny = (id: string): string => JSON.stringify(["*", id]);

/** A resource in a state, with the paths of the inputs that the program sets. */
interface Declarer {
  kind: Kind;
  name: string;
  id: string;
  declared: readonly string[];
}

/** An input in which a resource declares nested objects. */
interface InlineDeclaration {
  declarer: Declarer;
  input: string;
}

/** The inputs in which a resource declares nested objects, with the API areas of these objects. */
function declaringInputs({ kind, declared }: Pick<Declarer, "kind" | "declared">): { input: string; area: string }[] {
  const inputs = new Set(declared.map((path) => path.split(".")[0]));
  const all = Object.entries<readonly string[] | undefined>(factsOf(kind).declares ?? {});
  return all.flatMap(([input, areas = []]) => (inputs.has(input) ? areas.map((area) => ({ input, area })) : []));
}

/**
 * API areas of the nested objects that a resource declares in its inputs, as a firewall declares its devices in
 * `devices`. An additional nested object is then a difference of the resource, not an unmanaged object.
 */
export const declaredAreas = (resource: Pick<Declarer, "kind" | "declared">): Set<string> =>
  new Set(declaringInputs(resource).map(({ area }) => area));

/** Returns a function that finds the inputs in which an object is declared by the resource of the object that contains it. */
export function inlineDeclarationsOf(resources: readonly Declarer[]): (kind: Kind, path: Bag) => InlineDeclaration[] {
  const byKey = Map.groupBy(
    resources.flatMap((declarer) => {
      const id = idOf(declarer.kind, pathOf(declarer.kind, declarer.id));
      return declaringInputs(declarer).map(({ input, area }) => ({ key: `${area} ${id}`, declarer, input }));
    }),
    ({ key }) => key,
  );
  return (kind, path) => byKey.get(`${kind.identity.area} ${idOf(kind, path).replace(/\/[^/]*$/, "")}`) ?? [];
}

/** The holders of objects in the rows of a state. Rows of other packages, and those that are only read, hold nothing. */
export function holdersIn(rows: readonly StateRow[]): Holder[] {
  const accountOf = recordedAccounts(rows);
  return rows.flatMap((row) => holderOf(row, accountOf(row)));
}

function holderOf(row: StateRow, account: AccountIdentity | undefined): Holder[] {
  const { type, name } = urnParts(row.urn);
  const kindName = kindIn(type);
  if (kindName === undefined || row.external === true || typeof row.id !== "string" || !row.id) return [];
  const provider = typeof row.provider === "string" ? row.provider : undefined;
  const holder = {
    kind: kindName,
    name,
    urn: row.urn,
    id: row.id,
    provider,
    account,
    isNative: type === nativeTypeOf(kindName),
  };
  const kind = Object.entries<Kind>(kinds).find(([key]) => key === kindName)?.[1];
  const outputs = isObject(row.outputs) ? row.outputs : {};
  const isReadable = kind && Number(outputs[VERSION] ?? 0) <= STATE_VERSION;
  const path = kind && idProblem(kind, row.id) === undefined ? pathOf(kind, row.id) : undefined;
  const relation =
    row.delete === true
      ? "deleting"
      : row.pendingReplacement === true
        ? "replacing"
        : isReadable && path
          ? "managed"
          : "unreadable";
  const inputs = isObject(row.inputs) ? row.inputs : {};
  const properties: [Bag, Bag] | [] =
    isReadable && kind.identity.manages ? [stateIn(kind, outputs), toApiNames(kind, inputs)] : [];
  const own = kind && path ? objectKeys(kind, path, ...properties) : [];
  return [{ ...holder, relation, keys: kind && path && isReadable ? own : [...own, keyOfAny(row.id)] }];
}

export function holdersOf(holders: readonly Holder[]): (kind: Kind, path: Bag) => Holder | undefined {
  const byKey = new Map<string, Holder>();
  // A resource that manages the object takes precedence, because its name is the more useful one in messages.
  for (const holder of [...holders.filter(isManaging), ...holders.filter((one) => !isManaging(one))])
    for (const key of holder.keys) if (!byKey.has(key)) byKey.set(key, holder);
  return (kind, path) => {
    const id = Object.keys(idParts(kind))
      .map((part) => path[part])
      .join("/");
    return [...objectKeys(kind, path), keyOfAny(id)].map((key) => byKey.get(key)).find(Boolean);
  };
}

const isManaging = ({ relation }: Holder): boolean => relation === "managed";

/** The reason why another resource cannot take the object of a holder, and what to do. */
export function managedReason({ kind, name, urn, id, isNative, relation }: Holder, requestedKind: string): string {
  const description = `${kind === requestedKind ? "" : `${kind} `}"${name}"`;
  switch (relation) {
    case "managed":
      return `the stack already manages this object as ${description}${isNative ? ", a resource of the native plugin" : ""}`;
    case "deleting":
      return (
        `Pulumi will delete this object in the next update, because ${description} was replaced. To keep the object, first ` +
        `run "pulumi state delete '${urn}'" in a terminal and select the entry with the id ${id}`
      );
    case "replacing":
      return `Pulumi replaces ${description}, which has this id, in the next update: run "pulumi up" first`;
    case "unreadable":
      return `${description} has this id, and its state was written by a newer version of pulumi-cloudinfra: upgrade pulumi-cloudinfra first`;
  }
}

/**
 * The reason why another resource cannot take an object that is declared inline, and what to do. Undefined if no update
 * changes the object: an input such as `image` has only created it.
 */
export function inlineReason(declarations: readonly InlineDeclaration[]): string | undefined {
  const changing = declarations.find(({ declarer: { kind }, input }) =>
    Object.hasOwn(kind.steps ?? {}, fieldOf(kind, input).change),
  );
  if (!changing) return undefined;
  const { declarer, input } = changing;
  return (
    `${declarer.kind.name} "${declarer.name}" declares this object in its input ${camel(input)}; to adopt the object, ` +
    'first remove that input from the program and run "pulumi up"'
  );
}
