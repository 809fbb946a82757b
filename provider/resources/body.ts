import type { z } from "zod";
import { pick } from "../engine/values";

/** The inputs that are fields of a request body. */
export const bodyOf = <B extends z.core.$ZodObject, W extends object>(
  body: B,
  want: W,
): Pick<W, Extract<keyof W, keyof B["_zod"]["def"]["shape"]>> =>
  pick(want as Record<string, unknown>, Object.keys(body._zod.def.shape)) as never;
