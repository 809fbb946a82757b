import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate, setTimeout } from "node:timers";
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from "fastify";
import { ErrorResponse } from "../core/error-response";
import type { Cut, Faults } from "../core/faults";
import type { World } from "../core/world";
import { accessLine, accessLog } from "./access-log";
import { controlProblem, hostProblem } from "./callers";
import { control } from "./control";
import type { Actions, Controlled } from "./control/action";
import { type DataPlane, serveData } from "./data-plane";
import { errorBody, failure, type Incoming, type Outgoing } from "./messages";
import { openapiText } from "./openapi";
import type { Catalogues } from "./openapi-shapes";
import type { RequestLog } from "./request-log";
import type { Router } from "./router";
import { acceptsHtml, originOf, startPage } from "./start-page";

export interface ServerOptions {
  port: number;
  host: string;
  /** Milliseconds by which every response is delayed. State still changes immediately. */
  latency: number;
  /** Time limit in milliseconds for receiving a request, and between two chunks of uploaded data. */
  requestTimeout: number;
  /** Receives a line for each request. */
  log?: ((line: string) => void) | undefined;
}

/** The parts of the server in addition to the API. */
export interface ServedParts {
  dataPlanes: readonly DataPlane[];
  actions: Actions;
  addConsole: (app: FastifyInstance, onlyLocal: onRequestHookHandler) => void;
}

/** Maximum size of a body, larger than any body of the API. Images are uploaded through the data plane. */
const BODY_LIMIT = 1024 * 1024;
/** Maximum size of the body of a request to `/_emulator/…`: a snapshot of a large account is a single body. */
const CONTROL_LIMIT = 512 * 1024 * 1024;
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Status and reason for errors of the HTTP parser. */
const clientErrors: Readonly<Record<string, readonly [string, string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request was not received in time"],
};

