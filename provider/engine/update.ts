import type { z } from "zod";
import { fieldsOf, isObject, metaOf } from "../../api";
import { callsThrough } from "../client/calls-until";
import { isInDoubt, isServerError } from "../client/errors";
import { announcedInputs, announcedOutputs, inputsIn, uncertainParts } from "./announced";
import { differences } from "./comparison";
import { fieldOf, inputSchema, type Kind } from "./definition";
import { diff } from "./diff";
import { InitFailed, keepsState, type Uncertain } from "./errors";
import type { Host } from "./host";
import { displayNameOf, isAction, pathOf, recordParts } from "./identity";
import { withHolderHint } from "./lost-create";
import { isReturned, observedInputs, stateOf, type Target, withDeclaredNotation } from "./observe";
import { isWrite } from "./operations";
import { recordPlanned } from "./planned";
import { recordFields } from "./records";
import { withTimeLimit } from "./time-limits";
import { supportedInputs, unsupportedWarnings } from "./unsupported";
import { type Bag, isRecord, pick, stateOutputs, UNKNOWN } from "./values";
import { plannedIfReady, waitForReady } from "./wait";

interface UpdateOptions {
  /** The parts of inputs that an earlier create or update, which has failed, may have changed. */
  uncertain?: Uncertain | undefined;
}

/**
 * Updates an object to the declared inputs, and finishes an object whose create or update has failed halfway. An update
 * changes only what its preview has shown ({@link announcedInputs}), and what a failed one was to change. After a failed
 * create, it applies all declared inputs. If the update fails after it may have changed something, the error contains what
 * that is, and the next update continues from there.
 */
export function update(
  kind: Kind,
  host: Host,
  id: string,
  state: Bag,
  want: Bag,
  { uncertain = [] }: UpdateOptions = {},
): Promise<Bag> {
  const path = pathOf(kind, id);
  const announced =
    uncertain === "all" ? undefined : new Set([...diff(kind, state, want).changed, ...inputsIn(kind, uncertain)]);
  const name = () => displayNameOf({ kind, path, want, state });
  recordPlanned(host, { kind, path, state, want, isApplied: true });
  return withTimeLimit({ kind, host, operation: "update", name }, async (host) => {
    const target: Target = { kind, host, path, want, state: { ...state }, purpose: "update", announced, uncertain };
    try {
      const observed = await converge(target);
      warnOfUnsupported({ ...target, want }, observed, state);
      const outs = stateOf(kind, path, { want, observed, state: target.state });
      recordParts(kind, host, path, outs, want);
      return announcedOutputs(target, { state, want }, outs);
    } catch (cause) {
      const error = await withHolderHint(kind, host, want, cause, id);
      // Pulumi keeps the old state after any other error, so the next preview shows the same differences again.
      if (!target.isTouched) throw error;
      throw new InitFailed(id, target.state, error, uncertainParts(target, state));
    }
  });
}

/** Warns about inputs that were not changed, unless the preview has done so because state shows them already. */
function warnOfUnsupported({ kind, host, path, want }: Target, observed: Bag, state: Bag): void {
  const known = unsupportedWarnings(kind, state, want);
  const warnings = unsupportedWarnings(kind, observedInputs(kind, path, observed, want), want);
  const name = displayNameOf({ kind, path, want, state });
  for (const warning of warnings) if (!known.includes(warning)) host.warn(`${name}: ${warning}`);
}

/**
 * Waits until the object is ready, then applies the inputs that differ from it with in-place updates, in the order in
 * which the resource definition lists the updates.
 *
 * To save a read, an update first compares with an object that a list or the plan has read up to a few seconds before. If
 * that had the declared value of an input which the preview has shown as changed, the update compares this input again with
 * the object in its responses.
 */
export async function converge(target: Target): Promise<Bag> {
  const planned = target.purpose === "update" ? await plannedIfReady(target) : undefined;
  const initial = planned ?? (await waitForReady(target));
  const { kind, announced = Object.keys(kind.fields) } = target;
  target.declared = target.want;
  target.want = announcedInputs(target, initial);
  const observed = await applyUpdates(target, initial, target.announced && inputsToApply(target, initial));
  if (!planned) return observed;
  const differed = differingInputs(withoutUnsupported(target, planned), planned);
  const others = [...announced].filter((key) => isReturned(kind, key) && !differed.has(key));
  return applyUpdates(target, observed === planned ? await waitForReady(target) : observed, others);
}

