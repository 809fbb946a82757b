import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addToken, digest } from "../../emulator/core/users";
import type { Run } from "../../testing/engine";
import { nightly } from "../nightly";
import { messages, mutations, type Sandbox, sandbox } from "./sandbox";

/** The environment of the commands. The stack's configuration contains neither URL nor token. */
const env: Record<string, string> = {};
const website = createServer((_, response) =>
  response.setHeader("content-type", "text/html").end("<html><body><h1>Welcome</h1></body></html>"),
);
let box: Sandbox;

beforeAll(async () => {
  box = await sandbox(`new cloudinfra.Volume("data", { label: "data", region: "us-east" });`, {
    config: { "cloudinfra:url": undefined, "cloudinfra:token": undefined },
    env,
  });
  addToken(box.emulator.world, "reader", { scopes: ["volumes:read_only", "computes:read_only"] });
  await new Promise<void>((resolve) => website.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  website.close();
  await box[Symbol.asyncDispose]();
});

const settings = (url = box.emulator.url, token = box.emulator.token) => ({
  CLOUDINFRA_URL: url,
  CLOUDINFRA_TOKEN: token,
});

/** Runs a command that must fail, and returns the lines with the reason. */
async function rejected(command: "preview" | "up"): Promise<string[]> {
  const run = await box.stack[command]([], { mayFail: true });
  expect(run.code).not.toBe(0);
  expectNoTrace(run);
  return messages(run);
}

/** Expects that a message contains no stack trace, because users cannot use it. */
const expectNoTrace = ({ stdout, stderr }: Run) => expect(stdout + stderr).not.toMatch(/^\s+at .*\bdist\//m);

test.each<[what: string, settings: () => Record<string, string>, command: "preview" | "up", message: string]>([
  [
    "a missing URL",
    () => ({}),
    "preview",
    'cloudinfra:url is not set and the service has no default address: run "pulumi config set cloudinfra:url URL" or set CLOUDINFRA_URL. To try it without an account, run "npx cloudinfra emulator" and use the address that it prints.',
  ],
  [
    "a missing token",
    () => ({ CLOUDINFRA_URL: box.emulator.url }),
    "preview",
    'cloudinfra:token is not set: run "pulumi config set --secret cloudinfra:token", which asks for it, or set CLOUDINFRA_TOKEN. The emulator accepts "emulator".',
  ],
  [
    "an address without the version",
    () => settings("http://127.0.0.1:4108"),
    "preview",
    'CLOUDINFRA_URL must be the http or https URL of the API with its version, such as https://host/v4; it is "http://127.0.0.1:4108"',
  ],
  [
    "an invalid token",
    () => settings(undefined, "wrong"),
    "preview",
    'CLOUDINFRA_TOKEN is not valid: account.view: 401 Invalid Token. Set a valid one; the emulator accepts "emulator"',
  ],
  [
    "a read-only token",
    () => settings(undefined, "reader"),
    "up",
    "volumes.create: 403 Your OAuth token is not authorized to use this endpoint: it needs volumes:read_write (the token has volumes:read_only computes:read_only)",
  ],
  [
    "a service that cannot be reached",
    () => settings("http://127.0.0.1:1/v4"),
    "preview",
    'regions.list: cannot reach http://127.0.0.1:1/v4 (CLOUDINFRA_URL): connect ECONNREFUSED 127.0.0.1:1; is the emulator running? Start it with "npx cloudinfra emulator --port 1" (without --data, it has a new account). Run "npx cloudinfra doctor" to find the cause',
  ],
  [
    "a URL of a website",
    () => settings(`http://127.0.0.1:${(website.address() as AddressInfo).port}/v4`),
    "preview",
    'regions.list: the response (200, text/html) is not JSON: <html><body><h1>Welcome</h1></body></html>. Check that CLOUDINFRA_URL is the address of the API. Run "npx cloudinfra doctor" to check the connection',
  ],
])("explains %s", async (_, settings, command, message) => {
  Object.assign(env, settings());
  expect(await rejected(command)).toEqual([`error: ${message}`]);
});

nightly("explains a lasting failure of the service", async () => {
  Object.assign(env, settings());
  const { faults } = box.emulator;
  faults.add({ path: "regions.list", kind: "status", status: 500, times: 100 });
  expect(await rejected("preview")).toEqual(["error: regions.list: 500 Injected by a fault: 500"]);
  faults.clear();
  faults.add({ path: "volumes.create", kind: "status", status: 500, times: 100 });
  expect(await rejected("up")).toEqual([
    "error: volumes.create: the response was lost (500 Injected by a fault: 500); the request may have been carried out",
  ]);
  faults.clear();
  expect(box.holds().volumes).toBe(undefined);
});

test("rate limits and truncated responses of reads cause no message", async () => {
  Object.assign(env, settings());
  const { emulator, stack } = box;
  const { faults } = emulator;
  faults.add({ path: "regions.list", kind: "cut-mid" });
  faults.add({ path: "volumes.create", kind: "status", status: 429, retryAfter: 3 });
  faults.add({ path: "volumes.view", kind: "cut-mid" });
  emulator.requests.clear();
  const up = await stack.up();
  expect(messages(up)).toEqual([]);
  expect(mutations(emulator)).toEqual(["volumes.create", "volumes.create"]);
  expect(faults.list().map(({ hits }) => hits)).toEqual([1, 1, 1]);
  expect(secondsOf(up, "data")).toBeGreaterThanOrEqual(3);
});

test("a destroy uses the token in the environment", async () => {
  const { world } = box.emulator;
  addToken(world, "next");
  world.tokens.remove(digest(box.emulator.token));
  Object.assign(env, settings(undefined, "next"));
  expect((await box.stack.destroy()).changes).toEqual({ delete: 2 });
  expect(box.holds()).toEqual({ tokens: 1 });
});

/** The seconds for which Pulumi has waited for a resource. */
function secondsOf({ events }: Run, name: string): number {
  const times = events
    .filter((event) => JSON.stringify(event).includes(`::${name}"`))
    .map(({ timestamp }) => Number(timestamp));
  return Math.max(...times) - Math.min(...times);
}
