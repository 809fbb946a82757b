import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { Asset, digestOf, oneWay, open, plainAsset, transfer } from "../../../provider/resources/content";
import { newFolder } from "../../folder";
import { endless, hostile } from "../../hostile";
import { listening } from "../../listening";
import { hostless } from "../host";

const SIGNED = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17" };
const md5 = createHash("md5").update("hello").digest("hex");
const host = hostless({
  now: () => now,
  sleep: async (ms) => {
    now += ms;
  },
});

const folder = newFolder();
let now = 0;

beforeAll(async () => {
  await writeFile(join(folder, "hello.txt"), "hello");
});

test("accepts an asset in exactly one form, with Pulumi's signature or plain", () => {
  for (const asset of [{ path: "a" }, { text: "" }, { ...SIGNED, uri: "https://example.org/", hash: "0a" }])
    expect(Asset.safeParse(asset).success).toBe(true);
  for (const other of [{}, "a", null, { path: "a", text: "b" }, { ...SIGNED, hash: "0a" }, { path: "a", mode: 1 }])
    expect(Asset.safeParse(other).success).toBe(false);
  expect(plainAsset({ ...SIGNED, text: "", hash: "0a" } as { text: string })).toEqual({ text: "" });
});

test("reads content from a text, a file or a URL, with the same result", async () => {
  const file = join(folder, "hello.txt");
  await using server = await serving(() => ({ status: 200, body: "hello" }));
  const ways = [
    { content: "hello" },
    { file },
    { source: { text: "hello" } },
    { source: { path: file } },
    { source: { uri: pathToFileURL(file).href } },
    { source: { uri: server.url } },
  ];
  for (const way of ways) {
    const content = await open(host, way);
    expect([content.size, await text(content.bytes()), await text(content.bytes())]).toEqual([5, "hello", "hello"]);
    expect(await digestOf(host, way)).toMatchObject({ digest: { md5, size: 5 } });
  }
  expect(await digestOf(host, {})).toEqual({});
});

test("reports content that cannot be read as a problem of its input", async () => {
  await using server = await serving(() => ({ status: 404, body: "" }));
  const of = async (value: Parameters<typeof digestOf>[1]) =>
    (await digestOf(host, value)).problems?.map(({ path, reason }) => `${path}: ${reason}`).join();
  expect(await of({ file: join(folder, "none") })).toMatch(/^file: cannot be read: ENOENT/);
  expect(await of({ source: { path: folder } })).toMatch(/^source: cannot be read: .* is not a file$/);
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const endless of [pipe, "/dev/zero"])
    expect(await of({ file: endless })).toBe(`file: cannot be read: ${endless} is not a file`);
  expect(await of({ source: { uri: `${server.url}/?token=secret` } })).toBe(
    `source: cannot be read: ${server.url}/ returns 404`,
  );
  expect(await of({ source: { uri: "ftp://example.org/" } })).toMatch(/only file:, http: and https: can be read/);
});

test("requires exactly one content input", () => {
  const [rule] = oneWay("test");
  expect([...(rule?.check({ content: "" }) ?? [])]).toEqual([]);
  expect([...(rule?.check({}) ?? [])]).toEqual([
    { field: "content", reason: "is required unless file or source is set" },
  ]);
  expect([...(rule?.check({ content: "a", file: "b" }) ?? [])]).toEqual([
    { field: "file", reason: "must be omitted if content is set" },
  ]);
});

test("sends data again from the beginning after temporary failures, to a new URL", async () => {
  const seen: string[] = [];
  const responses = [500, 0, 429, 200];
  await using server = await serving((path, body) => {
    seen.push(`${path} ${body}`);
    return { status: responses.shift() ?? 200, body: "" };
  });
  let urls = 0;
  await transfer(host, {
    what: "photo",
    method: "PUT",
    url: async () => `${server.url}/${++urls}`,
    headers: { "content-length": "5" },
    body: () => Readable.from(["he", "llo"]),
  });
  expect(seen).toEqual(["/1 hello", "/2 hello", "/3 hello", "/4 hello"]);
});

test("an error response is reported with its reason and without the URL", async () => {
  await using server = await serving((path) => ({
    status: 403,
    body: `<Error><Code>AccessDenied</Code><Message>not ${server.url}${path}</Message></Error>`,
  }));
  const order = { what: "photo", method: "DELETE", url: async () => `${server.url}/x?signature=planted` } as const;
  await expect(transfer(host, order)).rejects.toThrow("photo: 403 AccessDenied: not [secret]");
});

test("does not retry a transfer that is accepted only once and may have been carried out", async () => {
  let tries = 0;
  await using server = await serving(() => {
    tries++;
    return { status: 0, body: "" };
  });
  const order = { what: "image", method: "PUT", url: async () => server.url, once: true } as const;
  await expect(transfer(host, order)).rejects.toThrow(/^image: /);
  expect(tries).toBe(1);
});

type Response = { status: number; body: string };

/** An HTTP server that responds with the given status, or closes the connection if the status is 0. */
function serving(reply: (path: string, body: string) => Response) {
  return listening(async (request, response) => {
    const { status, body } = reply(request.url ?? "", await text(request));
    if (status) response.writeHead(status).end(body);
    else response.destroy();
  });
}

test("reads only as much of a response as an error message needs", async () => {
  await using service = await hostile(endless("application/xml", "<Error>", "a"));
  const order = { what: "PUT of x", method: "PUT" as const, url: async () => service.url };
  expect(await transfer(host, order)).toHaveProperty("content-type", "application/xml");
  await expect.poll(service.connections).toBe(0);
});
