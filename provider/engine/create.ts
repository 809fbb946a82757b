import { fieldOf, type Kind } from "./definition";
import { InitFailed, MissingError, UncreatedError } from "./errors";
import { type Host, operate } from "./host";
import { idOf, nameOf, pathOf } from "./identity";
import { createObject } from "./lost-create";
import { isReturned, observe, stateOf, type Target } from "./observe";
import { converge } from "./update";
import { type Bag, pick } from "./values";

export interface Created {
  id: string;
  outs: Bag;
}

/** Creates the object and waits until it is ready. Once it has an id, a failure keeps the id. */
export function create(kind: Kind, host: Host, want: Bag): Promise<Created> {
  const name = (id?: string) => nameOf({ kind, want, ...(id !== undefined && { path: pathOf(kind, id) }) });
  return operate({ kind, host, operation: "create", name }, async (host) => {
    const state: Bag = {};
    const path = await createObject(kind, host, want, (values) => void Object.assign(state, values));
    const id = idOf(kind, path);
    const target: Target = { kind, host, path, want, state, purpose: "create" };
    try {
      return { id, outs: stateOf(kind, path, { want, seen: await converge(target) }) };
    } catch (cause) {
      const later = { ...target, host: host.grace() };
      if (cause instanceof MissingError && !(await observe(later, "now"))) throw new UncreatedError(nameOf(target));
      throw new InitFailed(id, await unfinished(later), cause);
    }
  });
}

/** As much as can be said of an unfinished object; a failing read must not hide why it is unfinished. */
async function unfinished(target: Target): Promise<Bag> {
  const { kind, path, want, state } = target;
  const seen = await observe(target, "now").catch(() => undefined);
  const outs = seen
    ? stateOf(kind, path, { want: { ...want, ...pick(state, Object.keys(want)) }, seen })
    : { ...want, ...state };
  // What only a step can do is done once the step sets it in state; left out here, the next update does it.
  const isUndone = (key: string): boolean =>
    state[key] === undefined && kind.steps?.[fieldOf(kind, key).change]?.afterCreate === true && !isReturned(kind, key);
  return Object.fromEntries(Object.entries(outs).filter(([key]) => !(key in want && isUndone(key))));
}
