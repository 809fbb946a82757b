import { isDeepStrictEqual } from "node:util";
import { camel, toWire } from "../../api";
import { fieldOf, type Kind } from "../../provider/engine/definition";
import { isReplacedBy } from "../../provider/engine/diff";
import type { Host } from "../../provider/engine/host";
import { pathOf } from "../../provider/engine/identity";
import { observe } from "../../provider/engine/observe";
import type { Bag } from "../../provider/engine/values";
import { kinds } from "../../provider/resources";
import type { State } from "../../testing/provider";
import type { Resource } from "./program";

/** A failure that must not occur, whatever the faults are. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** The engine was killed, so results of calls in progress are not in state. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/**
 * Throws if a resource is replaced without a reason: its object still exists, and no changed input requires a
 * replacement. After a failed migration, for example, the region of an instance still differs from the program, so the
 * instance is replaced if the program no longer declares `regionChange: "migrate"`.
 */
export async function expectCalledFor({ name, kind }: Resource, host: Host, was: State, news: Bag): Promise<void> {
  const definition: Kind = kinds[kind];
  const want = toWire(definition.inputs, news) as Bag;
  const hasChanged = (key: string) => !isDeepStrictEqual(was.inputs[camel(key)], news[camel(key)]);
  const isUnapplied = (key: string) => !isDeepStrictEqual(was.outs[camel(key)], news[camel(key)]);
  const isDecidedAnew = (key: string) => Object.keys(fieldOf(definition, key).replaceUnless ?? {}).some(hasChanged);
  const isCalledFor = Object.keys(definition.fields).some(
    (key) => isReplacedBy(definition, key, want) && (hasChanged(key) || (isUnapplied(key) && isDecidedAnew(key))),
  );
  if (!isCalledFor && (await exists(definition, host, was.id)))
    throw new Violation(`${name}: it is replaced although no input calls for that`);
}

/** The current object. Undefined if it does not exist. */
export const current = (kind: Kind, host: Host, id: string): Promise<Bag | undefined> =>
  observe({ kind, host, path: pathOf(kind, id), want: {}, state: {}, purpose: "update" }, "now");

export const exists = async (kind: Kind, host: Host, id: string): Promise<boolean> =>
  (await current(kind, host, id)) !== undefined;

const errorsIn = (error: unknown): Error[] =>
  error instanceof AggregateError ? error.errors.flatMap(errorsIn) : error instanceof Error ? [error] : [];

export const textsOf = (error: unknown): string[] =>
  errorsIn(error).flatMap(({ message, stack = "" }) => [message, stack]);

/**
 * Whether the error can result from a create request that was interrupted in an earlier command. `killed.job`: an
 * update continues with the object of that request, and the job that creates the object can fail. Some failed jobs delete
 * the object, such as an image.
 * `killed.create`: the plugin has created another object, and the first one can still have the label.
 */
export const isLate = (error: unknown, killed: { job: boolean; create: boolean }): boolean =>
  textsOf(error).some(
    (text) =>
      (killed.job && (/create timed out|creation failed/.test(text) || requiresRefresh(error))) ||
      (killed.create && text.includes("already has this label")),
  );

/** Whether the error asks users to run `pulumi refresh`. */
export const requiresRefresh = (error: unknown): boolean =>
  textsOf(error).some((text) => text.includes('Run "pulumi refresh"'));

/** Errors that no injected fault can cause. */
export const violationsIn = (error: unknown): Error[] =>
  errorsIn(error).filter(
    (one) =>
      one instanceof Violation ||
      one instanceof TypeError ||
      one.name === "CheckError" ||
      /^secret in plain|please report this/.test(one.message),
  );

export function expectNone(what: string, found: readonly string[]): void {
  if (found.length) throw new Violation(`${what} ${found.join(", ")}`);
}
