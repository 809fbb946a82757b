import { isDeepStrictEqual } from "node:util";
import { camel, fieldsOf, HIDDEN, holdsSecret, metaOf } from "../api";
import { canonical, type Difference, differences, differencesAt } from "../provider/engine/comparison";
import { fieldOf, type Kind } from "../provider/engine/definition";
import { isReplacedBy } from "../provider/engine/diff";
import type { Host } from "../provider/engine/host";
import { displayNameOf, hasOwnId, pathOf } from "../provider/engine/identity";
import { isReturned, read } from "../provider/engine/observe";
import { type Change, describedChange } from "../provider/engine/problems";
import { unsupportedInputs, unsupportedProblems } from "../provider/engine/unsupported";
import { atPaths, type Bag, pick, withoutVolatile } from "../provider/engine/values";
import { toApiNames, toProgramNames } from "../provider/pulumi/properties";
import { contains, withOld } from "../provider/pulumi/property-path";
import { type StateResource, stackIn } from "../stack/state";

/** The result of comparing a resource with its object in the account. */
export interface Comparison {
  /** Name of the object in messages, such as `Volume "data" (640144)`. */
  title: string;
  isDeleted: boolean;
  /** Differences in properties that the program manages. `reason`: why undoing the change is impossible or costly. */
  changed: (Change & { reason?: string })[];
  /**
   * Differences in properties that the program does not manage, each with the reason: for example, `ignoreChanges`
   * lists it.
   */
  unmanaged: (Change & { reason: string })[];
  /** The current outputs of the object, with the API's field names. */
  observed: Bag;
}

/** Reads the object of a resource and compares it with the state, as `pulumi refresh` does. */
export async function compare(resource: StateResource, host: Host): Promise<Comparison> {
  const { kind, id, state, declared, ignored } = resource;
  const title = displayNameOf({ kind, path: pathOf(kind, id), want: state });
  const found = await read(kind, host, id, state, declared);
  if (!found) return { title, isDeleted: true, changed: [], unmanaged: [], observed: {} };
  const want = { ...atPaths(state, declared), ...unsupportedInputs(kind, found.outs, resource.inputs) };
  const managed = [...differences(kind, found.outs, want).values()].flat();
  const rest = ignored.length
    ? [...differences(kind, withIgnored(resource, found.outs, want), want).values()].flat()
    : managed;
  const isIgnored = (difference: Difference): boolean => !rest.some((other) => isDeepStrictEqual(difference, other));
  const showsExternalChange = ({ path }: Difference): boolean => showsExternalChangeOf(resource, keyAt(path));
  const undeclaredChanges = undeclared(resource, found.outs);
  const [shownChanges, others] = [
    undeclaredChanges.filter(showsExternalChange),
    undeclaredChanges.filter((difference) => !showsExternalChange(difference)),
  ];
  const hidden = shownChanges.filter(({ path }) => isSourceIgnored(resource, keyAt(path)));
  const unmanaged = [
    ...withReason("listed in ignoreChanges", [...managed.filter(isIgnored), ...hidden]),
    ...withReason("not declared in the program", others),
  ];
  const changed = [...rest, ...shownChanges.filter((difference) => !hidden.includes(difference))];
  const values = { observed: found.outs, declared: resource.inputs, want };
  const reasonOf = undoing(
    kind,
    values,
    changed.map(({ path }) => keyAt(path)),
  );
  return {
    title,
    isDeleted: false,
    changed: changed.map((difference) => ({
      ...asChange(kind, difference),
      ...reasonOf(keyAt(difference.path)),
    })),
    unmanaged: unmanaged.map(({ reason, difference }) => ({ ...asChange(kind, difference), reason })),
    observed: found.outs,
  };
}

/** The start of the reason why the service cannot undo a change. */
export const CANNOT_UNDO = "the service cannot undo this: ";

/** The reason of a change that an update undoes only by replacing the object. */
export const UNDO_REPLACES = "undoing this deletes the object and creates another";

/**
 * The cost of undoing changes: returns the reason for an input whose change the service cannot undo, such as the growth of a
 * volume, or whose change back replaces the object, such as the image of an instance.
 */
function undoing(
  kind: Kind,
  { observed, declared, want }: { observed: Bag; declared: Bag; want: Bag },
  changed: readonly string[],
): (key: string) => { reason?: string } {
  // An object that cannot be deleted stays.
  const replacing = kind.delete?.run === "none" ? [] : changed.filter((key) => isReplacedBy(kind, key, want));
  // A replacement has all declared values, so it also undoes what an update cannot.
  const problems = replacing.length ? [] : unsupportedProblems(kind, observed, declared);
  return (key) => {
    const problem = problems.find(({ path }) => path[0] === key);
    const input = problem?.path.map((part) => camel(String(part))).join(".");
    if (problem) return { reason: `${CANNOT_UNDO}${input} ${problem.reason}` };
    return replacing.includes(key) ? { reason: UNDO_REPLACES } : {};
  };
}

