import type { IncomingMessage, ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import type { ReceivedResponse, SentRequest } from "../../../provider/client/options";
import { hostWithLimit } from "../../../provider/engine/time-limits";
import { digestOf, open, transfer } from "../../../provider/resources/content";
import { downloaded } from "../../../provider/resources/content/download";
import { listening } from "../../listening";
import { hostless } from "../host";

type Response = (request: IncomingMessage, response: ServerResponse) => unknown;

/** An HTTP server that handles requests with the given function. `seen` lists the received requests. */
async function serving(reply: Response) {
  const seen: { path: string; authorization: string | undefined }[] = [];
  const server = await listening((request, response) => {
    seen.push({ path: request.url ?? "", authorization: request.headers.authorization });
    reply(request, response);
  });
  return { ...server, seen };
}

const problem = async (host: Parameters<typeof digestOf>[0], uri: string): Promise<string | undefined> =>
  (await digestOf(host, { source: { uri } })).problems?.[0]?.reason;

test("downloads a URL once per process, even if it is read several times concurrently", async () => {
  let version = 0;
  await using server = await serving((_, response) => response.end(`version ${++version}`));
  const host = hostless();
  const source = { uri: `${server.url}/a` };
  const [one, two] = await Promise.all([digestOf(host, { source }), digestOf(host, { source })]);
  expect(two).toEqual(one);
  const { size } = await open(host, { source });
  expect(size).toBe("version 1".length);
  expect(server.seen).toHaveLength(1);
  expect(await digestOf(hostless(), { source })).not.toEqual(one);
  expect(server.seen).toHaveLength(2);
});

test("repeats a failed download", async () => {
  let tries = 0;
  await using server = await serving((_, response) => response.writeHead(++tries === 1 ? 503 : 200).end("hello"));
  const host = hostless();
  expect(await problem(host, `${server.url}/a`)).toBe(`cannot be read: ${server.url}/a returns 503`);
  expect(await problem(host, `${server.url}/a`)).toBeUndefined();
});

test("follows redirects, without sending the stack's token", async () => {
  await using other = await serving((_, response) => response.end("hello"));
  await using server = await serving(({ url }, response) =>
    response.writeHead(302, { location: url === "/a" ? "/b" : `${other.url}/c` }).end("moved"),
  );
  expect(await digestOf(hostless(), { source: { uri: `${server.url}/a` } })).toMatchObject({ digest: { size: 5 } });
  expect([...server.seen, ...other.seen]).toEqual([
    { path: "/a", authorization: undefined },
    { path: "/b", authorization: undefined },
    { path: "/c", authorization: undefined },
  ]);
});

test.each([
  ["more than five", "/", /^cannot be read: .* redirects more than 5 times$/, 6],
  [
    "to what is not on the web",
    "file:///etc/passwd",
    /^cannot be read: .* redirects to an address that is not http or https$/,
    1,
  ],
  ["to nowhere", "http://", /redirects to an address that is not http or https$/, 1],
])("does not follow redirects: %s", async (_what, location, message, requests) => {
  await using server = await serving((_, response) => response.writeHead(301, { location }).end());
  expect(await problem(hostless(), `${server.url}/a`)).toMatch(message);
  expect(server.seen).toHaveLength(requests);
});

test("ends a download at the operation's deadline, even if data arrives slowly", async () => {
  await using server = await serving(({ url }, response) => {
    if (url === "/stalls") return;
    const drip = setInterval(() => response.write("x"), 5);
    response.on("close", () => clearInterval(drip));
  });
  for (const path of ["/stalls", "/drips"]) {
    const startedAt = Date.now();
    const reading = digestOf(hostWithLimit(hostless(), 200), { source: { uri: `${server.url}${path}` } });
    await expect(reading).rejects.toMatchObject({ timedOut: true, message: `downloading ${server.url}${path}` });
    expect(Date.now() - startedAt).toBeLessThan(2000);
  }
});

test("after another operation's download has timed out, downloads again within the own deadline", async () => {
  let tries = 0;
  await using server = await serving((_, response) => ++tries > 1 && response.end("hello"));
  const host = hostless();
  const source = { uri: `${server.url}/a` };
  const hasty = digestOf(hostWithLimit(host, 100), { source }).catch((error) => error.timedOut);
  const defaults = digestOf(hostWithLimit(host, 5000), { source });
  expect(await hasty).toBe(true);
  expect(await defaults).toMatchObject({ digest: { size: 5 } });
});

test.each([
  ["while data arrives", { write: (_chunk: unknown, _: unknown, done: (error: Error) => void) => done(full()) }],
  [
    "after the last byte has arrived",
    { write: (_chunk: unknown, _: unknown, done: (error: Error) => void) => void setTimeout(() => done(full()), 50) },
  ],
  ["when the file is closed", { final: (done: (error: Error) => void) => done(full()), write: written }],
])("fails if the data cannot be written: %s", async (_, writes) => {
  await using server = await serving((_, response) => response.end("hello"));
  const destination = new Writable(writes);
  const download = hostless().data({ what: "GET of a file", method: "GET", url: new URL(server.url), destination });
  await expect(download).rejects.toMatchObject({
    kind: "storage",
    message: "cannot be saved: ENOSPC: no space left on device, write",
  });
});

const full = (): Error => new Error("ENOSPC: no space left on device, write");
function written(_chunk: unknown, _encoding: unknown, done: () => void): void {
  done();
}

test("ends a response that exceeds the maximum size", async () => {
  await using server = await serving((_, response) => {
    const more = () => void (response.write(Buffer.alloc(1 << 16)) ? setImmediate(more) : response.once("drain", more));
    more();
  });
  const max = 1e6;
  await expect(downloaded(hostless(), new URL(`${server.url}/a`), max)).rejects.toThrow(
    `${server.url}/a has more than ${max} bytes`,
  );
});

test("downloads and uploads are logged and passed to hooks like calls, without secrets and data", async () => {
  await using server = await serving((request, response) => {
    request.resume();
    request.on("end", () => response.end("planted"));
  });
  const sent: SentRequest[] = [];
  const received: ReceivedResponse[] = [];
  const host = hostless({}, { request: (one) => void sent.push(one), response: (one) => void received.push(one) });
  await digestOf(host, { source: { uri: `${server.url}/a?signature=planted` } });
  const url = async () => `${server.url}/uploads/planted`;
  await transfer(host, { what: "PUT of image", method: "PUT", url });
  expect(sent).toMatchObject([
    { operation: `GET ${server.url}/a`, method: "GET", url: `${server.url}/a[secret]`, attempt: 1 },
    { operation: "PUT of image", method: "PUT", attempt: 1 },
  ]);
  expect(sent[0]?.headers).toMatchObject({ "user-agent": expect.stringMatching(/^pulumi-cloudinfra\//) });
  expect(received).toMatchObject([
    { status: 200, body: "7 bytes" },
    { status: 200, body: "7 bytes" },
  ]);
  expect(JSON.stringify([sent, received])).not.toContain("planted");
});
