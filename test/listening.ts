import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Responds without an end: one character at a time. */
export const drip: RequestListener = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 5);
  response.on("close", () => clearInterval(timer));
};

/** Starts an HTTP server on a free port of this machine. Its disposal also ends open connections. */
export async function listening(respond: RequestListener) {
  const server = createServer(respond);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
