import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * How a broken or malicious service responds to a request, for example with a changed copy of the emulator's response.
 */
export type Scenario = (exchange: Exchange) => unknown;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  real(): Promise<Reply>;
  /** URL of another server. Responses can contain it to make a client send its token there. */
  elsewhere: string;
}

interface Reply {
  status: number;
  /** Value of the `Date` header, by which clients can estimate the service's clock. */
  date?: string | null;
  body: unknown;
}

/** Text with terminal escape sequences and invisible characters, which clients must not print unchanged. */
export const EVIL = [
  "\u001b[2J\u001b]0;owned\u0007\u001b]8;;https://evil.example\u001b\\link",
  "\u009b31mred\u0090dcs\u009c\u009dosc\u009c\u0085nel",
  "line\rover\nnext\ttab\u0000\u0008\u007f",
  "\u202egnp.exe\u202c\u2066\u2069\u200b\u200d\u2060\ufeff\u2028\u2029\u00ad\u061c\u180e\u{e0041}",
].join(" ");

/** Returns the characters that control a terminal or are invisible, except line breaks. */
export const steering = (text: string): string[] =>
  [...text].filter((char) => {
    const code = char.codePointAt(0) as number;
    const isControl = (code < 0x20 && char !== "\n") || (code >= 0x7f && code <= 0x9f);
    const isFormat = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/.test(char);
    return isControl || isFormat || (code >= 0xe0000 && code <= 0xe007f);
  });

const JSON_TYPE = "application/json";

export const reply =
  (status: number, body: unknown, headers: Record<string, string> = {}): Scenario =>
  ({ response }) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, { "content-type": JSON_TYPE, ...headers }).end(text);
  };

/** Repeats a text for as long as the client reads. */
export const endless =
  (type: string, head: string, piece: string, headers: Record<string, string> = {}): Scenario =>
  async ({ response }) => {
    response.writeHead(200, { "content-type": type, ...headers }).write(head);
    const pieces = piece.repeat(Math.ceil(65_536 / piece.length));
    while (!response.destroyed) if (!response.write(pieces)) await once(response, "drain").catch(() => {});
  };

/** Forwards the request to the emulator, and changes the body of a successful response. */
const bent =
  (bend: (body: Row) => unknown): Scenario =>
  async (exchange) => {
    const { status, body } = await exchange.real();
    await reply(status, status < 300 ? bend(body as Row) : body)(exchange);
  };

type Row = Record<string, unknown>;

const withId = (id: unknown): Scenario => bent((row) => ({ ...row, id }));

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

/** Responses that no client can use, whatever the request was. */
export const unusable = {
  "a body without an end": endless(JSON_TYPE, '{"id": 1, "label": "', "a"),
  "a list without an end": endless(JSON_TYPE, '{"page": 1, "pages": 1, "results": 1, "data": [', "{},"),
  "a web page without an end": endless("text/html", "<h1>", "hello "),
  "a body of 8 GB by its length": endless(JSON_TYPE, '{"id": 1, "label": "', "a", { "content-length": "8000000000" }),
  "a million values": reply(200, `{"id": 1, "data": [${"[],".repeat(1_000_000)}[]], "page": 1, "pages": 1}`),
  "200,000 levels of nesting": reply(200, `{"id": 1, "data": ${nested(200_000)}, "page": 1, "pages": 1}`),
  "half of its JSON": reply(200, '{"id": 1, "label": "da'),
  "a web page that steers the terminal": reply(200, `<h1>${EVIL}</h1>`, { "content-type": "text/html" }),
  "a list of lists": reply(200, [[[]]]),
  "only null": reply(200, "null"),
} satisfies Record<string, Scenario>;

/**
 * Redirects, and error responses in an unexpected form, for example with terminal escape sequences or a body of several
 * megabytes.
 */
export const refusals = {
  "a refusal that steers the terminal": reply(400, { errors: [{ field: EVIL, reason: EVIL }, EVIL, { [EVIL]: EVIL }] }),
  "a refusal of a hundred thousand reasons": reply(400, {
    errors: Array.from({ length: 100_000 }, () => ({ reason: "no" })),
  }),
  "a refusal of three megabytes": reply(400, { errors: [{ reason: "no".repeat(1_500_000) }] }),
  "a refusal nested 200,000 levels deep": reply(400, `{"errors": ${nested(200_000)}}`),
  "a refusal of mistyped reasons": reply(400, { errors: [null, 5, [], {}, { reason: {}, field: [] }] }),
  "a missing scope that steers the terminal": reply(
    403,
    { errors: [{ reason: "Unauthorized" }] },
    { "x-oauth-scopes": "\u009b2Jdomains:read_only\u0085", "x-accepted-oauth-scopes": "\u009b2Jvolumes:read_write" },
  ),
  "a content type that steers the terminal": reply(404, "gone", { "content-type": "text/html\u009b2J\u0085" }),
  "a redirect": ({ response, elsewhere }) => void response.writeHead(307, { location: `${elsewhere}/v4` }).end(),
  "a redirect after a change": ({ response, elsewhere }) =>
    void response.writeHead(303, { location: `${elsewhere}/v4` }).end(),
} satisfies Record<string, Scenario>;

