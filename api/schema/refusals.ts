import { type Operation, pathNames } from "./operation";

/** Statuses besides 200 that the operation can have. */
export function refusalsOf({ method, path, scopes, unready }: Operation): number[] {
  return [
    400,
    401,
    ...(scopes.length > 0 ? [403] : []),
    ...(pathNames(path).length > 0 ? [404] : []),
    ...(method === "GET" ? [] : [413, 415]),
    429,
    ...(unready ? [503] : []),
  ];
}

/** What each refusal means. */
export const refusals: Readonly<Record<number, string>> = {
  400: "The request breaks the contract or a rule; the body names every problem.",
  401: "No token, or one that is unknown or expired.",
  403: "The token lacks a scope, or its user a grant.",
  404: "There is no such object, or the user may not see it.",
  413: "The body is too large.",
  415: "The body is of another content type.",
  429: "Too many requests; `Retry-After` says how many seconds to wait.",
  503: "Not there yet; ask again later.",
};
