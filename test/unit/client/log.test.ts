import { expect, test } from "vitest";
import { connected, cut, failureOf, rejection, serve, TOKEN, volume } from "./scripted";

function recorder() {
  const lines: string[] = [];
  const to = (level: string) => (message: string) => lines.push(`${level} ${message}`);
  return { lines, log: { debug: to("debug"), info: to("info"), warn: to("warn") } };
}

test("logs one line per call", async () => {
  const { url } = await serve(() => volume(1), rejection(400, "No."));
  const { lines, log } = recorder();
  const { api } = connected(url, { log: { info: log.info } });
  await api.volumes.view({ path: { volumeId: 1 } });
  await failureOf(api.volumes.create({ body: { label: "data" } }));
  expect(lines).toEqual(["info volumes.view 200 0 ms", "info volumes.create 400 0 ms"]);
});

test("logs retries and delays, and the time of a call includes them", async () => {
  const { url } = await serve(rejection(429, "Slow down", { "retry-after": 3 }), cut, () => volume(1));
  const { lines, log } = recorder();
  await connected(url, { log: { info: log.info, warn: log.warn } }).api.volumes.view({ path: { volumeId: 1 } });
  expect(lines).toEqual([
    "warn volumes.view: 429 too many requests; retrying in 3 s",
    "warn volumes.view: other side closed; retrying in 0.5 s",
    "info volumes.view 200 3500 ms",
  ]);
});

test("logs a line for a call without a response", async () => {
  const { url } = await serve(cut);
  const { lines, log } = recorder();
  await failureOf(connected(url, { log: { info: log.info } }).api.volumes.create({ body: { label: "data" } }));
  expect(lines).toEqual(["info volumes.create failed (other side closed) 0 ms"]);
});

test("bodies are shown at debug level, without secrets (linode/terraform-provider-linode#2269)", async () => {
  const root_pass = "hunter-2-hunter";
  const { url } = await serve(
    () => ({ id: 1, text: "shown", admin_password: "in-the-answer", nested: [{ token: "deep-token" }] }),
    rejection(400, `root_pass: ${root_pass} is weak`),
    () => ({ kubeconfig: "a3ViZWNvbmZpZw==" }),
  );
  const { lines, log } = recorder();
  const { api } = connected(url, { log });
  const body = { text: "shown", root_pass, extra: { anything: "goes-here" } };
  await api.notes.create({ path: { bookId: 1 }, body });
  await failureOf(api.notes.create({ path: { bookId: 1 }, body }));
  await api.secrets.view({ path: { name: "x" } });
  const text = lines.join("\n");
  expect(text).toContain('debug notes.create > {"text":"shown","root_pass":"[secret]","extra":"[secret]"}');
  expect(text).toContain(
    'debug notes.create < {"id":1,"text":"shown","admin_password":"[secret]","nested":[{"token":"[secret]"}]}',
  );
  for (const secret of [root_pass, "goes-here", "in-the-answer", "deep-token", "a3ViZWNv", TOKEN]) {
    expect(text).not.toContain(secret);
  }
});