/** Carries out a create request, and returns a response without the id of the new object. */
export const nameless = {
  "an empty object": bent(() => ({})),
  "no id": bent(({ id: _, ...row }) => row),
  "null as id": withId(null),
  "0 as id": withId(0),
  "a negative id": withId(-5),
  "a fraction as id": withId(1.5),
  "an id beyond all numbers": withId(1e300),
  "a path as id": withId("../../account"),
  "an object as id": withId({ id: 1 }),
  "an id that steers the terminal": withId(EVIL),
  "a page of a list": bent((row) => ({ data: [row], page: 1, pages: 1, results: 1 })),
  "a web page": async (exchange) => {
    await exchange.real();
    await reply(200, "<h1>done</h1>", { "content-type": "text/html" })(exchange);
  },
  "a redirect": async ({ real, response, elsewhere }) => {
    await real();
    response.writeHead(303, { location: elsewhere }).end();
  },
  "200,000 levels of nesting": async (exchange) => {
    await exchange.real();
    await reply(200, `{"id": 1, "deep": ${nested(200_000)}}`)(exchange);
  },
  "a body without an end": async (exchange) => {
    await exchange.real();
    await endless(JSON_TYPE, '{"id": 1, "label": "', "a")(exchange);
  },
} satisfies Record<string, Scenario>;

/** Responses to list requests whose pages contradict each other or contain invalid entries. */
export const pages = {
  "pages without an end": bent((page) => ({ ...page, page: 1, pages: 1e15, results: 1e17 })),
  "empty pages": bent((page) => ({ ...page, data: [], page: 1, pages: 9 })),
  "a number of pages that is a word": bent((page) => ({ ...page, pages: "many" })),
  "entries that are not objects": bent((page) => ({ ...page, data: [null, 5, "x"] })),
  "entries without ids": bent((page) => ({ ...page, data: (page.data as Row[]).map(({ id: _, ...row }) => row) })),
} satisfies Record<string, Scenario>;

export interface Hostile extends AsyncDisposable {
  url: string;
  requested: { method: string; path: string }[];
  /** The requests that the server at `elsewhere` has received. Clients must not send any. */
  followed: string[];
  connections(): Promise<number>;
}

/**
 * Starts a broken service. Requests that match `when` are handled by the scenario, and all others are forwarded to the
 * emulator.
 */
export async function hostile(
  scenario: Scenario,
  { target = "", when = () => true }: { target?: string; when?: (method: string, path: string) => boolean } = {},
): Promise<Hostile> {
  const requested: Hostile["requested"] = [];
  const followed: string[] = [];
  const other = await listening((request, response) => {
    followed.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end();
  });
  const service = await listening(async (request, response) => {
    const { method = "", url: path = "" } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requested.push({ method, path });
    const real = async () => {
      const forwardedReply = await forwarded(target, request, Buffer.concat(chunks));
      response.setHeader("date", forwardedReply.date ?? new Date().toUTCString());
      return forwardedReply;
    };
    const exchange = { request, response, real, elsewhere: addressOf(other) };
    if (when(method, path)) await scenario(exchange);
    else await real().then(({ status, body }) => reply(status, body)(exchange));
  });
  return {
    url: `${addressOf(service)}/v4`,
    requested,
    followed,
    connections: () => new Promise((resolve) => service.getConnections((_, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      for (const server of [service, other]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

async function listening(handle: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<Server> {
  const server = createServer((request, response) => {
    Promise.resolve(handle(request, response)).catch((error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function forwarded(
  target: string,
  { method = "", url = "", headers }: IncomingMessage,
  body: Buffer,
): Promise<Reply> {
  const stored = Object.entries(headers).filter(([name]) => /^(authorization|content-type|x-filter)$/.test(name));
  const response = await fetch(`${target.replace(/\/v4$/, "")}${url}`, {
    method,
    headers: Object.fromEntries(stored) as Record<string, string>,
    body: body.length ? new Uint8Array(body) : null,
  });
  return { status: response.status, date: response.headers.get("date"), body: await response.json() };
}
