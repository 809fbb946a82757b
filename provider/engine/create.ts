import { pick } from "./bag";
import { converge } from "./converge";
import { GoneError, InitFailed, UnmadeError } from "./errors";
import type { Host } from "./host";
import { idOf, pathOf } from "./id";
import { make } from "./make";
import { outsOf } from "./observe";
import { operate } from "./operation";
import type { Bag, Kind } from "./resource";
import { look, nameOf, type Target } from "./settle";

export interface Made {
  id: string;
  outs: Bag;
}

/** Creates the object and waits until it is ready. Once it has an id, whatever fails keeps the id. */
export function create(kind: Kind, host: Host, want: Bag): Promise<Made> {
  const name = (id?: string) => nameOf({ kind, want, ...(id !== undefined && { path: pathOf(kind, id) }) });
  return operate({ kind, host, operation: "create", name }, async (host) => {
    const was: Bag = {};
    const path = await make(kind, host, want, (known) => void Object.assign(was, known));
    const id = idOf(kind, path);
    const target: Target = { kind, host, path, want, was, purpose: "create" };
    try {
      return { id, outs: outsOf(kind, path, { want, seen: await converge(target) }) };
    } catch (cause) {
      const later = { ...target, host: host.grace() };
      if (cause instanceof GoneError && !(await look(later, "now"))) throw new UnmadeError(nameOf(target));
      throw new InitFailed(id, await knownOf(later), cause);
    }
  });
}

/** As much as can be said of an unfinished object; a failing look must not hide why it is unfinished. */
async function knownOf(target: Target): Promise<Bag> {
  const { kind, path, want, was } = target;
  const seen = await look(target, "now").catch(() => undefined);
  const learned = pick(was, Object.keys(want));
  const outs = seen ? outsOf(kind, path, { want: { ...want, ...learned }, seen }) : { ...want, ...was };
  // What only a step could do is done when the step says so; left out, the next update does it.
  const undone = Object.keys(want).filter(
    (key) => kind.steps[kind.changes[key]]?.beyondCreation && was[key] === undefined,
  );
  return Object.fromEntries(Object.entries(outs).filter(([key]) => !undone.includes(key)));
}
