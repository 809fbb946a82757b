import type { z } from "zod";
import { metaOf } from "../../api";

/**
 * An input whose default only the service knows, since the documents state none. It is not filled in before the comparison:
 * an object that was made under another default shows no difference.
 */
export const serviceDefault = <T extends z.ZodType>(field: z.ZodDefault<T>): z.ZodOptional<T> =>
  field
    .unwrap()
    .optional()
    .describe(
      `${metaOf(field).description} If omitted, a new one gets \`${JSON.stringify(field.def.defaultValue)}\`, which is not managed afterwards.`,
    );
