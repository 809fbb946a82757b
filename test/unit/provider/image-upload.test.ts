import { truncateSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { sendImage } from "../../../provider/resources/image-upload";
import { file } from "../../lifecycle/kinds/files";
import { listening } from "../../listening";
import { hostless } from "../host";

test("reads a file only as fast as the service receives it", async () => {
  const path = file("stalled.img.gz", new Uint8Array([0x1f, 0x8b]));
  truncateSync(path, 100e6);
  const messages: string[] = [];
  let received = 0;
  let whileStalled = -1;
  await using server = await listening(async (request, response) => {
    await stalled(request);
    whileStalled = messages.length;
    for await (const chunk of request) received += (chunk as Buffer).length;
    response.end("{}");
  });
  const host = hostless({ now: () => 0 }, {}, { progress: (message) => void messages.push(message) });
  await sendImage(host, { name: "image", to: `${server.url}/`, file: path });
  // A progress message is printed for each tenth of the file. While the server does not read, at most one is printed,
  // because the client can only fill the network buffers.
  expect(whileStalled).toBeLessThanOrEqual(1);
  expect(messages).toHaveLength(9);
  expect(received).toBe(100e6);
});

/**
 * Waits until no more bytes arrive from the client, because the server does not read the request and all buffers are
 * full.
 */
async function stalled({ socket }: IncomingMessage): Promise<void> {
  for (let quiet = 0, before = -1; quiet < 200; quiet = socket.bytesRead === before ? quiet + 1 : 0) {
    before = socket.bytesRead;
    await turn();
  }
}
