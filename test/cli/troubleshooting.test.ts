import { readdirSync, readFileSync } from "node:fs";
import { appendFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startEmulator } from "../../emulator";
import { addToken } from "../../emulator/core/users";
import { connect } from "../../provider/client";
import { AllMissingError } from "../../provider/engine/errors";
import { rejectInvalidToken } from "../../provider/pulumi/account";
import { hostFor } from "../../provider/pulumi/connection";
import { cloud } from "../../testing/cloud";
import { engine } from "../../testing/engine";
import { Managed } from "../../testing/provider";
import { otherAccount } from "../lifecycle/accounts";
import { forEveryChange, nightly } from "../nightly";

const root = join(__dirname, "../..");

/**
 * Error messages that the tests below cause. Each message in docs/troubleshooting.md must occur here or in the source
 * code.
 */
let transcript = "";

const fails = async (work: () => unknown): Promise<void> => {
  const outcome = await (async () => work())().catch((error: Error) => error);
  expect(outcome).toBeInstanceOf(Error);
  transcript += `${(outcome as Error).message}\n`;
};

test("fails without a valid URL or token", async () => {
  const silent = { warn: () => {}, progress: () => {} };
  await fails(() => hostFor({}, silent));
  await fails(() => hostFor({ "cloudinfra:tokne": "t" }, silent));
  await fails(() => hostFor({ "cloudinfra:url": "http://127.0.0.1:1/v4" }, silent));
  vi.stubEnv("CLOUDINFRA_URL", "http://127.0.0.1:2/v4");
  const warn = (message: string) => {
    transcript += `${message}\n`;
  };
  hostFor({ "cloudinfra:url": "http://127.0.0.1:1/v4", "cloudinfra:token": "t" }, { ...silent, warn }, false);
  vi.unstubAllEnvs();
  await fails(() => connect({ url: "http://127.0.0.1:1", token: "t" }));
  await fails(() => connect({ url: "http://127.0.0.1:1/v4", token: "t" }).api.volumes.list());
});

test("reports errors and statuses of the service", async () => {
  await using account = await cloud();
  const { api, emulator, host } = account;
  await fails(() => connect({ url: emulator.url, token: "unknown" }).api.volumes.list());
  const wrongToken = { "cloudinfra:url": emulator.url, "cloudinfra:token": "unknown" };
  await fails(() => rejectInvalidToken(hostFor(wrongToken, { warn: () => {}, progress: () => {} })));
  addToken(emulator.world, "reader", { scopes: ["volumes:read_only"] });
  await fails(() => connect({ url: emulator.url, token: "reader" }).api.volumes.create({ body: { label: "a" } }));
  emulator.faults.add({ path: "volumes.list", kind: "html", status: 404 });
  await fails(() => api.volumes.list());
  emulator.faults.add({ path: "volumes.list", kind: "status", status: 429, retryAfter: 3600 });
  await fails(() => api.volumes.list());

  const volume = new Managed("Volume", host, "data");
  await fails(() => volume.up({ region: "us-east", size: 1 }));
  await fails(() => volume.up({ region: "us-eest" }));
  await volume.up({ region: "us-east", label: "data" });
  await fails(() => new Managed("Volume", host, "second").up({ region: "us-east", label: "data" }));
  for (const kind of ["job-fail", "job-stall"] as const) {
    emulator.faults.add({ path: "volumes.create", kind });
    await fails(() => new Managed("Volume", host, kind).up({ region: "us-east" }));
  }
  emulator.faults.clear();
  emulator.settle();
  await api.volumes.delete({ path: { volumeId: Number(volume.id) } });
  emulator.settle();
  await volume.preview({ region: "us-east", label: "data", size: 30 });
  transcript += `${account.warnings.join("\n")}\n`;

  await using other = await otherAccount(account, "other address");
  const moved = new Managed("Volume", host, "moved");
  await moved.up({ region: "us-east", label: "moved" });
  moved.reconnect(other.reconnect());
  await fails(() => moved.destroy());
  addToken(other.world, "emulator", { scopes: ["volumes:read_write"] });
  moved.reconnect(other.reconnect());
  await fails(() => moved.destroy());
  await fails(async () => {
    throw new AllMissingError("the 4 objects that this refresh has looked for", await host.account(), "…");
  });

  const server = { region: "us-east", image: "compute/debian11", rootPass: "Correct-Horse-42", allowReboot: false };
  const instance = new Managed("Instance", host, "web");
  await instance.up({ ...server, type: "g6-nanode-1" });
  await fails(() => instance.up({ ...server, type: "g6-standard-1" }));
});

