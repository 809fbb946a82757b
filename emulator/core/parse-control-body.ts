import { z } from "zod";
import { problemsOf } from "../../api";
import { ErrorResponse, sentence } from "./error-response";

/** Maximum number of problems in an error message. */
const NAMED = 20;

/** Validates the body of a request to `/_emulator`. Throws an error response that names each invalid field. */
export function parseControlBody<T extends z.core.$ZodType>(schema: T, value: unknown): z.output<T> {
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  const problems = problemsOf(result.error.issues).slice(0, NAMED);
  throw new ErrorResponse(
    400,
    problems.map(({ path, reason }) => ({ field: path.join("."), reason: sentence(reason) })),
  );
}
