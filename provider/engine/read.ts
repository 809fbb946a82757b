import type { Bag, Kind } from "../resource";
import { pick } from "./bag";
import type { Host } from "./host";
import { pathOf } from "./id";
import { observed, outsOf } from "./observe";
import { look } from "./settle";
import { atPaths } from "./stated";

export interface Read {
  outs: Bag;
  inputs: Bag;
}

/**
 * The object as it is, in the terms of state; undefined when it is gone. `stated` says where the program states
 * something; without it (the object comes from elsewhere) every input that the API shows counts.
 */
export async function read(
  kind: Kind,
  host: Host,
  id: string,
  was: Bag,
  stated?: readonly string[],
): Promise<Read | undefined> {
  const path = pathOf(kind, id);
  const before = stated ? atPaths(was, stated) : {};
  const target = { kind, host, path, want: before, was, purpose: "update" as const, deadline: 0 };
  const seen = await look(target, false);
  if (!seen) return undefined;
  const want = stated ? before : observed(kind, path, seen, {});
  const outs = outsOf(kind, path, { want, seen, was });
  return { outs, inputs: stated ? atPaths(outs, stated) : pick(outs, Object.keys(want)) };
}
