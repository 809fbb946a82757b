import type { Readable } from "node:stream";
import { notFound } from "../core/error-response";
import { cuts, type Faults } from "../core/faults";
import type { World } from "../core/world";
import type { DataPrefix } from "./data-prefixes";
import { html, rejectByFault } from "./fault-responses";
import { failure, type Incoming, type Outgoing, split } from "./messages";
import type { RequestLog } from "./request-log";

/** A request to an upload or download URL that an API operation returned. */
export interface DataRequest {
  method: string;
  /** The part of the URL's path after the handler's `prefix`, still percent-encoded. */
  rest: string;
  query: URLSearchParams;
  headers: Incoming["headers"];
  /** The body as a stream; the handler limits its size. */
  body: Readable;
}

export interface DataResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** Uploads and downloads outside the API. The URL itself authorizes a request, so no token is needed. */
export interface DataPlane {
  /** Beginning of the paths of all URLs that the handler serves. */
  prefix: DataPrefix;
  handle: (world: World, request: DataRequest) => DataResponse | Promise<DataResponse>;
}

/**
 * Handles an upload or download. The emulated clock, injected faults and the request log apply to it as they do to API
 * requests.
 */
export async function serveData(
  world: World,
  { log, faults }: { log: RequestLog; faults: Faults },
  plane: DataPlane,
  { method, url, headers, body }: Omit<Incoming, "body" | "address"> & { body: Readable },
): Promise<Outgoing> {
  world.clock.tick();
  const { path, query } = split(url);
  const logged = log.begin({ method, path, query, headers }, undefined);
  const fault = faults.hit({ method, path, operation: undefined });
  logged.fault = fault?.kind ?? null;
  const delay = fault?.kind === "delay" ? fault.delay : 0;
  const { when, cut } = (fault && cuts[fault.kind]) ?? {};
  if (when === "before") return { status: 0, headers: {}, body: "", logged, ...(cut && { cut }) };
  const out: Outgoing["headers"] = {};
  let response: Required<DataResponse>;
  try {
    world.schedule.runDue();
    rejectByFault(fault, out);
    if (!path.startsWith(plane.prefix)) throw notFound();
    world.events.actor = null;
    const rest = path.slice(plane.prefix.length);
    response = { headers: {}, body: "", ...(await plane.handle(world, { method, rest, query, headers, body })) };
    if (world.clock.pace === "instant") world.schedule.settle();
  } catch (error) {
    const { errors, ...failed } = failure(error);
    response = { headers: out, ...failed };
    logged.errors = errors;
  }
  if (fault?.kind === "html") Object.assign(response, html(fault, out));
  logged.status = response.status;
  return { ...response, delay, logged, ...(cut && { cut }) };
}
