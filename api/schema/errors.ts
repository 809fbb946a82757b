import { z } from "zod";
import type { Operation } from "./operation";

export type ErrorBody = z.output<typeof ErrorBody>;
/** The body of every error response. It lists all problems of the request. */
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

export const responseSchema = ({ result }: Pick<Operation, "result">, status: number): z.core.$ZodType =>
  status < 400 ? result : ErrorBody;

/** Error texts of the service that other code uses, for example to detect that an instance is busy and to retry. */
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

/**
 * This project's error text for a weak password. It lists the requirements, unlike the service's text in
 * `reasons.weakPassword`.
 */
export const weakPassword =
  "must contain at least two of lower case letters, upper case letters, digits and other characters";

/**
 * Converts a validation problem to the error that the service would return for it. The service words a weak password
 * differently, and does not name the field if an address is not IPv4.
 */
export const reported = (reason: string, field?: string): { field?: string | undefined; reason: string } => {
  if (reason === reasons.onlyIpv4) return { reason };
  return { field, reason: reason === weakPassword ? reasons.weakPassword : reason };
};

/** The error reason for filtering a list by a field that does not support it. The error's field is `X-Filter`. */
export const cannotFilter = (field: string): string => `Cannot filter on ${field}`;
