import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect as dial } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { proxyVariable } from "../../../provider/client/dispatcher";
import { CloudInfra } from "../../../provider/client/public";
import { failureOf, pageOf, serve, TOKEN, volume } from "./scripted";

const variables = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));

beforeEach(() => {
  for (const name of variables) delete process.env[name];
});
afterEach(() => {
  for (const name of variables) {
    delete process.env[name];
    if (before[name] !== undefined) process.env[name] = before[name];
  }
});

/**
 * An HTTP proxy that forwards plain requests and CONNECT tunnels to a local server, whatever host the client requests.
 */
async function proxy(target: string) {
  const { port } = new URL(target);
  const requested: string[] = [];
  let [open, max] = [0, 0];
  const server: Server = createServer((request: IncomingMessage, response) => {
    requested.push(`${request.method} ${request.url}`);
    const { pathname, search } = new URL(request.url ?? "");
    fetch(`http://127.0.0.1:${port}${pathname}${search}`)
      .then(async (reply) =>
        response.writeHead(reply.status, { "content-type": "application/json" }).end(await reply.text()),
      )
      .catch(() => response.destroy());
  });
  server.on("connect", (request, socket) => {
    requested.push(`CONNECT ${request.url}`);
    const onward = dial(Number(port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) end.on("error", () => {});
  });
  server.on("connection", (socket) => {
    max = Math.max(max, ++open);
    socket.on("close", () => open--);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requested, max: () => max };
}

function client(url: string) {
  const cloud = new CloudInfra({ url, token: TOKEN, retry: { max: 0 } });
  onTestFinished(() => void cloud.close());
  return cloud;
}

const list = pageOf([volume(1)]);

test("uses HTTP_PROXY, with queries and paths", async () => {
  const { url } = await serve(() => list);
  const by = await proxy(url);
  process.env.HTTP_PROXY = by.url;
  const cloud = client("http://service.invalid/v4");
  expect((await cloud.volumes.list({ page_size: 50 })).data).toHaveLength(1);
  expect((await cloud.volumes.list()).data).toHaveLength(1);
  expect(by.requested).toEqual([
    "GET http://service.invalid/v4/volumes?page_size=50",
    "GET http://service.invalid/v4/volumes",
  ]);
});

test("HTTPS_PROXY opens a tunnel and does not receive the token", async () => {
  const { url, seen } = await serve(() => list);
  const by = await proxy(url);
  process.env.https_proxy = by.url;
  const error = await failureOf(client("https://service.invalid/v4").volumes.list());
  // The request fails, because the local server does not support TLS. The test only checks that the client used the
  // proxy.
  expect(error.message).toMatch(/^volumes\.list: cannot reach https:\/\/service\.invalid\/v4: /);
  expect(by.requested).toEqual(["CONNECT service.invalid:443"]);
  expect(seen).toEqual([]);
});

test.each(["service.invalid", ".invalid", "*"])("NO_PROXY=%s bypasses the proxy", async (list) => {
  const by = await proxy("http://127.0.0.1:1");
  process.env.HTTP_PROXY = by.url;
  process.env.NO_PROXY = list;
  const error = await failureOf(client("http://service.invalid/v4").volumes.list());
  expect(error.message).toMatch(/ENOTFOUND|EAI_AGAIN/);
  expect(by.requested).toEqual([]);
});

test("uses no proxy for this machine", async () => {
  const { url } = await serve(() => list);
  process.env.HTTP_PROXY = "http://127.0.0.1:1";
  expect((await client(url).volumes.list()).data).toHaveLength(1);
  expect((await client(url.replace("127.0.0.1", "localhost")).volumes.list()).data).toHaveLength(1);
});

test("opens no more connections to a proxy than to the service", async () => {
  const { url } = await serve(async () => {
    await new Promise((go) => setTimeout(go, 20));
    return list;
  });
  const by = await proxy(url);
  process.env.HTTP_PROXY = by.url;
  const cloud = client("http://service.invalid/v4");
  await Promise.all(Array.from({ length: 60 }, () => cloud.volumes.list()));
  expect(by.max()).toBeGreaterThan(4);
  expect(by.max()).toBeLessThanOrEqual(16);
});

test("reports an invalid proxy address without its password", async () => {
  process.env.HTTPS_PROXY = "admin:geheim@proxy";
  const make = () => client("https://service.invalid/v4");
  expect(make).toThrow(
    "cloudinfra:url cannot be used: HTTP_PROXY and HTTPS_PROXY must be URLs such as http://proxy.example.com:3128",
  );
});

test("names a proxy that rejects the connection as the reason", async () => {
  process.env.HTTP_PROXY = "http://admin:geheim@127.0.0.1:1";
  const error = await failureOf(client("http://service.invalid/v4").volumes.list());
  expect(error.message).toContain("ECONNREFUSED 127.0.0.1:1");
  expect(error.message).not.toContain("geheim");
});

test.each([
  ["service.invalid", ""],
  ["SERVICE.invalid", ""],
  [".service.invalid", ""],
  ["*.service.invalid", "HTTP_PROXY"],
  ["*.invalid", ""],
  ["other.invalid", "HTTP_PROXY"],
  ["ervice.invalid", "HTTP_PROXY"],
  ["other.invalid, service.invalid:80", ""],
  ["service.invalid:8080", "HTTP_PROXY"],
  ["*", ""],
  ["*:8080", "HTTP_PROXY"],
])("with NO_PROXY=%s, the reported proxy is the one that the client uses", async (list, expected) => {
  const { url } = await serve(() => pageOf([volume(1)]));
  const by = await proxy(url);
  process.env.HTTP_PROXY = by.url;
  process.env.NO_PROXY = list;
  const address = "http://service.invalid/v4";
  expect(proxyVariable(new URL(address)) ?? "").toBe(expected);
  await client(address)
    .volumes.list()
    .catch(() => {});
  expect(by.requested.length > 0).toBe(expected !== "");
});

test("an empty variable in lower case hides the one in upper case, for the client and for the report", async () => {
  const { url } = await serve(() => pageOf([volume(1)]));
  const by = await proxy(url);
  process.env.HTTP_PROXY = by.url;
  process.env.http_proxy = "";
  const address = "http://service.invalid/v4";
  expect(proxyVariable(new URL(address))).toBeUndefined();
  await client(address)
    .volumes.list()
    .catch(() => {});
  expect(by.requested).toEqual([]);
});
