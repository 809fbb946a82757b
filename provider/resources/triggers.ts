import { z } from "zod";

/** Values that run an action again when they change. */
export const Triggers = z
  .array(z.unknown())
  .default([])
  .meta({ opaque: true })
  .describe(
    "Values of any type. The action runs when the resource is created, and again whenever one of the values changes.",
  );
