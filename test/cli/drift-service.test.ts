import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { newFolder } from "../folder";
import { listening } from "../listening";
import { stateOfAll } from "../unit/drift/large-state";
import { start } from "./command";
import { runHere } from "./in-process";

const folder = newFolder();
const service = ["--watch", "--every", "5m"];
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

test("runs as a service: serves metrics and health, sends a signed alert, and ends on SIGTERM", async () => {
  await using emulator = await startEmulator({ pace: "instant" });
  const { api, close } = connect(emulator);
  const { id } = await api.volumes.create({ body: { region: "us-east", label: "data", size: 20 } });
  const [state, out] = [join(folder, "state.json"), join(folder, "drift.json")];
  writeFileSync(state, JSON.stringify((await stateOfAll(emulator)).state));
  await api.volumes.resize({ path: { volumeId: id }, body: { size: 40 } });
  await close();
  const received = Promise.withResolvers<{ headers: IncomingHttpHeaders; body: string }>();
  await using receiver = await listening(async (request, response) => {
    received.resolve({ headers: request.headers, body: await text(request) });
    response.writeHead(204).end();
  });
  const child = start(
    [
      "drift",
      "--watch",
      "--every",
      "10m",
      "--listen",
      "127.0.0.1:0",
      "--state",
      state,
      "--format",
      "json",
      "--out",
      out,
    ],
    {
      env: {
        CLOUDINFRA_URL: emulator.url,
        CLOUDINFRA_TOKEN: emulator.token,
        CLOUDINFRA_WEBHOOK_URL: `${receiver.url}/secret-part`,
        CLOUDINFRA_WEBHOOK_SECRET: SECRET,
      },
    },
  );
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const { headers, body } = await received.promise;
  expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toMatchObject({
    type: "drift.found",
    data: { finding: { address: `shop/dev/Volume/${id}`, path: "/size", expected: "20", actual: "40" } },
  });
  const url = /http:\/\/[\d.:]+/.exec(log)?.[0];
  const sent = 'cloudinfra_drift_alerts_sent_total{receiver="webhook"} 1\n';
  const metrics = () => fetch(`${url}/metrics`).then((response) => response.text());
  await expect.poll(metrics).toContain(sent);
  const shown = await metrics();
  expect(shown).toContain('cloudinfra_drift_drifted_objects{stack="shop/dev"} 1\n');
  expect(shown).toMatch(/cloudinfra_api_requests_total\{status="200"\} [1-9]/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([0, null]);
  expect(log).toContain(`; drift.found shop/dev/Volume/${id} /size\n`);
  expect(log).toContain("SIGTERM: ending the check in progress and sending the queued alerts\n");
  for (const secret of [emulator.token, SECRET, "secret-part"]) expect(log + shown + body).not.toContain(secret);
});

test("sends alerts and writes the other reports although one file cannot be written", async () => {
  await using emulator = await startEmulator({ pace: "instant" });
  const { api, close } = connect(emulator);
  const { id } = await api.volumes.create({ body: { region: "us-east", label: "data", size: 20 } });
  const [state, html, json] = [join(folder, "s.json"), join(folder, "none", "drift.html"), join(folder, "r.json")];
  writeFileSync(state, JSON.stringify((await stateOfAll(emulator)).state));
  await api.volumes.resize({ path: { volumeId: id }, body: { size: 40 } });
  await close();
  const received = Promise.withResolvers<string>();
  await using receiver = await listening(async (request, response) => {
    received.resolve(await text(request));
    response.writeHead(204).end();
  });
  const files = ["--format", "html", "--out", html, "--format", "json", "--out", json];
  const child = start(["drift", ...service, "--listen", "127.0.0.1:0", "--state", state, ...files], {
    env: {
      CLOUDINFRA_URL: emulator.url,
      CLOUDINFRA_TOKEN: emulator.token,
      CLOUDINFRA_SLACK_WEBHOOK_URL: receiver.url,
    },
  });
  const log = text(child.stderr);
  expect(await received.promise).toContain(`Drift:* shop/dev/Volume/${id}`);
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([0, null]);
  expect(await log).toContain(`cloudinfra: ${html} cannot be written (ENOENT)\n1 difference (`);
  expect(JSON.parse(readFileSync(json, "utf8"))).toMatchObject({ findings: [{ path: "/size" }] });
});

test.each<[string, string[], string, NodeJS.ProcessEnv?]>([
  ["an interval without --watch", ["--every", "5m"], "--every requires --watch"],
  ["a short interval", ["--watch", "--every", "1s"], "--every 1s: must be a duration from 10s to 24h, such as 5m"],
  ["an address without a port", [...service, "--listen", "host"], "--listen host: must be a host and a port from 0 to"],
  ["an address alone", ["--listen", "127.0.0.1:1"], "--listen requires --watch and --every"],
  ["a format without a file", [...service, "--format", "json"], "with --every, each format needs a file"],
  [
    "a format on the standard output",
    [...service, "--format", "json", "--out", "-"],
    "cloudinfra: --out -: with --every, each format needs a file: set --out once for each --format\n",
  ],
  [
    "a second format on the standard output",
    [...service, "--format", "html", "--out", "x.html", "--format", "json", "--out", "-"],
    "cloudinfra: --out -: with --every, each format needs a file: set --out once for each --format\n",
  ],
  [
    "a text on the standard output",
    [...service, "--out", "-"],
    "cloudinfra: --out -: with --every, each format needs a file: set --out once for each --format\n",
  ],
  ["a receiver that is not a URL", service, "CLOUDINFRA_WEBHOOK_URL must be an http or https URL", { URL: "abc" }],
  [
    "a missing key",
    service,
    "CLOUDINFRA_WEBHOOK_SECRET must be 24 to 64 bytes in Base64",
    { URL: "https://a.example" },
  ],
  [
    "a key without a receiver",
    service,
    "CLOUDINFRA_WEBHOOK_SECRET is set, but CLOUDINFRA_WEBHOOK_URL",
    { SECRET: "x" },
  ],
])("%s is a usage error", async (_, args, message, receiver = {}) => {
  const env = Object.fromEntries(
    Object.entries(receiver).map(([name, value]) => [`CLOUDINFRA_WEBHOOK_${name}`, value]),
  );
  const { code, stderr } = await runHere(["drift", ...args], { env });
  expect(stderr).toContain(message);
  expect(code).toBe(1);
});
