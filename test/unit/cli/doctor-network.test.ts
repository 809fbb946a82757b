import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { networkChecks } from "../../../cli/doctor/network";
import { realTime } from "../../../provider/client/time";
import { TimeLimit } from "../../../provider/pulumi/time-limit";
import { certificate } from "../../contract/load-balancers/certificate";

beforeEach(() => {
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"])
    for (const variable of [name, name.toLowerCase()]) vi.stubEnv(variable, undefined);
});

/** Starts a server on a free port of this machine. */
async function listening(server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const encrypted = async (name: string, until?: string) => {
  const { ssl_cert: cert, ssl_key: key } = await certificate(name, until);
  return { port: await listening(createTlsServer({ cert, key })), cert };
};

/** Trusts a certificate until the test ends. */
function trust(cert: string): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, cert]);
  onTestFinished(() => setDefaultCACertificates(before));
}

async function checks(url: string, timeout = "30s") {
  using limit = new TimeLimit(timeout, () => {}, realTime);
  return networkChecks(new URL(url), limit);
}

const problemOf = async (url: string) => {
  const { result, message, fix } = (await checks(url)).at(-1) ?? {};
  expect(result).toBe("problem");
  return [message, fix];
};

test("a certificate that is not trusted", async () => {
  const { port } = await encrypted("localhost");
  expect(await problemOf(`https://localhost:${port}/v4`)).toEqual([
    `localhost:${port} cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    "If your network has its own certificate authority, name its file in NODE_EXTRA_CA_CERTS; otherwise correct the address",
  ]);
});

test("a certificate that is trusted", async () => {
  const { port, cert } = await encrypted("localhost");
  trust(cert);
  expect(await checks(`https://localhost:${port}/v4`)).toMatchObject([
    { name: "DNS", result: "ok", message: expect.stringMatching(/^localhost is .*127\.0\.0\.1/) },
    { name: "connection", result: "ok", message: expect.stringMatching(/^localhost:\d+ in \d+ ms, TLSv1\.3$/) },
  ]);
});

test("a certificate that has expired", async () => {
  const { port, cert } = await encrypted("localhost", "2022-01-01T00:00:00Z");
  trust(cert);
  expect(await problemOf(`https://localhost:${port}/v4`)).toEqual([
    `localhost:${port} cannot be reached (CERT_HAS_EXPIRED)`,
    "Check the clock of this machine; if it is correct, the server needs a new certificate",
  ]);
});

test("a certificate for another name", async () => {
  const { port, cert } = await encrypted("api.example.com");
  trust(cert);
  expect(await problemOf(`https://localhost:${port}/v4`)).toEqual([
    `localhost:${port} cannot be reached (ERR_TLS_CERT_ALTNAME_INVALID)`,
    "Correct the address: the certificate of the server is for another name",
  ]);
});

test("https for a server that expects http", async () => {
  const port = await listening(createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")));
  expect(await problemOf(`https://127.0.0.1:${port}/v4`)).toEqual([
    expect.stringMatching(/cannot be reached \((ERR_SSL_|EPROTO)/),
    "Check whether the server expects http instead of https, and the port",
  ]);
});

test("a server that closes the connection", async () => {
  const port = await listening(createServer((socket) => socket.destroy()));
  expect(await problemOf(`https://127.0.0.1:${port}/v4`)).toEqual([
    `127.0.0.1:${port} cannot be reached (ECONNRESET)`,
    "Check the address, the firewall, and whether HTTPS_PROXY must be set",
  ]);
});

test("a server that does not respond before the time limit", async () => {
  const port = await listening(createServer(() => {}));
  expect(await checks(`https://127.0.0.1:${port}/v4`, "200ms")).toEqual([
    {
      name: "connection",
      result: "problem",
      message: expect.stringMatching(`^a connection to 127.0.0.1:${port} did not end within the time limit of 200ms`),
      fix: "Check the address, the firewall, and whether HTTPS_PROXY must be set",
    },
  ]);
});

const correct = (variable: string) => `Correct ${variable}, or list the host of the API in NO_PROXY`;

test("a proxy that can be reached", async () => {
  const port = await listening(createServer());
  vi.stubEnv("https_proxy", `http://127.0.0.1:${port}`);
  expect(await checks("https://service.invalid/v4")).toEqual([
    { name: "DNS", result: "ok", message: "left to the proxy" },
    {
      name: "proxy",
      result: "ok",
      message: expect.stringMatching(`^127\\.0\\.0\\.1:${port}, from https_proxy, connected in \\d+ ms$`),
    },
  ]);
});

test("a proxy that rejects the connection, without its password", async () => {
  vi.stubEnv("HTTPS_PROXY", "http://admin:geheim@127.0.0.1:1");
  expect(await problemOf("https://service.invalid/v4")).toEqual([
    "127.0.0.1:1, from HTTPS_PROXY, cannot be reached (ECONNREFUSED)",
    correct("HTTPS_PROXY"),
  ]);
});

test("an encrypted proxy whose certificate is not trusted", async () => {
  const { port } = await encrypted("localhost");
  vi.stubEnv("HTTP_PROXY", `https://localhost:${port}`);
  expect(await problemOf("http://service.invalid/v4")).toEqual([
    `localhost:${port}, from HTTP_PROXY, cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    correct("HTTP_PROXY"),
  ]);
});

test.each(["127.0.0.1:3128", "proxy.example.com:3128", "admin:geheim@proxy", "geheim"])(
  "%s as a proxy",
  async (value) => {
    vi.stubEnv("HTTPS_PROXY", value);
    expect(await problemOf("https://service.invalid/v4")).toEqual([
      "HTTPS_PROXY is not a URL such as http://proxy.example.com:3128",
      correct("HTTPS_PROXY"),
    ]);
  },
);

test("NO_PROXY lists the host, or the address is on this machine", async () => {
  vi.stubEnv("HTTPS_PROXY", "http://127.0.0.1:1");
  vi.stubEnv("NO_PROXY", "service.invalid");
  expect((await checks("https://service.invalid/v4")).map(({ name, result }) => [name, result])).toEqual([
    ["DNS", "problem"],
    ["connection", "not checked"],
  ]);
  const port = await listening(createServer());
  expect(await checks(`http://127.0.0.1:${port}/v4`)).toMatchObject([{ name: "connection", result: "ok" }]);
});
