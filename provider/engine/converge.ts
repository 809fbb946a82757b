import { isInDoubt } from "../client/errors";
import { pick } from "./bag";
import { differences } from "./diff";
import { isShown, observed } from "./observe";
import type { Bag } from "./resource";
import { settle, type Target } from "./settle";

const TRIES = 3;

/** Brings the object to what is wanted: observe, run each step that is due once in the definition's order, look again. */
export async function converge(target: Target): Promise<Bag> {
  let seen = await settle(target);
  for (const name of Object.keys(target.kind.steps)) seen = await run(target, name, seen);
  return seen;
}

/** Runs one step if it is due. A lost answer is no reason to repeat it blindly: only what is still due is done again. */
async function run(target: Target, name: string, before: Bag): Promise<Bag> {
  const { kind, host, path, want } = target;
  const step = kind.steps[name];
  const learn = (outs: Bag): void => void Object.assign(target.was, outs);
  let seen = before;
  for (let tries = 1; ; tries++) {
    const changed = dueInputs(target, name, seen);
    if (!step || !(changed.length || step.due?.(seen, want))) return seen;
    try {
      await step.run({
        host,
        api: host.api,
        path,
        want,
        seen,
        was: target.was,
        changed: pick(want, changed),
        learn,
        settle: () => settle(target),
      });
      return await settle(target, step.settles ? changed.filter((key) => isShown(kind, key)) : []);
    } catch (error) {
      if (!isInDoubt(error) || tries === TRIES || host.now() >= host.deadline) throw error;
      seen = await settle(target);
    }
  }
}

/** The inputs of a step that differ: from what is observed or, where the API shows nothing, from what was last applied. */
function dueInputs({ kind, path, want, was, purpose }: Target, name: string, seen: Bag): string[] {
  const hidden = purpose === "create" && !kind.steps[name]?.beyondCreation ? { ...want, ...was } : was;
  const now = {
    ...pick(
      hidden,
      Object.keys(kind.changes).filter((key) => !isShown(kind, key)),
    ),
    ...observed(kind, path, seen, want),
  };
  return [...differences(kind, now, want, { ...seen, ...want }).keys()].filter((key) => kind.changes[key] === name);
}