/**
 * The inputs that an update applies: those that the preview has shown as changed, those that such a change can reset, and
 * those that differ from the object before the first change. All others keep what others change during the update.
 */
function inputsToApply(target: Target, initial: Bag): string[] {
  const { kind, announced = [] } = target;
  const touched = [...announced].flatMap((key) => fieldOf(kind, key).touches ?? []);
  const differing = differingInputs(withoutUnsupported(target, initial), initial).keys();
  return Object.keys(pick(kind.fields, [...announced, ...touched, ...differing]));
}

/** Applies the inputs that differ from the object, or those among `inputs` that do. Returns the object after the updates. */
async function applyUpdates(target: Target, initial: Bag, inputs?: readonly string[]): Promise<Bag> {
  let observed = initial;
  for (const name of Object.keys(target.kind.steps ?? {})) observed = await run(target, name, observed, inputs);
  return observed;
}

const MAX_TRIES = 3;

/**
 * Runs one in-place update, such as a resize, if any of its inputs differ from the object. If the response is lost, the
 * update runs again only if they still differ.
 */
async function run(target: Target, name: string, initial: Bag, inputs?: readonly string[]): Promise<Bag> {
  const { kind, path, state, declared = target.want } = target;
  const step = kind.steps?.[name];
  // Also called without values, to note that the object may have changed.
  const setState = (values: Bag): void => {
    target.isTouched = true;
    Object.assign(state, values);
  };
  const waitUntilReady = () => waitForReady(target);
  let observed = initial;
  for (let tries = 1; ; tries++) {
    const updatable = withoutUnsupported(target, observed);
    const { want } = updatable;
    const due = dueInputs(updatable, name, observed, inputs && [...inputs, ...resetInputs(target)]);
    if (!step || !(due.length || step.when?.(observed, want))) return observed;
    // Once a request has been sent, it is not known which value such an input has. Without a value in state, the next
    // update applies the declared one, even if that is the old one again.
    const hidden = isAction(kind) ? [] : due.filter((key) => !isReturned(kind, key));
    const before = { state: { ...state }, isTouched: target.isTouched };
    const mark = () => setState(Object.fromEntries(hidden.map((key) => [key, undefined])));
    const { host, hasWritten } = hostOfStep(target.host, mark);
    try {
      const changed = pick(want, due);
      await step.run({ host, api: host.api, path, want, declared, observed, state, changed, setState, waitUntilReady });
      setState(pick(want, hidden));
      return await waitForReady(target, step.awaitInputs ? due.filter((key) => isReturned(kind, key)) : []);
    } catch (error) {
      if (isInDoubt(error)) target.isTouched = true;
      else if (!hasWritten() && !keepsState(error)) restore(target, before);
      if (!isInDoubt(error) || isServerError(error) || tries === MAX_TRIES || host.now() >= host.deadline) throw error;
      observed = await waitForReady(target);
    }
  }
}

/** The inputs that the API does not return and that a step of this update has reset, so that their own step runs again. */
const resetInputs = ({ kind, state }: Target): string[] =>
  Object.keys(kind.fields).filter((key) => key in state && state[key] === undefined && !isReturned(kind, key));

/** Takes back what a step has stored before its first request, because the service has rejected that request. */
function restore(target: Target, before: Pick<Target, "state" | "isTouched">): void {
  for (const key of Object.keys(target.state)) delete target.state[key];
  Object.assign(target.state, before.state);
  target.isTouched = before.isTouched;
}

/**
 * The host for an in-place update, which can send several requests. `touched` is called after the first one that has
 * changed something, or may have because its response was lost.
 */
function hostOfStep(host: Host, touched: () => void): { host: Host; hasWritten(): boolean } {
  let isTouched = false;
  const touch = (): void => {
    if (!isTouched) touched();
    isTouched = true;
  };
  const api = callsThrough(host.api, async (operation, call) => {
    try {
      const result = await call();
      if (isWrite(operation)) touch();
      return result;
    } catch (error) {
      if (isInDoubt(error)) touch();
      throw error;
    }
  });
  return { host: { ...host, api }, hasWritten: () => isTouched };
}

