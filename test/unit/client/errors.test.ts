import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { connect } from "../../../provider/client";
import {
  ApiError,
  CancelledError,
  ContractError,
  LostResponseError,
  UnreachableError,
} from "../../../provider/client/errors";
import { certificate } from "../../contract/load-balancers/certificate";
import { connected, cut, cutInside, failureOf, json, rejection, type Step, serve, TOKEN, volume } from "./scripted";

const view = { path: { volumeId: 1 } };

const text =
  (status: number, type: string, body: string): Step =>
  (_request, response) => {
    response.writeHead(status, { "content-type": type }).end(body);
  };

test("an error contains the operation and every problem", async () => {
  const errors = [{ field: "label", reason: "Label must be unique" }, { reason: "No more volumes." }];
  const { url } = await serve(json(400, { errors }));
  const error = await failureOf(connected(url).api.volumes.create({ body: { label: "data" } }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ name: "ApiError", operation: "volumes.create", status: 400, reasons: errors });
  expect(error.message).toBe("volumes.create: 400 label: Label must be unique; No more volumes.");
});

test("a 401 explains where the token is configured", async () => {
  const { url } = await serve(rejection(401, "Invalid Token"));
  await expect(connected(url).api.volumes.view(view)).rejects.toThrow(
    "volumes.view: 401 Invalid Token (check cloudinfra:token or CLOUDINFRA_TOKEN)",
  );
});

test("errors name the settings of the address and the token", async () => {
  const settingNames = { url: "CLOUDINFRA_URL", token: "CLOUDINFRA_TOKEN" };
  const reading = async (url: string) => {
    const client = connect({ url, token: TOKEN, settingNames });
    return failureOf(client.api.volumes.view(view).finally(client.close));
  };
  const { url } = await serve(rejection(401, "Invalid Token"));
  expect((await reading(url)).message).toBe("volumes.view: 401 Invalid Token (check CLOUDINFRA_TOKEN)");
  expect((await reading("http://127.0.0.1:1/v4")).message).toContain(
    "cannot reach http://127.0.0.1:1/v4 (CLOUDINFRA_URL): ",
  );
  const page = await serve(text(200, "text/html", "<html></html>"));
  expect((await reading(page.url)).message).toContain("Check that CLOUDINFRA_URL is the address of the API.");
  expect(() => connect({ url: "http://127.0.0.1:1", token: TOKEN, settingNames })).toThrow(
    'CLOUDINFRA_URL must be the http or https URL of the API with its version, such as https://host/v4; it is "http://127.0.0.1:1"',
  );
  expect(() => connect({ url, token: "a b", settingNames })).toThrow(/^CLOUDINFRA_TOKEN contains a space/);
});

test("a 403 contains the missing scope, or else the grant", async () => {
  const scopes = (held: string) => ({ "x-accepted-oauth-scopes": "volumes:read_write", "x-oauth-scopes": held });
  const { url } = await serve(
    rejection(403, "Unauthorized", scopes("volumes:read_only domains:read_write")),
    rejection(403, "Unauthorized", scopes("*")),
    rejection(403, "Requires volumes:read_write", scopes("")),
  );
  const { api } = connected(url);
  await expect(api.volumes.delete(view)).rejects.toThrow(
    "volumes.delete: 403 Unauthorized (requires the scope volumes:read_write; the token has volumes:read_only domains:read_write)",
  );
  await expect(api.volumes.delete(view)).rejects.toThrow(
    "volumes.delete: 403 Unauthorized (requires the grant read_write)",
  );
  await expect(api.volumes.delete(view)).rejects.toThrow(
    "volumes.delete: 403 Requires volumes:read_write (the token has none)",
  );
});

test("an unreachable address is reported with advice", async () => {
  const error = await failureOf(connected("http://127.0.0.1:1/v4").api.volumes.create({ body: { label: "data" } }));
  expect(error).toBeInstanceOf(UnreachableError);
  expect(error.message).toMatch(/^volumes\.create: cannot reach http:\/\/127\.0\.0\.1:1\/v4: .*ECONNREFUSED/);
  expect(error.message).toContain('Start it with "npx cloudinfra emulator --port 1"');
  const standard = new UnreachableError("volumes.view", "http://127.0.0.1:4108/v4", "connect ECONNREFUSED", undefined);
  expect(standard.message).toContain(
    'Start it with "npx cloudinfra emulator" (without --data, it has a new account). ',
  );

  const far = await failureOf(connected("http://no-such-host.invalid/v4").api.volumes.view(view));
  expect(far).toBeInstanceOf(UnreachableError);
  expect(far.message).toMatch(/ENOTFOUND|EAI_AGAIN/);
  expect(far.message).not.toContain("emulator");
});

test("a certificate that is not trusted is the reason, without the advice to start the emulator", async () => {
  const { ssl_cert: cert, ssl_key: key } = await certificate("localhost");
  const server = createServer({ cert, key }, (_, response) => response.end("{}"));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const error = await failureOf(connected(`https://127.0.0.1:${port}/v4`).api.volumes.view(view));
  server.close();
  expect(error).toBeInstanceOf(UnreachableError);
  expect(error.message).toMatch(/self-signed certificate/);
  expect(error.message).not.toContain("emulator");
});

