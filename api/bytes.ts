import type { z } from "zod";
import { metaOf } from "./meta";

/** The media type of a body or result that is bytes and no JSON; undefined for every other. */
export const contentTypeOf = (schema: z.core.$ZodType): string | undefined => metaOf(schema).contentType;
