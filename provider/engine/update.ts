import type { z } from "zod";
import { fieldsOf, isObject, metaOf } from "../../api";
import { isInDoubt } from "../client/errors";
import type { CreateContext } from "./create";
import { fieldOf, type Kind, type Observed } from "./definition";
import { InitFailed } from "./errors";
import { type Host, operate } from "./host";
import { nameOf, pathOf } from "./identity";
import { explained } from "./lost-create";
import { isReturned, observedInputs, overlaid, stateOf, type Target } from "./observe";
import { type Bag, type Difference, differences, isRecord, keptOutputs, pick, UNKNOWN } from "./values";
import { ready } from "./wait";

export interface StepContext<P, W, Seen> extends CreateContext<W, Seen> {
  path: P;
  seen: Seen;
  /** The values in state, including the values that this update step has stored. */
  state: Observed<W & Seen>;
  /** The inputs of this update step that differ from the object. */
  changed: Partial<W>;
  /** Waits until the object is ready. For steps with several requests. */
  waitUntilReady(): Promise<Seen>;
}

export interface Diff {
  /** Inputs that differ and that an update or a replacement changes. */
  changed: string[];
  /** The differences between the values in canonical form. */
  differences: Difference[];
  /** Write-only inputs that differ. An update does not change them. */
  unapplied: string[];
  replaces: string[];
  /** Names of the update steps that are due, in the order in which the resource class defines them. */
  steps: string[];
  /**
   * Whether a replacement deletes the old object first. Also set if only options of the program require the
   * replacement.
   */
  deleteBeforeReplace: boolean;
}

/** Compares the declared inputs with the object as last read, and determines the effect of the differences. */
export function diff(kind: Kind, state: Bag, want: Bag, { autonamed = false } = {}): Diff {
  const found = differences(kind, state, want);
  const keys = [...found.keys()];
  const isUnapplied = (key: string): boolean => fieldOf(kind, key).change === "writeOnly";
  const changed = keys.filter((key) => !isUnapplied(key));
  const replaces = changed.filter((key) => isReplacedBy(kind, key, want));
  const steps = Object.entries(kind.steps ?? {})
    .filter(([name, { when }]) => changed.some((key) => fieldOf(kind, key).change === name) || when?.(state, want))
    .map(([name]) => name);
  const { replaceOrder } = kind.delete ?? {};
  const isUnique = kind.identity.autoname !== undefined && !autonamed;
  const isDeletedFirst = replaceOrder ? replaceOrder === "deleteFirst" : isUnique;
  return {
    changed,
    differences: changed.flatMap((key) => found.get(key) ?? []),
    unapplied: keys.filter(isUnapplied),
    replaces,
    steps,
    // Options of the program can replace an object whose inputs have not changed. The new object then has the same
    // name, so the old one must be deleted first unless the name is generated.
    deleteBeforeReplace: replaces.length ? isDeletedFirst : !autonamed,
  };
}

/** Whether changing the input replaces the object. */
export function isReplacedBy(kind: Kind, key: string, want: Bag): boolean {
  const { change, replaceUnless } = fieldOf(kind, key);
  if (!replaceUnless) return change === "replace";
  return !Object.entries(replaceUnless).every(([other, value]) => want[other] === value);
}

/**
 * Updates an object to the declared inputs, whatever its current state is. Also finishes an object that a create has
 * left unfinished. If the update fails, the values that it has stored in state are kept, and the next update continues.
 */
export function update(kind: Kind, host: Host, id: string, state: Bag, want: Bag): Promise<Bag> {
  const path = pathOf(kind, id);
  const name = () => nameOf({ kind, path, want, state });
  return operate({ kind, host, operation: "update", name }, async (host) => {
    const target: Target = { kind, host, path, want, state: { ...state }, purpose: "update" };
    try {
      const seen = await converge(target);
      return stateOf(kind, path, { want, seen, state: target.state });
    } catch (cause) {
      throw new InitFailed(id, target.state, await explained(kind, host, want, cause, id));
    }
  });
}

/**
 * Waits until the object is ready, then runs the due update steps in the order in which the resource class defines
 * them.
 */
export async function converge(target: Target): Promise<Bag> {
  let seen = await ready(target);
  for (const name of Object.keys(target.kind.steps ?? {})) seen = await run(target, name, seen);
  return seen;
}

const TRIES = 3;

/**
 * Runs an update step if its inputs differ from the object. After a lost response, the step runs again only if they
 * still differ.
 */
async function run(target: Target, name: string, before: Bag): Promise<Bag> {
  const { kind, host, path, want, state } = target;
  const step = kind.steps?.[name];
  const setState = (values: Bag): void => void Object.assign(state, values);
  const waitUntilReady = () => ready(target);
  let seen = before;
  for (let tries = 1; ; tries++) {
    const due = dueInputs(target, name, seen);
    if (!step || !(due.length || step.when?.(seen, want))) return seen;
    try {
      const changed = pick(want, due);
      await step.run({ host, api: host.api, path, want, seen, state, changed, setState, waitUntilReady });
      return await ready(target, step.awaitInputs ? due.filter((key) => isReturned(kind, key)) : []);
    } catch (error) {
      if (!isInDoubt(error) || tries === TRIES || host.now() >= host.deadline) throw error;
      seen = await ready(target);
    }
  }
}

/**
 * The inputs of an update step that differ from the object. Inputs that the API does not return are compared with the
 * values that were last applied.
 */
function dueInputs({ kind, path, want, state, purpose }: Target, name: string, seen: Bag): string[] {
  const inputs = Object.keys(kind.fields);
  // The API does not return these inputs. A create request has applied them, unless an update step applies them after
  // the create.
  const applied = purpose === "create" && !kind.steps?.[name]?.afterCreate ? { ...want, ...state } : state;
  const unreturned = inputs.filter((key) => !isReturned(kind, key));
  const now = { ...pick(applied, unreturned), ...observedInputs(kind, path, seen, want) };
  const found = differences(kind, now, want, { ...seen, ...want });
  return inputs.filter((key) => found.has(key) && fieldOf(kind, key).change === name);
}

/**
 * The outputs of an update in a preview. Outputs that no change affects keep their values, and all others are unknown.
 */
export function predictUpdated(kind: Kind, state: Bag, want: Bag): Bag {
  const { changed, unapplied } = diff(kind, state, want);
  const outs = pick(state, keptOutputs(kind));
  for (const key of Object.keys(want)) {
    if (!(key in kind.fields)) continue;
    outs[key] = unapplied.includes(key) ? state[key] : overlaid(kind.inputs.shape[key], state[key], want[key]);
  }
  const touched = changed.flatMap((key) => fieldOf(kind, key).touches ?? []);
  const containing = Object.entries(fieldsOf(kind.outputs)).flatMap(([key, field]) =>
    changed.includes(metaOf(field).contains ?? "") ? [key] : [],
  );
  // Fields of the object that the program omits are unknown.
  for (const key of [...touched, ...containing])
    outs[key] = want[key] === undefined ? UNKNOWN : completed(kind.outputs.shape[key], want[key]);
  return outs;
}

/** A declared object, in which omitted fields are unknown. */
export function completed(output: z.core.$ZodType | undefined, value: unknown): unknown {
  if (!output || !isObject(value) || !isRecord(output)) return value;
  const fields = Object.entries(fieldsOf(output)).filter(([key, field]) => !metaOf(field).volatile || key in value);
  const parts = fields.map(([key, field]) => [key, key in value ? completed(field, value[key]) : UNKNOWN]);
  return { ...value, ...Object.fromEntries(parts) };
}