test.each<[string, Step, string]>([
  [
    "a web page",
    text(200, "text/html", "<!doctype html>\n<title>Welcome</title>"),
    "(200, text/html) is not JSON: <!doctype html> <title>Welcome</title>.",
  ],
  [
    "a web page that says 404",
    text(404, "text/html", "<h1>nginx</h1>"),
    "(404, text/html) is not JSON: <h1>nginx</h1>.",
  ],
  ["a redirect", text(302, "text/html", ""), "(302, text/html) is a redirect."],
  ["an array", json(200, [1]), "is not a JSON object."],
  [
    "broken JSON, which is not shown",
    text(200, "application/json", '{"kubeconfig": "c2VjcmV0'),
    "is not valid JSON (24 bytes).",
  ],
  ["nothing", text(200, "application/json", ""), "is empty."],
  ["a foreign error", json(404, { message: "no" }), "does not contain errors."],
])("%s violates the contract", async (_what, step, details) => {
  const { url } = await serve(step);
  const error = await failureOf(connected(url).api.volumes.view(view));
  expect(error).toBeInstanceOf(ContractError);
  expect(error.message).toContain(details);
  expect(error.message).toMatch(
    /^volumes\.view: the response .*\. Check that cloudinfra:url is the address of the API\. Run "npx cloudinfra doctor" to check the connection$/,
  );
});

test("a list without data violates the contract", async () => {
  const { url } = await serve(json(200, { items: [] }));
  await expect(connected(url).api.volumes.list()).rejects.toThrow("is not a page of a list: it has no data array");
});

test.each<[string, Step, string]>([
  ["cut off before the response", cut, "other side closed"],
  ["cut off inside the response", cutInside, "other side closed"],
  ["failed in the service", rejection(500, "Internal error"), "500 Internal error"],
  [
    "failed before the service",
    text(502, "text/html", "<h1>Bad gateway</h1>"),
    "502 is not JSON: <h1>Bad gateway</h1>",
  ],
])("a create that %s is not retried, because it may have been carried out", async (_what, step, why) => {
  const { url, seen } = await serve(step);
  const error = await failureOf(connected(url).api.volumes.create({ body: { label: "data" } }));
  expect(error).toBeInstanceOf(LostResponseError);
  expect(error.message).toBe(`volumes.create: the response was lost (${why}); the request may have been carried out`);
  expect(seen).toHaveLength(1);
});

test("a create that times out may have been carried out too", async () => {
  const { url, seen } = await serve(() => undefined);
  const error = await failureOf(
    connected(url, { retry: { attemptMs: 30 } }).api.volumes.create({ body: { label: "data" } }),
  );
  expect(error).toBeInstanceOf(LostResponseError);
  expect(error.message).toContain("no complete response within 0.03 s");
  expect(seen).toHaveLength(1);
});

test("cancelling a read is certain, and cancelling a create leaves its outcome unknown", async () => {
  let giveUp = new AbortController();
  const { url } = await serve(() => giveUp.abort());
  const { api } = connected(url);
  const error = await failureOf(api.volumes.view(view, { signal: giveUp.signal }));
  expect(error).toBeInstanceOf(CancelledError);
  expect(error).toMatchObject({ message: "volumes.view: cancelled", by: "caller" });
  giveUp = new AbortController();
  const created = api.volumes.create({ body: { label: "data" } }, { signal: giveUp.signal });
  expect(await failureOf(created)).toBeInstanceOf(LostResponseError);
});

test("a call can be cancelled with any reason, even before it is sent", async () => {
  const { url, seen } = await serve(() => volume(1));
  const { api } = connected(url);
  const error = await failureOf(api.volumes.view(view, { signal: AbortSignal.abort("tired") }));
  expect(error).toMatchObject({ name: "CancelledError", message: "volumes.view: cancelled" });
  expect(seen).toHaveLength(0);
});

test("no error shows the token or a secret of the request, in whatever form the service repeats it", async () => {
  const root_pass = 'p"ss wörd&1';
  const responses = { db: { admin: "hunter2" } };
  const echo = `got ${root_pass}, ${JSON.stringify(root_pass)}, ${encodeURIComponent(root_pass)}, hunter2, ${TOKEN}`;
  const { url } = await serve(
    json(400, { errors: [{ field: `root_pass ${root_pass}`, reason: echo }, echo, { text: echo }] }),
    text(200, "text/html", `<h1>${echo}</h1>`),
    rejection(500, echo),
    text(502, "text/plain", echo.repeat(9)),
  );
  const { api } = connected(url);
  for (let i = 0; i < 4; i++) {
    const error = await failureOf(
      api.notes.create({ path: { bookId: 1 }, body: { text: "plain", root_pass, responses } }),
    );
    expect(error.message).toContain("[secret]");
    const all = `${error.message} ${error.stack} ${inspect(error, { depth: 9 })} ${JSON.stringify(error)}`;
    for (const secret of [
      root_pass,
      JSON.stringify(root_pass).slice(1, -1),
      encodeURIComponent(root_pass),
      "hunter2",
      TOKEN,
    ]) {
      expect(all).not.toContain(secret);
    }
  }
});

test("does not redact a value that is too short", async () => {
  const { url } = await serve(rejection(400, "1 is too short"), () => volume(1));
  const { api } = connected(url);
  const body = { text: "plain", root_pass: "1" };
  await expect(api.notes.create({ path: { bookId: 1 }, body })).rejects.toThrow("notes.create: 400 1 is too short");
});
