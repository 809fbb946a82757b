import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CONTENT_TYPE } from "./exposition";

export interface Listening {
  url: string;
  close(): Promise<void>;
}

export interface Watched {
  /** All metrics in the text format of Prometheus. */
  metrics(): string;
  /** Whether the last successful check is recent enough, with an explanation. */
  health(): { isHealthy: boolean; text: string };
}

/** Serves the metrics and the health of a watch. Rejects if the address cannot be listened on. */
export async function listen(watch: Watched, { host, port }: { host: string; port: number }): Promise<Listening> {
  const server = createServer(({ method, url }, response) => {
    if (method !== "GET" && method !== "HEAD")
      return respond(response, 405, "only GET is allowed\n", { allow: "GET, HEAD" });
    const path = url?.replace(/\?.*/s, "");
    if (path === "/metrics") return respond(response, 200, watch.metrics(), { "content-type": CONTENT_TYPE });
    // Responds while the process works. An outage of the API must not make a supervisor restart the process, which would
    // lose the queued alerts.
    if (path === "/livez") return respond(response, 200, "ok\n");
    if (path === "/healthz") {
      const { isHealthy, text } = watch.health();
      return respond(response, isHealthy ? 200 : 503, `${text}\n`);
    }
    return respond(response, 404, "not found: the paths are /metrics, /healthz and /livez\n");
  });
  server.listen({ host, port });
  await once(server, "listening");
  const { address, port: actual, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${actual}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers });
  response.end(body);
}
