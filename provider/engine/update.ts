import { converge } from "./converge";
import { InitFailed } from "./errors";
import type { Host } from "./host";
import { pathOf } from "./id";
import { explained } from "./make";
import { outsOf } from "./observe";
import { operate } from "./operation";
import type { Bag, Kind } from "./resource";
import { nameOf, type Target } from "./settle";

/**
 * Brings an existing object to what is wanted, whatever it looks like now; also finishes one that a create left unfinished.
 * What fails keeps what was learned on the way, and is tried again by the next update.
 */
export function update(kind: Kind, host: Host, id: string, was: Bag, want: Bag): Promise<Bag> {
  const path = pathOf(kind, id);
  const name = () => nameOf({ kind, path, want, was });
  return operate({ kind, host, operation: "update", name }, async (host) => {
    const target: Target = { kind, host, path, want, was: { ...was }, purpose: "update" };
    try {
      const seen = await converge(target);
      return outsOf(kind, path, { want, seen, was: target.was });
    } catch (cause) {
      throw new InitFailed(id, target.was, await explained(kind, host, want, cause, id));
    }
  });
}
