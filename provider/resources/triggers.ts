import { z } from "zod";

/** Values whose change runs an action again. */
export const Triggers = z
  .array(z.unknown())
  .default([])
  .meta({ opaque: true })
  .describe(
    "Values of any type. The action runs when the resource is created, and again whenever one of the values changes.",
  );
