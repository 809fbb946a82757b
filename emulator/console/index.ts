import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { failure, type Outgoing, split } from "../http/messages";
import type { Router } from "../http/router";
import { originOf } from "../http/start-page";
import type { Feed, Observed } from "./feed";
import { asset, assets, consolePage } from "./pages";

/**
 * Adds the console to the server: its page and files, the stream of changes, and the details of requests and objects.
 * `onlyLocal` rejects requests from other machines and web pages. Code that only an open console needs is loaded when
 * it is first used, so that the emulator starts as fast as without it.
 */
export const consoleRoutes =
  (service: Observed, router: Router) =>
  (app: FastifyInstance, onlyLocal: onRequestHookHandler): void => {
    let feed: Feed | undefined;
    app.addHook("onResponse", (_request, _reply, next) => {
      feed?.touch();
      next();
    });
    app.addHook("preClose", (next) => {
      feed?.close();
      next();
    });
    const get = (path: string, handle: (request: FastifyRequest, reply: FastifyReply) => unknown): void => {
      app.get(path, { onRequest: onlyLocal }, handle);
    };
    get("/_emulator", (_request, reply) => reply.redirect("/_emulator/"));
    get("/_emulator/", (_request, reply) => send(reply, consolePage));
    for (const name of assets) get(`/_emulator/${name}`, (_request, reply) => send(reply, () => asset(name)));
    get("/_emulator/console/stream", async (_request, reply) => {
      const { Feed } = await import("./feed.js");
      feed ??= new Feed(service, router);
      reply.hijack();
      feed.open(reply.raw);
      return reply;
    });
    get("/_emulator/console/request", async ({ url, socket }, reply) => {
      const { requestDetails } = await import("./details.js");
      return send(reply, () => json(requestDetails(service, router, Number(parameter(url, "n")), originOf(socket))));
    });
    get("/_emulator/console/object", async ({ url, socket }, reply) => {
      const { objectDetails } = await import("./details.js");
      return send(reply, () => json(objectDetails(service, router, parameter(url, "key"), originOf(socket))));
    });
  };

const parameter = (url: string, name: string): string => split(url).query.get(name) ?? "";

const json = (value: object): Outgoing => ({
  status: 200,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: JSON.stringify(value),
});

function send(reply: FastifyReply, outgoing: () => Outgoing): FastifyReply {
  let out: Outgoing;
  try {
    out = outgoing();
  } catch (error) {
    out = { headers: { "content-type": "application/json" }, ...failure(error) };
  }
  return reply.code(out.status).headers(out.headers).send(out.body);
}
