import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Direction, renamed, renamedName } from "./names";

/**
 * Headers whose values contain names of the API as text. The filter header is converted separately, because its value
 * is JSON.
 */
const headers = ["x-oauth-scopes", "x-accepted-oauth-scopes"];

/**
 * Headers that the proxy does not forward, because they apply to a single connection or because `fetch` has already
 * processed them.
 */
const dropped = ["connection", "content-encoding", "content-length", "host", "keep-alive", "transfer-encoding"];

export interface Shim extends AsyncDisposable {
  /** URL of the proxy without the API's version. */
  origin: string;
}

/**
 * Starts an HTTP proxy that converts the names in requests and responses between those of the public service and those
 * of the emulator.
 */
export async function startShim(origin: string): Promise<Shim> {
  const server = createServer((request, response) => {
    pass(origin, request, response).catch((error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function pass(origin: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (!dropped.includes(name)) sent.set(name, String(value));
  const filter = sent.get("x-filter");
  if (filter !== null) sent.set("x-filter", renamedJson(filter, "to service"));
  const body = renamedJson(await text(request), "to service");
  const reply = await fetch(`${origin}${pathOf(request.url ?? "/")}`, {
    method: request.method ?? "GET",
    headers: sent,
    ...(body !== "" && { body }),
  });
  response.statusCode = reply.status;
  for (const [name, value] of reply.headers)
    if (!dropped.includes(name))
      response.setHeader(name, headers.includes(name) ? renamedName(value, "to client") : value);
  response.end(renamedJson(await reply.text(), "to client"));
}

/** Converts the names in a path. Slashes in ids such as `linode/debian11` may be written as `%2F`. */
const pathOf = (url: string): string => renamedName(url.replaceAll("%2F", "/"), "to service");

function renamedJson(body: string, direction: Direction): string {
  try {
    return JSON.stringify(renamed(JSON.parse(body), direction));
  } catch {
    return body;
  }
}
