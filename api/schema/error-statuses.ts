import { queryOf } from "./lists";
import { type Operation, pathNames } from "./operation";
import { fieldsOf } from "./schema-walk";

/** The HTTP error statuses that an operation can return. */
export function errorStatusesOf(operation: Operation): number[] {
  const { method, params, path, scopes, unready } = operation;
  const bounded = Object.values(params ?? {}).some((schema) => schema._zod.def.type === "number");
  const canBeInvalid = method !== "GET" || bounded || Object.keys(fieldsOf(queryOf(operation))).length > 0;
  return [
    ...(canBeInvalid ? [400] : []),
    401,
    ...(scopes.length > 0 ? [403] : []),
    ...(pathNames(path).length > 0 ? [404] : []),
    ...(method === "GET" ? [] : [413, 415]),
    429,
    ...(unready ? [503] : []),
  ];
}

/** The meaning of each HTTP error status. */
export const errorStatuses: Readonly<Record<number, string>> = {
  400: "The request is invalid. The response lists every problem.",
  401: "The token is missing, unknown or expired.",
  403: "The token lacks a scope, or the user lacks a grant.",
  404: "The object does not exist, or the user does not have access to it.",
  413: "The body is too large.",
  415: "The content type of the body is not supported.",
  429: "Too many requests. `Retry-After` contains the seconds to wait.",
  503: "Not available yet. Try again later.",
};
