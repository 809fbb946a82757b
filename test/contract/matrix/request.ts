import { expect } from "vitest";
import { type Area, contentTypeOf, type Operation, operations } from "../../../api";
import type { Cloud, TestResponse } from "../cloud";
import type { Account } from "./plan";

export const allOperations: Operation[] = Object.values<Area>(operations).flatMap((area) => Object.values(area));

/** An account with all objects that the operation's valid request needs, and this request. */
export interface Ready {
  account: Account;
  input: Input;
}

/** Path parameters, query and body of a request. */
export interface Input {
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

interface Sending {
  token?: string | null;
  filter?: unknown;
  headers?: Record<string, string>;
  /** HTTP method. Defaults to the operation's own. */
  method?: string;
  version?: "v4" | "v4beta";
}

export const versionOf = ({ beta }: Operation): "v4" | "v4beta" => (beta ? "v4beta" : "v4");

/** The path with its parameters filled in, such as `/v4/volumes/7`. */
export function pathOf(operation: Operation, { path = {} }: Input, version = versionOf(operation)): string {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])));
  return `/${version}${filled}`;
}

/** The status codes of all responses so far, for each emulated account. */
const seen = new WeakMap<Cloud, Set<number>>();
export const statusesIn = (cloud: Cloud): Set<number> => seen.get(cloud) ?? new Set();

export async function request(
  cloud: Cloud,
  operation: Operation,
  input: Input,
  { method = operation.method, version, ...sending }: Sending = {},
): Promise<TestResponse> {
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  const requested = query.size > 0 ? `?${query}` : "";
  const type = operation.body && contentTypeOf(operation.body);
  const events = cloud.world.events.table.size;
  const response = await cloud.send(`${method} ${pathOf(operation, input, version) as `/${string}`}${requested}`, {
    ...sending,
    ...(input.body !== undefined && { body: input.body }),
    headers: { ...(type && { "content-type": type }), ...sending.headers },
  });
  seen.set(cloud, statusesIn(cloud).add(response.status));
  if (response.status !== 200) expect(cloud.world.events.table.size, "events of a rejected request").toBe(events);
  return response;
}

export const fieldsIn = ({ body }: TestResponse): (string | undefined)[] =>
  (body.errors as { field?: string }[]).map(({ field }) => field);
