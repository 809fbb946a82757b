import { camel, fieldsOf } from "../../api";
import { isNotFound } from "../client/errors";
import { fieldOf, type Kind } from "./definition";
import { diff } from "./diff";
import { asPart, InitFailed, MissingError, NeededMissingError, UncreatedError } from "./errors";
import { hiddenChanges } from "./hidden-inputs";
import type { Host } from "./host";
import { displayNameOf, hasOwnId, idOf, ownedIds, pathOf, recordParts } from "./identity";
import { createObject, earlierObject } from "./lost-create";
import { withoutName } from "./naming";
import { isReturned, observe, observeSurely, stateOf, type Target } from "./observe";
import { recordPlanned } from "./planned";
import { withTimeLimit } from "./time-limits";
import { converge, predictedValue } from "./update";
import { type Bag, pick, stateOutputs, UNKNOWN } from "./values";

export interface Created {
  id: string;
  outs: Bag;
}

/**
 * Creates the object and waits until it is ready. If the create or the wait fails after the object has an id, the error
 * contains the id and the known outputs.
 */
export function create(kind: Kind, host: Host, want: Bag, { autonamed = false } = {}): Promise<Created> {
  const name = (id?: string) => displayNameOf({ kind, want, ...(id !== undefined && { path: pathOf(kind, id) }) });
  return withTimeLimit({ kind, host, operation: "create", name }, async (host) => {
    const earlier = await resumed(kind, host, want, autonamed);
    const state = initialState(kind, want, earlier?.unknownInputs);
    const setState = (values: Bag): void => void Object.assign(state, values);
    const path = earlier?.path ?? (await createObject(kind, host, want, setState).catch(rejectMissingNeeds));
    const id = idOf(kind, path);
    recordPlanned(host, { kind, path, state, want, isApplied: true });
    // The record on disk by which the next run finds the object after a crash is only for the create request of the
    // resource itself. The updates that follow can create more objects, such as the node pools of a cluster, which are
    // not recorded.
    const { attempts: _, ...rest } = host;
    const isResumed = earlier !== undefined;
    const hasUnknownInputs = (earlier?.unknownInputs.length ?? 0) > 0;
    const target: Target = { kind, host: rest, path, want, state, purpose: "create", isResumed, hasUnknownInputs };
    try {
      const outs = stateOf(kind, path, { want, observed: await converge(target) });
      recordParts(kind, host, path, outs, want);
      return { id, outs };
    } catch (cause) {
      const later = { ...target, host: host.grace() };
      // If reading fails, the object may exist, so its id has to be in state.
      const isMissing = cause instanceof MissingError && !(await observeSurely(later, "now").then(Boolean, () => true));
      if (isMissing) {
        const shown = displayNameOf(target);
        if (hasOwnId(kind)) throw new UncreatedError(shown);
        throw new NeededMissingError(`${shown} changes an object that does not exist`, cause);
      }
      throw new InitFailed(id, await unfinished(later), cause, "all");
    }
  });
}

/** A create request is rejected with 404 if the object in its path, or the one that it copies, does not exist. */
function rejectMissingNeeds(error: Error): never {
  throw isNotFound(error) ? new NeededMissingError(asPart(error), error) : error;
}

interface Resumed {
  path: Bag;
  /** The declared inputs that the API does not return and of which the create request had other values. */
  unknownInputs: readonly string[];
}

/** The values in state after a create request that had the declared inputs, except for some. */
const initialState = (kind: Kind, want: Bag, unknownInputs: readonly string[] = []): Bag =>
  Object.fromEntries(
    Object.entries(kind.initialState?.(want as never) ?? {}).filter(([key]) => !unknownInputs.includes(key)),
  );

/**
 * The object that an interrupted create of this resource left behind. Undefined if there is no such object, or if an
 * update cannot give the object the declared inputs.
 */
async function resumed(kind: Kind, host: Host, want: Bag, autonamed: boolean): Promise<Resumed | undefined> {
  const path = await earlierObject(kind, host, want);
  const target = path && { kind, host, path, want, state: {}, purpose: "create" as const };
  const observed =
    target &&
    (await observe(target, "now").catch((error) => {
      // No resource has the object yet, so a create that is repeated in this process must be able to find it.
      ownedIds(kind, host).delete(idOf(kind, path));
      throw error;
    }));
  if (!observed) return undefined;
  const ofReturned = diff(autonamed ? withoutName(kind) : kind, stateOf(kind, path, { want, observed }), want).replaces;
  const { replacing, updatable } = hiddenChanges(kind, want, host.attempts?.earlier?.digests);
  const replaces = [...ofReturned, ...replacing];
  if (!replaces.length) {
    // Adds the id to the record of the create request on disk: without an id, a later run would search for the object
    // by its inputs, which the update that follows may change.
    host.attempts?.created(idOf(kind, path), updatable);
    return { path, unknownInputs: updatable };
  }
  host.warn(
    `${displayNameOf(target)} was created by an interrupted run, with a different ${replaces.map(camel).join(" and ")}. It is not managed: delete it unless you need it`,
  );
  return undefined;
}

/**
 * The known outputs of an unfinished object. An error while reading the object is ignored, because it would hide why
 * the object is unfinished.
 */
async function unfinished(target: Target): Promise<Bag> {
  const { kind, path, want, state, hasUnknownInputs } = target;
  const observed = await observe(target, "now").catch(() => undefined);
  const outs = observed
    ? stateOf(kind, path, { want: { ...want, ...pick(state, Object.keys(want)) }, observed })
    : { ...want, ...state };
  // Whether the create request does not accept the input, or had another value of it, and the in-place update that applies
  // it has not run yet or has failed. Such inputs are omitted from the state of an unfinished object, so that the next update
  // applies them.
  const isUndone = (key: string): boolean => {
    const step = kind.steps?.[fieldOf(kind, key).change];
    const isLater = step !== undefined && (step.afterCreate === true || hasUnknownInputs === true);
    return !isReturned(kind, key) && state[key] === undefined && (isLater || key in state);
  };
  return Object.fromEntries(Object.entries(outs).filter(([key]) => !(key in want && isUndone(key))));
}

/** The outputs of a new object in a preview: the values of declared inputs are known, all others are unknown. */
export function predictCreated(kind: Kind, want: Bag): Bag {
  const outs = Object.fromEntries(stateOutputs(kind).map((key) => [key, UNKNOWN as unknown]));
  for (const [key, value] of Object.entries(want))
    if (key in kind.fields) outs[key] = predictedValue(fieldsOf(kind.outputs)[key], value);
  return outs;
}