/** The object's values, in which the paths in `ignoreChanges` have the values in state. */
function withIgnored({ kind, ignored }: StateResource, observed: Bag, want: Bag): Bag {
  const [old, now] = [toProgramNames(kind, want), toProgramNames(kind, pick(observed, Object.keys(want)))];
  return { ...observed, ...toApiNames(kind, withOld(ignored, old, now)) };
}

const withReason = (reason: string, changes: readonly Difference[]) =>
  changes.map((difference) => ({ reason, difference }));

/**
 * The secret input whose change an output reveals: a new certificate (`ssl_cert`) has another `ssl_fingerprint`. Secret
 * inputs themselves are not compared.
 */
const revealedBy = (kind: Kind, output: string): string | undefined =>
  Object.keys(kind.fields).find((key) => fieldOf(kind, key).revealedBy === output);

function showsExternalChangeOf({ kind, secret }: StateResource, output: string): boolean {
  const input = revealedBy(kind, output);
  return input !== undefined && secret.includes(camel(input));
}

/** Whether the program ignores changes of the secret input that an output reveals. */
function isSourceIgnored({ kind, ignored }: StateResource, output: string): boolean {
  const input = revealedBy(kind, output);
  return input !== undefined && ignored.some((path) => contains(path, [camel(input)]));
}

/**
 * Reverses a difference for the report. The given difference is the change that an update would make to the object; the
 * report shows how the object has changed, so `before` and `after` are swapped.
 */
function asChange(kind: Kind, { path, before, after }: Difference): Change {
  const change = after === undefined ? "add" : before === undefined ? "remove" : "replace";
  return describedChange(schemaOf(kind, path), { path, change, before: after, after: before });
}

const schemaOf = ({ inputs, outputs }: Kind, path: string): Kind["inputs"] =>
  keyAt(path) in fieldsOf(inputs) ? inputs : outputs;

const keyAt = (path: string): string => path.split("/")[1] ?? "";

/**
 * Differences between state and the object in properties that the program does not declare. Omits secrets, because
 * their values are unknown here, and omits values that the service changes on its own, such as usage.
 */
function undeclared({ kind, state, declared }: StateResource, observed: Bag): Difference[] {
  const pointers = declared
    .filter((path) => fieldOf(kind, path.split(".")[0] ?? "").change !== "local")
    .map((path) => `/${path.replace(/\.$/, "").replaceAll(".", "/")}`);
  const isDeclared = (path: string) => pointers.some((pointer) => `${path}/`.startsWith(`${pointer}/`));
  return Object.entries(fieldsOf(kind.outputs)).flatMap(([key, schema]) => {
    if (metaOf(schema).volatile || holdsSecret(schema) || !(key in state) || state[key] === HIDDEN) return [];
    const [now, before] = [observed[key], withoutVolatile(schema, state[key])].map((value) => canonical(schema, value));
    return differencesAt(key, now, before).filter(
      (difference) => !isDeclared(difference.path) && difference.before !== difference.after,
    );
  });
}

/** The declared inputs of the API that it does not return, with the names that programs use. */
export const notReturned = ({ kind, declared }: StateResource): string[] =>
  [...new Set(declared.map((path) => path.split(".")[0] ?? ""))]
    .filter((key) => key in kind.fields && !isOfProvider(fieldOf(kind, key)) && !isReturned(kind, key))
    .map(camel);

/**
 * Finds the outermost resource whose object contains the object of another resource, such as the domain of a record. If
 * several stacks manage the containing object, the resource of the same stack is returned. Resources of two kinds, such
 * as Volume and VolumeClone, can have the same object: neither contains the other.
 */
export function containers(resources: readonly StateResource[]): (part: StateResource) => StateResource | undefined {
  const byPath = Map.groupBy(
    resources.filter(({ kind }) => hasOwnId(kind)),
    (resource) => keyOf(pathIn(resource)),
  );
  const isSameObject = (kind: Kind, part: Kind): boolean => hasOwnId(part) && kind.identity.area === part.identity.area;
  return (part) => {
    const path = pathIn(part);
    for (let length = 1; length <= path.length; length++) {
      const found = (byPath.get(keyOf(path.slice(0, length))) ?? []).filter(
        ({ kind }) => kind.name !== part.kind.name && !isSameObject(kind, part.kind),
      );
      if (found.length) return found.find((one) => stackIn(one) === stackIn(part)) ?? found[0];
    }
    return undefined;
  };
}

/**
 * The path parameters that a resource's id contains, the outermost object first: for the DNS record `12/34`, these are
 * `domainId` 12 and `recordId` 34.
 */
const pathIn = ({ kind, id }: StateResource): [string, unknown][] => Object.entries(pathOf(kind, id));

const keyOf = (path: [string, unknown][]): string => JSON.stringify(path);

/** Whether only the provider uses an input, such as `allowReboot` and `forceDestroy`. */
const isOfProvider = ({ change }: { change: string }): boolean => change === "local" || change === "keep";
