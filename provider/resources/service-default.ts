import type { z } from "zod";
import { metaOf } from "../../api";

/**
 * An input with a default that is set by the service and is not documented. If a program omits the input, it is not
 * compared, so that objects with another default do not show a difference.
 */
export const serviceDefault = <T extends z.ZodType>(field: z.ZodDefault<T>): z.ZodOptional<T> =>
  field
    .unwrap()
    .optional()
    .describe(
      `${metaOf(field).description} If omitted, it is set to \`${JSON.stringify(field.def.defaultValue)}\` at creation and not managed afterwards.`,
    );
