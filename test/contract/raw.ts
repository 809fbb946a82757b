import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Cloud } from "./cloud";

/**
 * Sends bytes in several pieces over a socket. Returns the response as soon as the server closes the connection or
 * stops sending.
 */
export async function raw({ url }: Cloud, pieces: readonly (string | Buffer)[], pause = 0): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let response = "";
  socket.on("data", (chunk) => {
    response += chunk;
  });
  const closed = new Promise<void>((done) => socket.once("close", () => done()));
  // The server may close the connection after an error response while the rest of the request is being sent, so the
  // write error is ignored.
  socket.on("error", () => undefined);
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece);
    if (pause > 0) await wait(pause);
  }
  await Promise.race([closed, wait(5000)]);
  socket.destroy();
  return response;
}
