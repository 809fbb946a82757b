import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import fastify, { type FastifyReply } from "fastify";
import { control } from "./control";
import type { Controlled } from "./control/action";
import { errorBody, failure, type Incoming, type Outgoing } from "./http";
import { openapi } from "./openapi";
import type { Catalogues } from "./openapi-shapes";
import { type Plane, serveData } from "./plane";
import type { Router } from "./router";
import type { World } from "./world";

export interface ServerOptions {
  port: number;
  host: string;
  /** Milliseconds that each answer is held back. It delays answers only, never what happens in the service. */
  latency: number;
  /** Milliseconds that a request of the API may take to come in, and how long data may stop coming. */
  requestTimeout: number;
}

/** Far above any body of this API; images go another way. */
const BODY_LIMIT = 1024 * 1024;
/** A snapshot of a large account is one body. */
const CONTROL_LIMIT = 512 * 1024 * 1024;
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** What the parser gives up over, as status and reason. */
const clientErrors: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to come in"],
};

/** HTTP around the router. */
export async function serve(
  router: Router,
  controlled: Controlled,
  planes: readonly Plane[],
  { port, host, latency, requestTimeout }: ServerOptions,
) {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    // An image may take an hour to come; what may not is timed below.
    requestTimeout: 0,
    http: { headersTimeout: requestTimeout, connectionsCheckingInterval: Math.min(requestTimeout, 1000) },
    frameworkErrors: (error, _request, reply: FastifyReply) => refuse(reply, error.statusCode ?? 400, error.message),
    clientErrorHandler(error, socket) {
      if (!socket.writable) return socket.destroy();
      const [status, reason] = clientErrors[error.code ?? ""] ?? ["400 Bad Request", "The request is not valid HTTP"];
      const body = errorBody([{ reason }]);
      socket.end(
        `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.setErrorHandler<{ statusCode?: number; message: string }>((error, _request, reply) =>
    refuse(reply, error.statusCode ?? 500, error.message),
  );
  app.addHook("onRequest", async ({ url, raw }, reply) => {
    const { "content-length": length = "0", "transfer-encoding": chunked } = raw.headers;
    if ((length === "0" && !chunked) || planes.some(({ prefix }) => url.startsWith(prefix))) return;
    const late = setTimeout(() => {
      reply.header("connection", "close");
      refuse(reply, 408, `The body did not come within ${requestTimeout / 1000} seconds`);
    }, requestTimeout);
    for (const over of ["end", "close"]) raw.once(over, () => clearTimeout(late));
  });
  app.register(async (data) => {
    data.removeAllContentTypeParsers();
    // Data is taken as it comes: an image does not fit into memory.
    data.addContentTypeParser("*", (_request, body, done) => done(null, body));
    for (const plane of planes) {
      data.all(`${plane.prefix}*`, async ({ method, url, headers, raw }, reply) => {
        raw.setTimeout(requestTimeout, () => raw.destroy());
        const out = await serveData(controlled.world, router, plane, { method, url, headers, body: raw });
        raw.setTimeout(0);
        return send(reply, committed(controlled, out), latency);
      });
    }
  });
  app.get<{ Querystring: { catalogues?: string } }>("/openapi.json", (request, reply) => {
    const { world } = controlled;
    const document = openapi(`http://${request.host}`, request.query.catalogues === "true" ? catalogues(world) : {});
    return send(reply, { status: 200, headers: {}, body: JSON.stringify(document) }, 0);
  });
  app.all("/_emulator/*", { bodyLimit: CONTROL_LIMIT }, async ({ method, url, headers, body, socket }, reply) => {
    if (!isLoopback(socket.remoteAddress) || headers.origin)
      return refuse(reply, 403, "Only programs on this machine control the emulator");
    const asked = { method, url, headers, body: body as Buffer | undefined };
    return send(reply, committed(controlled, await control(controlled, asked)), 0);
  });
  // Other methods than the API's are answered before anything is asked of their headers or body.
  app.addHook("onRequest", async (request, reply) => {
    if (METHODS.has(request.method)) return;
    const { method, url, headers } = request;
    await send(reply, await router.handle({ method, url, headers, body: undefined, address: "" }), latency);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const { method, url, headers } = request;
    // A listener for both versions of IP shows an IPv4 caller as ::ffff:192.0.2.1.
    const address = (request.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
    const incoming: Incoming = { method, url, headers, body: request.body as Buffer | undefined, address };
    const out = await router.handle(incoming);
    return send(reply, committed(controlled, out), latency);
  });
  await app.listen({ port, host });
  const { port: bound } = app.server.address() as AddressInfo;
  return { origin: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`, close: () => app.close() };
}

/** The answer, when what it tells of is kept; whatever becomes of the answer on its way. */
function committed({ commit }: Controlled, out: Outgoing): Outgoing {
  try {
    commit();
    return out;
  } catch (error) {
    return { headers: {}, ...failure(error) };
  }
}
/** What the catalogues hold now; of images those that everybody may use. */
const catalogues = ({ regions, types, images, kernels, lkeVersions }: World): Catalogues => {
  const ids = (table: { all(): readonly { id: string }[] }) => table.all().map(({ id }) => id);
  return {
    regions: ids(regions),
    types: ids(types),
    images: images.where(({ is_public }) => is_public).map(({ id }) => id),
    kernels: ids(kernels),
    lkeVersions: ids(lkeVersions),
  };
};

const isLoopback = (address: string | undefined): boolean => /^(::1$|(::ffff:)?127\.)/.test(address ?? "");

const refuse = (reply: FastifyReply, status: number, reason: string): Promise<FastifyReply> =>
  send(reply, { status, headers: {}, body: errorBody([{ reason }]) }, 0);

async function send(
  reply: FastifyReply,
  { status, headers, body, cut, delay = 0 }: Outgoing,
  latency: number,
): Promise<FastifyReply> {
  if (latency + delay > 0) await wait(latency + delay);
  if (cut) {
    reply.hijack();
    const { raw } = reply;
    if (cut !== "mid") raw.destroy();
    else {
      raw.writeHead(status, { "content-type": JSON_TYPE, ...headers, "content-length": Buffer.byteLength(body) });
      raw.write(body.slice(0, Math.floor(body.length / 2)), () => raw.destroy());
    }
    return reply;
  }
  return reply
    .code(status)
    .headers({ "content-type": JSON_TYPE, ...headers })
    .serializer(asIs)
    .send(body);
}

/** Without a charset, as the service sends it: a public client parses errors of exactly this type only. */
const JSON_TYPE = "application/json";

/** Without a serializer, Fastify adds a charset to the content type. */
const asIs = (body: unknown): string => body as string;
