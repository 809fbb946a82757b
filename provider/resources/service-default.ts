import type { z } from "zod";
import { metaOf } from "../../api";

/**
 * An optional input for which the service sets an undocumented default at creation. An input that the program omits is
 * not compared afterwards, so another value in the account is not drift.
 */
export const serviceDefault = <T extends z.ZodType>(field: z.ZodDefault<T>): z.ZodOptional<T> =>
  field
    .unwrap()
    .optional()
    .describe(
      `${metaOf(field).description} If omitted, it is set to \`${JSON.stringify(field.def.defaultValue)}\` at creation and not managed afterwards.`,
    );
