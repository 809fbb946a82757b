import { isObject } from "../../api";
import { notFound } from "../core/error-response";
import type { Controlled } from "../http/control/action";
import type { Logged } from "../http/messages";
import type { Router } from "../http/router";
import { type Call, cliCommand, curlCommand } from "./commands";
import { fieldsWithoutSecrets, viewOf } from "./objects";

/** A call as a command of `cloudinfra api` and of `curl`. */
interface Commands {
  cli: string | null;
  curl: string;
}

/** A request of the log with its headers, query and body, and the commands that send it again. No secrets. */
export interface RequestDetails {
  request: Logged;
  /** Null for a request that called no operation, and for one whose body is not in the log. */
  commands: Commands | null;
  /** Why a request to an operation has no commands. */
  problem?: string;
}

/** The fields of an object, and the commands that view it. No secrets. */
export interface ObjectDetails {
  fields: Record<string, unknown>;
  /** Null for an object without an operation that returns it. */
  commands: Commands | null;
}

const MISSING_BODY =
  "No command can send this request again, because the log does not contain its body: bodies that are binary, invalid or too large are not logged.";

/** Throws a 404 if the log does not contain the request any more. */
export function requestDetails({ requests }: Controlled, router: Router, n: number, origin: string): RequestDetails {
  const request = requests.find(n);
  if (!request) throw notFound();
  const { operation, method, path, query, body, headers } = request;
  if (operation === null) return { request, commands: null };
  if (body !== null && !isObject(body)) return { request, commands: null, problem: MISSING_BODY };
  const values = router.pathValues(method, path);
  return {
    request,
    commands: commands({ operation, method, path, values, query, body, filter: headers["x-filter"] }, origin),
  };
}

/** Throws a 404 if the object does not exist. */
export function objectDetails({ world }: Controlled, router: Router, key: string, origin: string): ObjectDetails {
  const fields = fieldsWithoutSecrets(world, key);
  if (!fields) throw notFound();
  const view = viewOf(world, key);
  if (!view) return { fields, commands: null };
  const { name, operation, values } = view;
  const path = router
    .pathOf(operation)
    .replace(/\{(\w+)\}/g, (_, parameter) => encodeURIComponent(values[parameter] ?? ""));
  const call: Call = { operation: name, method: "GET", path, values: Object.values(values), query: {}, body: null };
  return { fields, commands: commands(call, origin) };
}

const commands = (call: Call, origin: string): Commands => ({ cli: cliCommand(call), curl: curlCommand(call, origin) });
