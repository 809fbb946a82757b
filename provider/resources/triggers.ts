import { z } from "zod";

/** Values whose change runs an action again. */
export const Triggers = z
  .array(z.unknown())
  .default([])
  .meta({ opaque: true })
  .describe("Values of any kind: it is done when the resource is created, and once more whenever one of them changes.");
