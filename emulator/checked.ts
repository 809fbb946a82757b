import { z } from "zod";
import { problemsOf } from "../api";
import { Refusal, sentence } from "./refusal";

/** What was sent to the control interface, by its schema; refuses with everything that is wrong with it. */
export function checked<T extends z.core.$ZodType>(schema: T, body: unknown): z.output<T> {
  const result = z.safeParse(schema, body, { reportInput: true });
  if (result.success) return result.data;
  throw new Refusal(
    400,
    problemsOf(result.error.issues).map(({ path, reason }) => ({ field: path.join("."), reason: sentence(reason) })),
  );
}
