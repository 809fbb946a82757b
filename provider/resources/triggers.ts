import { z } from "zod";

/** An input with values of any type. If one of them changes, the resource runs its action, such as a reboot, again. */
export const Triggers = z
  .array(z.unknown())
  .default([])
  .meta({ opaque: true })
  .describe(
    "Values of any type. The action runs when the resource is created, and again whenever one of the values changes.",
  );