/** The target with the inputs that an update can apply. After a create request, all declared inputs must be applied. */
const withoutUnsupported = (target: Target, observed: Bag): Target => {
  const { kind, path, want, purpose } = target;
  if (purpose === "create") return target;
  return { ...target, want: supportedInputs(kind, observedInputs(kind, path, observed, want), want) };
};

/** The inputs among `inputs` that one in-place update, such as a resize, applies and that differ from the object. */
function dueInputs(
  target: Target,
  name: string,
  observed: Bag,
  inputs: readonly string[] = Object.keys(target.kind.fields),
): string[] {
  const differing = differingInputs(target, observed, name);
  return inputs.filter((key) => differing.has(key) && fieldOf(target.kind, key).change === name);
}

/**
 * The inputs that differ from the object. Inputs that the API does not return are compared with the values that were
 * last applied. `name` is the in-place update that is about to run.
 */
function differingInputs(
  { kind, path, want, state, purpose, hasUnknownInputs, uncertain = [] }: Target,
  observed: Bag,
  name?: string,
): ReadonlyMap<string, unknown> {
  // Inputs that the API does not return count as applied by the create request, unless this in-place update applies
  // them after the create, or the request of an interrupted run had other values.
  const isApplied = purpose === "create" && !hasUnknownInputs && !(name && kind.steps?.[name]?.afterCreate);
  const unreturned = Object.keys(kind.fields).filter((key) => !isReturned(kind, key));
  // Unknown instead of undefined, so that a declared null differs too.
  const doubtful = inputsIn(kind, uncertain);
  // This update has set a value in state to undefined before a request whose response was lost.
  const isUncertain = (key: string) => state[key] === undefined && (key in state || doubtful.includes(key));
  const now = {
    ...Object.fromEntries(unreturned.filter(isUncertain).map((key) => [key, UNKNOWN])),
    ...pick(isApplied ? { ...want, ...state } : state, unreturned),
    ...observedInputs(kind, path, observed, want),
  };
  return differences(kind, now, want, { ...observed, ...want });
}

/**
 * The outputs that a preview of an update shows. Outputs that the update may change, or that a failed update may have
 * changed, are unknown, and all others keep their values.
 */
export function predictUpdated(kind: Kind, state: Bag, declared: Bag, uncertain: readonly string[] = []): Bag {
  const want = supportedInputs(kind, state, declared);
  const { changed: differing, unapplied } = diff(kind, state, want);
  const doubtful = inputsIn(kind, uncertain);
  const changed = [...new Set([...differing, ...doubtful])];
  const outs = pick(state, stateOutputs(kind));
  // The provider determines outputs that the API does not return, such as whether a reboot is pending.
  if (doubtful.length) for (const key of Object.keys(outs)) if (!(key in recordFields(kind))) outs[key] = UNKNOWN;
  for (const key of Object.keys(want)) {
    if (!(key in kind.fields)) continue;
    outs[key] = unapplied.includes(key)
      ? state[key]
      : withDeclaredNotation(inputSchema(kind, key), state[key], want[key]);
  }
  const touched = changed.flatMap((key) => fieldOf(kind, key).touches ?? []);
  const containing = Object.entries(fieldsOf(kind.outputs)).flatMap(([key, field]) =>
    changed.includes(metaOf(field).contains ?? "") ? [key] : [],
  );
  // An output that the change affects is unknown unless the program declares it as an input, because the service
  // chooses its value.
  for (const key of [...touched, ...containing, ...doubtful])
    outs[key] = want[key] === undefined ? UNKNOWN : predictedValue(fieldsOf(kind.outputs)[key], want[key]);
  return outs;
}

/**
 * The value of an output in a preview, from the declared value of the input with the same name. Nested fields that the
 * program omits are unknown, because the service chooses their values.
 */
export function predictedValue(output: z.core.$ZodType | undefined, value: unknown): unknown {
  if (!output || !isObject(value) || !isRecord(output)) return value;
  const fields = Object.entries(fieldsOf(output)).filter(([key, field]) => !metaOf(field).volatile || key in value);
  const parts = fields.map(([key, field]) => [key, key in value ? predictedValue(field, value[key]) : UNKNOWN]);
  return { ...value, ...Object.fromEntries(parts) };
}