/**
 * Messages of Pulumi and Node.js. A change of this repository cannot change them, only a new version of theirs can, so
 * it is enough to cause them in `make nightly`.
 */
const ofPulumi = [
  "violates plan: properties changed: ++label",
  "code must be a string, not undefined",
  "could not find latest version for provider cloudinfra",
  "no folder at path",
  "Cannot find module 'pulumi-cloudinfra/provider'",
  "the stack is currently locked by 1 lock(s)",
  "pending operations from previous deployment",
  "no changes were expected for refresh but changes were proposed",
];

nightly("Pulumi fails after a killed update, after drift, in an import and without the package", async () => {
  await using emulator = await startEmulator({ pace: "instant" });
  const program = `const { Volume } = require("pulumi-cloudinfra");
    const first = new Volume("first", { region: "us-east" });
    new Volume("second", { region: "us-east", label: "second" }, { dependsOn: first });`;
  const config = { "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token } };
  await using stack = await engine({ program: { "index.js": program }, config });
  const failed = async (...args: string[]) => {
    const { code, stdout, stderr } = await stack.run(args, { mayFail: true });
    expect(code).not.toBe(0);
    transcript += stdout + stderr;
  };

  await stack.preview(["--save-plan", "plan.json"]);
  await failed("up", "--yes", "--plan", "plan.json");
  emulator.faults.add({ path: "volumes.create", nth: 2, kind: "delay", delay: 60_000 });
  const up = stack.start(["up", "--yes"]);
  await vi.waitUntil(() => emulator.requests.counts()["volumes.create"] === 2, { timeout: 30_000 });
  // The plugins of the killed engine still run and keep its output open, so the end of the output is not awaited.
  up.kill("SIGKILL");
  await failed("up", "--yes");
  await stack.run(["cancel", "--yes"]);
  await failed("up", "--yes"); // the killed update has created the volume, so its label is taken
  await stack.refresh(["--clear-pending-creates"]);
  expect((await stack.export()).deployment.pending_operations ?? []).toEqual([]);

  const { api, close } = connect({ url: emulator.url, token: emulator.token });
  for await (const { id } of api.volumes.list.all()) await api.volumes.delete({ path: { volumeId: id } });
  await close();
  await failed("refresh", "--preview-only", "--expect-no-changes");

  await failed("import", "pulumi-nodejs:dynamic/cloudinfra:Volume", "old", "1", "--yes");
  await failed("import", "cloudinfra:index:Volume", "old", "1", "--yes"); // Pulumi.yaml does not name the plugin
  await rm(join(stack.dir, "node_modules/pulumi-cloudinfra"));
  await failed("refresh", "--preview-only");
  const plugin = "plugins: { providers: [{ name: cloudinfra, path: ./node_modules/pulumi-cloudinfra }] }";
  await appendFile(join(stack.dir, "Pulumi.yaml"), `\n${plugin}\n`);
  await failed("preview");
});

/** The source code, which must contain a documented message if no test above causes it. */
const sources = ["provider", "stack", "account", "drift", "sdk", "cli", "emulator", "tools/setup"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), "utf8")] : [],
  ),
);
const headings = readFileSync(join(root, "docs/troubleshooting.md"), "utf8").match(/^### `.*/gm) ?? [];
const messages = headings.flatMap((heading) => heading.match(/(?<=`)[^`]{5,}(?=`)/g) ?? []);

test("the page has a heading for each of more than 35 messages", () => {
  expect(messages.length).toBeGreaterThan(35);
  expect(new Set(messages).size).toBe(messages.length);
});

test("each message of Pulumi is on the page", () => {
  expect(messages).toEqual(expect.arrayContaining(ofPulumi));
});

test.each(forEveryChange(messages, (message) => !ofPulumi.includes(message)))(
  "the message %s of docs/troubleshooting.md exists",
  (message) => {
    const parts = message.replaceAll("4108", "…").split(/ ?… ?/);
    const pattern = new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*"));
    expect([transcript, ...sources].some((text) => pattern.test(text))).toBe(true);
  },
);