export async function serve(
  router: Router,
  controlled: Controlled,
  { dataPlanes, actions, addConsole }: ServedParts,
  { port, host, latency, requestTimeout, log }: ServerOptions,
) {
  const logged = log && accessLog(router, log);
  /** Sends the response when it is ready, and reports in the request log when it was sent. */
  const respond = (reply: FastifyReply, handled: () => Promise<Outgoing>): void => {
    const startedAt = performance.now();
    handled()
      .then((out) => {
        endsInLog(router.log, out, reply, startedAt);
        send(reply, out, latency, controlled.faults);
      })
      .catch((error) => reply.send(error));
  };
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    // No route has a schema, so the compilers of schemas need not be loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // Uploading an image may take an hour. The timeouts of other requests are enforced below.
    requestTimeout: 0,
    // A missing Host header is reported below, like every other error as JSON.
    http: {
      requireHostHeader: false,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(requestTimeout, 1000),
    },
    frameworkErrors(error, { raw }, reply: FastifyReply) {
      logged?.(raw, reply.raw);
      if (hasBody(raw)) reply.raw.on("close", closeUnlessReceived);
      return sendError(reply, error.statusCode ?? 400, error.message);
    },
    clientErrorHandler(error, socket) {
      if (!socket.writable) return socket.destroy();
      const [status, reason] = clientErrors[error.code ?? ""] ?? ["400 Bad Request", "The request is not valid HTTP"];
      const body = errorBody([{ reason }]);
      log?.(accessLine("-", "-", status.slice(0, 3), 0));
      // A client that keeps its end of the connection open would occupy a file descriptor.
      const close = () => socket.destroy();
      socket.end(
        `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        close,
      );
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.setErrorHandler<{ statusCode?: number; message: string }>((error, _request, reply) =>
    sendError(reply, error.statusCode ?? 500, error.message),
  );
  app.addHook("onRequest", ({ url, raw }, reply, next) => {
    logged?.(raw, reply.raw);
    if (!hasBody(raw)) return next();
    reply.raw.on("close", closeUnlessReceived);
    if (dataPlanes.some(({ prefix }) => url.startsWith(prefix))) keepsComing(raw, requestTimeout);
    else {
      const late = setTimeout(() => {
        void reply.header("connection", "close");
        void sendError(reply, 408, `The body was not received within ${requestTimeout / 1000} seconds`);
      }, requestTimeout);
      for (const over of ["end", "close"]) raw.once(over, () => clearTimeout(late));
    }
    next();
  });
  app.addHook("onRequest", ({ raw }, reply, next) => {
    const hosts = countOf(raw, "host");
    if (hosts !== 1 && (hosts > 1 || raw.httpVersion === "1.1"))
      return void sendError(reply, 400, `The header Host must be set once; it was set ${hosts} times`);
    const problem = hostProblem(raw);
    return problem ? void sendError(reply, 403, problem) : next();
  });
  app.register(async (data) => {
    data.removeAllContentTypeParsers();
    // Uploads are streamed, because an image does not fit into memory.
    data.addContentTypeParser("*", (_request, body, done) => done(null, body));
    for (const plane of dataPlanes) {
      data.all(`${plane.prefix}*`, ({ method, url, headers, raw }, reply) => {
        const request = { method, url, headers, body: raw };
        respond(reply, () => committed(controlled, method, () => serveData(controlled.world, router, plane, request)));
      });
    }
  });
  app.get<{ Querystring: { catalogues?: string } }>("/openapi.json", (request, reply) => {
    const named = request.query.catalogues === "true" ? catalogues(controlled.world) : undefined;
    send(reply, { status: 200, headers: {}, body: openapiText(`http://${request.host}`, named) }, 0);
  });
  const onlyLocal: onRequestHookHandler = ({ raw }, reply, next) => {
    const problem = controlProblem(raw);
    return problem ? void sendError(reply, 403, problem) : next();
  };
  addConsole(app, onlyLocal);
  const controlOptions = { bodyLimit: CONTROL_LIMIT, onRequest: onlyLocal };
  app.all("/_emulator/*", controlOptions, ({ method, url, headers, body }, reply) => {
    const controlRequest = { method, url, headers, body: body as Buffer | undefined };
    committed(controlled, method, () => control(controlled, actions, controlRequest))
      .then((out) => send(reply, out, 0))
      .catch((error) => reply.send(error));
  });
  // Rejects requests with an unknown method, such as TRACE, without reading the body.
  app.addHook("onRequest", ({ method, url, headers }, reply, next) => {
    if (METHODS.has(method)) return next();
    respond(reply, () => router.handle({ method, url, headers, body: undefined, address: "" }));
  });
  const handle = (request: FastifyRequest, reply: FastifyReply): void => {
    const { method, url, headers } = request;
    // On a dual-stack listener an IPv4 client appears as ::ffff:192.0.2.1.
    const address = (request.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
    const incoming: Incoming = { method, url, headers, body: request.body as Buffer | undefined, address };
    respond(reply, () => committed(controlled, method, () => router.handle(incoming)));
  };
  app.get("/", (request, reply) =>
    acceptsHtml(request.headers) ? send(reply, startPage(originOf(request.socket)), 0) : handle(request, reply),
  );
  app.all("/*", handle);
  app.setNotFoundHandler(handle);
  await app.listen({ port, host });
  const { port: bound } = app.server.address() as AddressInfo;
  return { origin: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`, close: () => app.close() };
}

function noCompiler(): never {
  throw new Error("a route has a schema, for which the server has no compiler");
}

/** Writes the request's changes to the data file before the response is sent. */
export async function committed(
  { commit, undone }: Pick<Controlled, "commit" | "undone">,
  method: string,
  handle: () => Promise<Outgoing>,
): Promise<Outgoing> {
  const isRead = method === "GET" || method === "HEAD";
  const before = undone();
  const out = await handle();
  try {
    commit({ isRead });
    // A request that failed, such as an advance of the clock that could not be written, has its own reason.
    if (!isRead && out.status < 500 && undone() !== before)
      throw new ErrorResponse(
        500,
        "The change was undone, because it was written together with another change and the write failed",
      );
    return out;
  } catch (error) {
    const { errors, ...failed } = failure(error);
    if (!out.logged) return { headers: {}, ...failed };
    Object.assign(out.logged, { status: failed.status, errors });
    return { headers: {}, logged: out.logged, ...failed };
  }
}

/** Reports to the log when the response was sent or the connection closed, which may have been before the response. */
function endsInLog(log: RequestLog, { logged }: Outgoing, { raw }: FastifyReply, startedAt: number): void {
  if (!logged) return;
  const end = (): void => log.end(logged, performance.now() - startedAt);
  if (raw.closed) end();
  else raw.on("close", end);
}

/** The ids that exist at present in lists such as `regions` and `types`. Private images are omitted. */
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

/** How many times a request has the header. */
function countOf({ rawHeaders }: IncomingMessage, header: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === header.length && name.toLowerCase() === header) count++;
  }
  return count;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length = "0", "transfer-encoding": chunked } = headers;
  return length !== "0" || chunked !== undefined;
}

/** Closes the connection if the response is sent before the whole body is received, instead of reading the rest. */
function closeUnlessReceived(this: ServerResponse): void {
  if (!this.req.complete) this.req.destroy();
}

/** Closes the connection of an upload if less than a kilobyte arrives within `requestTimeout` milliseconds. */
function keepsComing(raw: IncomingMessage, requestTimeout: number): void {
  let before = 0;
  const { socket } = raw;
  const look = setInterval(() => {
    if (socket.bytesRead - before < 1024) raw.destroy();
    before = socket.bytesRead;
  }, requestTimeout);
  before = socket.bytesRead;
  for (const over of ["end", "close"]) raw.once(over, () => clearInterval(look));
}

const sendError = (reply: FastifyReply, status: number, reason: string): void =>
  send(reply, { status, headers: {}, body: errorBody([{ reason }]) }, 0);

function send(reply: FastifyReply, out: Outgoing, latency: number, faults?: Faults): void {
  const delay = latency + (out.delay ?? 0);
  const { cut } = out;
  const now = (): void => (cut ? cutOff(reply, cut, out, faults) : sendTogether(reply, out));
  if (delay > 0) setTimeout(now, delay);
  else now();
}

function cutOff(reply: FastifyReply, cut: Cut, { status, headers, body }: Outgoing, faults?: Faults): void {
  const { raw } = reply.hijack();
  if (cut === "stall") faults?.stalls();
  else if (cut !== "mid") raw.destroy();
  else {
    raw.writeHead(status, { "content-type": JSON_TYPE, ...headers, "content-length": Buffer.byteLength(body) });
    raw.write(body.slice(0, Math.floor(body.length / 2)), () => raw.destroy());
  }
}

/**
 * Sends the response together with the others of this turn of the event loop. The first write has to wake the waiting
 * client, which takes longer than the write itself; the others find it awake.
 */
function sendTogether(reply: FastifyReply, { status, headers, body }: Outgoing): void {
  void reply
    .code(status)
    .headers({ "content-type": JSON_TYPE, ...headers })
    .serializer(asIs);
  if (ready.push({ reply, body }) === 1) setImmediate(sendReady);
}

let ready: { reply: FastifyReply; body: Outgoing["body"] }[] = [];
function sendReady(): void {
  const replies = ready;
  ready = [];
  for (const { reply, body } of replies)
    try {
      reply.send(body);
    } catch (error) {
      sendFailure(reply.raw, error);
    }
}

/** Reports that a response cannot be sent, for example because of a header that HTTP does not allow. */
function sendFailure(raw: ServerResponse, error: unknown): void {
  if (raw.headersSent) return void raw.destroy();
  const { status, body } = failure(error);
  raw.writeHead(status, { "content-type": JSON_TYPE }).end(body);
}

/**
 * The content type has no charset, as on the real service: some clients parse an error only if the type is exactly
 * this.
 */
const JSON_TYPE = "application/json";

/** Without a serializer, Fastify adds a charset to the content type. */
const asIs = (body: unknown): string => body as string;
