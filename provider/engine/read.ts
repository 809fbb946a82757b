import { pick } from "./bag";
import { ElsewhereError } from "./errors";
import type { Host } from "./host";
import { pathOf } from "./id";
import { observed, outsOf } from "./observe";
import { operate } from "./operation";
import { noteRead } from "./reads";
import type { Bag, Kind } from "./resource";
import { look, nameOf } from "./settle";
import { atPaths } from "./stated";

export interface Read {
  outs: Bag;
  inputs: Bag;
}

/**
 * The object as it is, in the terms of state; undefined when it is gone. `stated` says where the program states
 * something; without it (the object comes from elsewhere) every input that the API shows counts.
 */
export function read(
  kind: Kind,
  host: Host,
  id: string,
  was: Bag,
  stated?: readonly string[],
): Promise<Read | undefined> {
  const path = pathOf(kind, id);
  const found = readAt(kind, host, path, was, stated);
  if (stated) noteRead(kind, host, path, found);
  return found;
}

async function readAt(
  kind: Kind,
  host: Host,
  path: Bag,
  was: Bag,
  stated: readonly string[] | undefined,
): Promise<Read | undefined> {
  const before = stated ? atPaths(was, stated) : {};
  const target = { kind, path, want: before, was, purpose: "update" as const };
  const name = () => nameOf(target);
  const seen = await operate({ kind, host, operation: "read", name }, (host) => look({ ...target, host }, "young"));
  if (!seen && stated && host.lastUpdateAt) throw new ElsewhereError(nameOf(target), host.lastUpdateAt, "missing");
  if (!seen) return undefined;
  const want = stated ? before : observed(kind, path, seen, {});
  const outs = outsOf(kind, path, { want, seen, was });
  return { outs, inputs: stated ? atPaths(outs, stated) : pick(outs, Object.keys(want)) };
}
