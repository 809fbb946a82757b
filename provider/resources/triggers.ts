import { z } from "zod";

/** An input with any values. Changing them runs the action again. */
export const Triggers = z
  .array(z.unknown())
  .default([])
  .meta({ opaque: true })
  .describe(
    "Values of any type. The action runs when the resource is created, and again whenever one of the values changes.",
  );
