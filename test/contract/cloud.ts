import { test as base, expect } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator";

export interface TestResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields without checks and fail if one is missing
  body: any;
}

interface Sending {
  body?: unknown;
  token?: string | null;
  headers?: Record<string, string>;
  filter?: unknown;
  signal?: AbortSignal;
}

/** An emulator with an empty account, called over HTTP. Emulated time passes only when a test advances the clock. */
export interface Cloud extends Emulator {
  send(request: `${string} /${string}`, sending?: Sending): Promise<TestResponse>;
}

export async function cloud(options: EmulatorOptions = {}): Promise<Cloud> {
  const emulator = await startEmulator({ pace: "stepped", ...options });
  const origin = emulator.url.slice(0, -"/v4".length);
  return {
    ...emulator,
    async send(request, { body, token = emulator.token, headers = {}, filter, signal } = {}) {
      const [method, path = ""] = request.split(" ");
      const raw = typeof body === "string" || body instanceof Uint8Array;
      const response = await fetch(`${/^\/(v4|_emulator)/.test(path) ? origin : emulator.url}${path}`, {
        method: method as string,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(filter !== undefined && { "x-filter": typeof filter === "string" ? filter : JSON.stringify(filter) }),
          ...headers,
        },
        ...(signal && { signal }),
        ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
      });
      const text = await response.text();
      const json = response.headers.get("content-type")?.startsWith("application/json");
      return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
    },
  };
}

/** Creates the token of a restricted user, with the given grants. */
export async function restricted({ send }: Cloud, grants: object = {}, scopes: "*" | string[] = "*"): Promise<string> {
  await send("POST /_emulator/users", { body: { username: "guest", restricted: true, ...grants } });
  return (await send("POST /_emulator/tokens", { body: { token: "guest-token", username: "guest", scopes } })).body
    .token;
}

/** The errors of a response with the given status, each as `field: reason`. */
export function messages({ status, body }: TestResponse, expected = 400): string[] {
  expect([status, body.errors]).toEqual([expected, expect.any(Array)]);
  return body.errors.map(({ field, reason }: { field?: string; reason: string }) =>
    field ? `${field}: ${reason}` : reason,
  );
}

/** The events of the account as `action status`, oldest first. */
export const history = ({ world }: Cloud): string[] =>
  world.events
    .recent()
    .map(({ action, status }) => `${action} ${status}`)
    .toReversed();

export interface Created {
  id: number;
  path: `/${string}`;
  [field: string]: unknown;
}

/** Sends a request that creates an object, expects success, and returns the object with its path. */
export async function create({ send }: Cloud, list: `/${string}`, body: object): Promise<Created> {
  const created = await send(`POST ${list}`, { body });
  expect(created.body.errors).toBeUndefined();
  return { ...created.body, path: `${list}/${created.body.id}` as const };
}

type Row<T> = T extends readonly unknown[] ? [...T] : [T];

/** Functions that define tests. Each test gets an account of its own from `create`, which is closed after the test. */
export function testsIn<C extends AsyncDisposable>(create: () => Promise<C>) {
  const run = async (body: (one: C) => Promise<void> | void): Promise<void> => {
    await using one = await create();
    await body(one);
  };
  const test = (name: string, body: (one: C) => Promise<void> | void): void => base(name, () => run(body));
  /** Defines a test for each row. The test gets the account, and then the values of its row. */
  const each =
    <const T>(rows: readonly T[]) =>
    (name: string, body: (one: C, ...row: Row<T>) => Promise<void> | void): void =>
      base.for(rows)(name, (row) => run((one) => body(one, ...((Array.isArray(row) ? row : [row]) as Row<T>))));
  return Object.assign(test, { each });
}

/** Defines a test in an empty account. */
export const test = testsIn(cloud);
