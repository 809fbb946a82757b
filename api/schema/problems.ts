import type { z } from "zod";
import { joined } from "./text";

/** A problem with an input: the path of the value, and what is allowed there. */
export interface Problem {
  /** The path of the value, in the names of the API, such as `["rules", "inbound", 0, "ports"]`. */
  path: readonly (string | number)[];
  /**
   * The allowed values, in words that continue the name of the property, and then what to do: `must be at least 40 (current
   * size in GiB): volumes cannot shrink`. The provider adds the given value, so a user reads `size: must be at least 40
   * (current size in GiB): volumes cannot shrink (given 10)`, and hides it if it is secret.
   */
  reason: string;
}

/** Converts zod's issues to problems. An issue about several unknown fields becomes one problem for each field. */
export const problemsOf = (issues: readonly z.core.$ZodIssue[]): Problem[] => issues.flatMap(problem);

function problem(issue: z.core.$ZodIssue): Problem[] {
  const at = (reason: string): Problem[] => [{ path: issue.path as Problem["path"], reason }];
  switch (issue.code) {
    case "invalid_type":
      return at(issue.input === undefined ? "is required" : `must be ${article(issue.expected)}`);
    case "invalid_value":
      if (issue.input === undefined) return at("is required");
      // Zod's default messages begin with `Invalid input:` or `Invalid option:`. Any other message was defined in the
      // schema and is used unchanged.
      return at(/^Invalid (input|option):/.test(issue.message) ? `must be ${oneOf(issue.values)}` : issue.message);
    case "too_small":
      return at(`must ${bound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`);
    case "too_big":
      return at(`must ${bound(issue.origin, "at most", issue.maximum)}`);
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: [...(issue.path as Problem["path"]), key],
        reason: "is not a known field",
      }));
    case "invalid_union":
      return issue.errors[0]
        ? issue.errors[0].flatMap((inner) => prefixed(issue, problem(inner)))
        : at("does not match any of the allowed forms");
    case "invalid_key":
    case "invalid_element":
      return issue.issues.flatMap((inner) => prefixed(issue, problem(inner)));
    default:
      return at(issue.message);
  }
}

const prefixed = (issue: z.core.$ZodIssue, problems: Problem[]): Problem[] =>
  problems.map(({ path, reason }) => ({ path: [...(issue.path as Problem["path"]), ...path], reason }));

const article = (expected: string): string =>
  ({
    int: "a whole number",
    number: "a number",
    string: "a string",
    boolean: "true or false",
    array: "a list",
    object: "an object",
    record: "an object",
  })[expected] ?? `of type ${expected}`;

function bound(origin: string, which: "at least" | "more than" | "at most", limit: number | bigint): string {
  const one = limit === 1 || limit === 1n;
  if (origin === "string") {
    if (one && which === "at least") return "not be empty";
    return `be ${which} ${limit} ${one ? "character" : "characters"} long`;
  }
  if (origin === "array" || origin === "set") return `have ${which} ${limit} ${one ? "entry" : "entries"}`;
  return `be ${which} ${limit}`;
}

/** Joins words to a text: `a, b or c`. */
export function oneOf(values: readonly unknown[]): string {
  const names = values.map((value) => (typeof value === "string" ? `"${value}"` : String(value)));
  return joined(names, "or");
}

/** Formats a path the way programs write it: `rules.inbound[3].ports`. */
export const pathText = (path: readonly (string | number)[]): string =>
  path.map((part, i) => (typeof part === "number" ? `[${part}]` : i ? `.${part}` : part)).join("");
