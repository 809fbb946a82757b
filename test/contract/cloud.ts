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
    async send(request, { body, token = emulator.token, headers = {}, filter } = {}) {
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
