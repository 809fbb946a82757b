import type { Bag, Kind } from "../resource";
import { converge, timeoutOf } from "./converge";
import type { Host } from "./host";
import { pathOf } from "./id";
import { outsOf } from "./observe";

/** Brings an existing object to what is wanted, whatever it looks like now; also finishes one that a create left unfinished. */
export async function update(kind: Kind, host: Host, id: string, was: Bag, want: Bag): Promise<Bag> {
  const path = pathOf(kind, id);
  const deadline = host.now() + timeoutOf(kind, "update");
  const seen = await converge({ kind, host, path, want, was: { ...was }, purpose: "update", deadline });
  return outsOf(kind, path, { want, seen, was });
}
