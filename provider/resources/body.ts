import type { z } from "zod";
import { pick } from "../engine/values";

/** What of the inputs goes into a request: the fields that its body has, and nothing that only we know. */
export const bodyOf = <B extends z.core.$ZodObject, W extends object>(
  body: B,
  want: W,
): Pick<W, Extract<keyof W, keyof B["_zod"]["def"]["shape"]>> =>
  pick(want as Record<string, unknown>, Object.keys(body._zod.def.shape)) as never;
