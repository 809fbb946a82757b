import { Refusal } from "./refusal";

/** No request of this API needs more, and whatever walks a deeper one could overflow its stack. */
const MAX_DEPTH = 32;

/** Refuses JSON that nests too deep, or has keys that would reach into the machinery of objects. */
export function refuseUnsafeJson(value: object, depth = 1, field?: string): void {
  if (depth > MAX_DEPTH) throw new Refusal(400, `Must not nest deeper than ${MAX_DEPTH} levels`, field);
  if (Object.hasOwn(value, "__proto__")) throw new Refusal(400, "Is not a known field", field ?? "__proto__");
  for (const inner of Object.values(value))
    if (typeof inner === "object" && inner !== null) refuseUnsafeJson(inner, depth + 1, field);
}
