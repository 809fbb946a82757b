import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { type Area, Empty, Id, Paging, page, volumes } from "../../../api";
import { clientOf } from "../../../provider/client/client";
import type { ConnectOptions } from "../../../provider/client/settings";
import { listening } from "../../listening";

export const TOKEN = "plainly-a-token-4711";

export interface Seen {
  method: string;
  /** Path and query of the request. */
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** Handles an HTTP request. If it returns a value, the server sends this value as JSON with status 200. */
export type Step = (request: Seen, response: ServerResponse) => unknown;

/**
 * Starts an HTTP server that handles the first request with the first function, the second request with the second one,
 * and so on. The last function handles all further requests.
 */
export async function serve(...steps: Step[]) {
  const seen: Seen[] = [];
  const server = await listening(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const { method = "", url: path = "", headers } = request;
    const isJson = headers["content-type"] === "application/json";
    const entry = { method, path, headers, body: isJson ? JSON.parse(bytes.toString()) : bytes };
    const step = steps[Math.min(seen.push(entry), steps.length) - 1];
    const reply = await step?.(entry, response);
    if (reply !== undefined) json(200, reply)(entry, response);
  });
  const stop = () => server[Symbol.asyncDispose]();
  onTestFinished(stop);
  return { url: `${server.url}/v4`, seen, stop };
}

export const json =
  (status: number, body: unknown, headers: Record<string, string | number> = {}): Step =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };

export const rejection = (status: number, reason: string, headers: Record<string, string | number> = {}): Step =>
  json(status, { errors: [{ reason }] }, headers);

/** Closes the connection before the response. */
export const cut: Step = (_request, response) => void response.socket?.destroy();

/** Closes the connection in the middle of the response. */
export const cutInside: Step = (_request, response) => {
  response
    .writeHead(200, { "content-type": "application/json", "content-length": 1000 })
    .write('{"id": 1, "label": "da');
  setTimeout(() => response.socket?.destroy(), 10);
};

/** A clock that is advanced only by sleeping, which takes no real time. */
export function fakeTime(start = Date.UTC(2022, 0, 1)) {
  const slept: number[] = [];
  let now = start;
  return {
    slept,
    now: () => now,
    advance: (ms: number) => {
      now += ms;
    },
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

const Picture = z.custom<Uint8Array>((value) => value instanceof Uint8Array).meta({ contentType: "image/png" });
const Note = z.strictObject({ id: Id.meta({ filterable: true }), text: z.string() });

/** A small API definition with the same structure as the definition of the real API in `api/`. */
export const contract = {
  volumes,
  books: { delete: operation("DELETE", "/books/{bookId}", { result: Empty }) },
  notes: {
    list: operation("GET", "/books/{bookId}/notes", { query: Paging, result: page(Note) }),
    view: operation("GET", "/books/{bookId}/notes/{noteId}", { result: Note }),
    create: operation("POST", "/books/{bookId}/notes", {
      body: z.strictObject({
        text: z.string(),
        root_pass: z.string().meta({ secret: true }).optional(),
        responses: z.record(z.string(), z.unknown()).optional().meta({ secret: true, opaque: true }),
      }),
      result: Note,
    }),
  },
  instances: {
    boot: operation("POST", "/compute/instances/{computeId}/boot", { result: Empty }),
    update: operation("PUT", "/compute/instances/{computeId}", { result: Empty }),
  },
  secrets: {
    view: operation("GET", "/secrets/{name}", {
      params: { name: z.string() },
      result: z.strictObject({ kubeconfig: z.string().meta({ secret: true }) }),
    }),
  },
  pictures: {
    view: operation("GET", "/pictures/{pictureId}", { result: Picture }),
    update: operation("PUT", "/pictures/{pictureId}", { body: Picture, result: Empty }),
  },
  previews: { list: { ...operation("GET", "/previews", { result: page(Note) }), beta: true } },
} satisfies Record<string, Area>;

function operation<M extends "GET" | "POST" | "PUT" | "DELETE", P extends `/${string}`, R extends object>(
  method: M,
  path: P,
  rest: R,
) {
  return { summary: "", scopes: ["volumes:read_only"] as const, source: "", method, path, ...rest };
}

/** A client for a server that was started with {@link serve}. Its waits take no real time. */
export function connected(url: string, options: Partial<ConnectOptions> = {}) {
  const time = fakeTime();
  const client = clientOf(contract, { url, token: TOKEN, ...time, ...options });
  onTestFinished(() => void client.close());
  return { ...client, slept: time.slept, time };
}

export const volume = (id: number) => ({
  id,
  label: `data-${id}`,
  status: "active",
  size: 20,
  region: "us-east",
  hardware_type: "nvme",
  filesystem_path: `/dev/disk/by-id/data-${id}`,
  compute_id: null,
  compute_label: null,
  tags: [],
  created: "2022-01-01T00:00:00",
  updated: "2022-01-01T00:00:00",
});

export const pageOf = (data: unknown[], number = 1, pages = 1) => ({ data, page: number, pages, results: data.length });

/** The error of a promise that must be rejected. */
export const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error) => error,
  );
