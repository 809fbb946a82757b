import { z } from "zod";
import type { Operation } from "./operation";

export type ErrorBody = z.output<typeof ErrorBody>;
/** The body of every error: all problems of the request. */
export const ErrorBody = z.strictObject({
  errors: z
    .array(
      z.strictObject({
        field: z
          .string()
          .optional()
          .describe("Dotted path of the field in the request body. Omitted if the problem does not concern a field."),
        reason: z.string().describe("Description of the problem."),
      }),
    )
    .min(1),
});

/** The schema of a response body by its status. */
export const responseSchema = ({ result }: Pick<Operation, "result">, status: number): z.core.$ZodType =>
  status < 400 ? result : ErrorBody;

/** Reasons that callers can match by their text. */
export const reasons = {
  notFound: "Not found",
  unauthorized: "Unauthorized",
  busy: "Compute busy.",
  labelTaken: "Label must be unique",
  kubeconfigNotReady: "Cluster kubeconfig is not yet available. Please try again later.",
  endpointsNotReady: "Cluster API Endpoints are not yet available. Please try again later.",
  statsNotReady: "Stats are unavailable at this time.",
  onlyIpv4: "Only addresses of type ipv4 are currently supported.",
  rdnsInvalid: "Domain is not valid.",
  weakPassword: "Password does not meet strength requirement",
  accessKeyNotFound: "The specified access key was not found.",
  computeNotActive: "Compute is not active",
} as const;

/** The contract's reason for a weak password, which is more specific than the service's. */
export const weakPassword =
  "must contain at least two of lower case letters, upper case letters, digits and other characters";

/**
 * Converts a problem with a field to the form in which the service reports it: some in other words, some without the
 * field.
 */
export const reported = (reason: string, field?: string): { field?: string | undefined; reason: string } => {
  if (reason === reasons.onlyIpv4) return { reason };
  return { field, reason: reason === weakPassword ? reasons.weakPassword : reason };
};

/** The reason, on field `X-Filter`, for a filter on a field that lists can't be filtered by. */
export const cannotFilter = (field: string): string => `Cannot filter on ${field}`;
