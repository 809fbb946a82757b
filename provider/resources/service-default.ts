import type { z } from "zod";
import { metaOf } from "../../api";

/**
 * An input whose default the service sets and the documents do not fix. It is not filled in before the comparison, so an
 * object that was created under another default shows no difference.
 */
export const serviceDefault = <T extends z.ZodType>(field: z.ZodDefault<T>): z.ZodOptional<T> =>
  field
    .unwrap()
    .optional()
    .describe(
      `${metaOf(field).description} If omitted, it is set to \`${JSON.stringify(field.def.defaultValue)}\` at creation and not managed afterwards.`,
    );
