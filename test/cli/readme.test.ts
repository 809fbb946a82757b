import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { startEmulator } from "../../emulator";
import { addToken } from "../../emulator/core/users";
import { connect } from "../../provider/client";
import { hostFor } from "../../provider/heads/connection";
import { cloud } from "../../testing/cloud";
import { engine } from "../../testing/engine";
import { killMarked } from "../../testing/processes";
import { Managed } from "../../testing/provider";
import { blocksOf } from "./markdown";
import { portLike, Terminal } from "./terminal";

const root = join(__dirname, "../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const readme = read("README.md");

const blocks = blocksOf(readme);

/** Blocks that are run by others. */
const elsewhere: Record<string, string> = {
  "make demo\nmake test\n": "the one by demo.test.ts, the other runs this test",
};

/** What was said in the course of the tests: the messages that the README explains are looked up here. */
let transcript = "";

describe("every block, from top to bottom", () => {
  let place: string;
  let port: number;
  let terminal: Terminal;
  let emulator: ChildProcess | undefined;

  beforeAll(async () => {
    place = await realpath(await mkdtemp(join(tmpdir(), "readme-")));
    port = await portLike(4108);
    // A clone, as far as the package is made of it.
    const clone = join(place, "pulumi-cloudinfra");
    for (const part of [
      "package.json",
      "dist",
      "docs",
      "examples",
      "schema.json",
      "README.md",
      "LICENSE",
      "CHANGELOG.md",
    ])
      await cp(join(root, part), join(clone, part), { recursive: true });
    terminal = new Terminal(clone, place);
  });

  afterAll(async () => {
    if (emulator?.pid) process.kill(-emulator.pid);
    await killMarked(terminal.mark);
    await rm(place, { recursive: true, force: true, maxRetries: 3 });
  });

  const onPort = (text: string): string =>
    port === 4108
      ? text
      : text.replaceAll(":4108", `:${port}`).replace("infra emulator", `infra emulator --port ${port}`);
  const succeeds = async (text: string): Promise<string> => {
    const { code, output } = await terminal.run(onPort(text));
    transcript += output;
    expect(code, output).toBe(0);
    return output;
  };
  const call = async (path: string, method = "GET", body?: object) => {
    const headers = { authorization: "Bearer emulator", "content-type": "application/json" };
    const sent = body && { body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...sent });
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as { data: { id: number }[]; results: number };
  };

  /** What is to be seen, and what the text between the blocks asks for. */
  const stories: Record<string, (text: string) => Promise<void>> = {
    async "npm install ./pulumi-cloudinfra"(text) {
      await succeeds(text);
      expect(terminal.cwd).toBe(join(place, "hello"));
      for (const { file, text } of blocks) if (file) await writeFile(join(terminal.cwd, file), text);
    },
    async "npx cloudinfra emulator"(text) {
      emulator = terminal.start(onPort(text));
      const [line] = (await once(emulator.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
      expect(String(line)).toBe(`ready http://127.0.0.1:${port}/v4 token emulator\n`);
      expect(readme).toContain("`ready http://127.0.0.1:4108/v4 token emulator`");
    },
    async "pulumi stack init"(text) {
      const output = await succeeds(text);
      expect(output).toContain("+ 4 created");
      expect(output).not.toContain("Correct-Horse-42");
    },
    async "pulumi preview --diff"(text) {
      const program = join(terminal.cwd, "index.ts");
      await writeFile(program, (await readFile(program, "utf8")).replace("size: 20", "size: 40"));
      const output = await succeeds(text);
      expect(output).toMatch(/~ size\s*: 20 => 40/);
      expect(output).toMatch(/~ 1 updated\n\s+3 unchanged/);
    },
    async "refresh --stack dev --run-program"(text) {
      const [{ run, env }] = parse(text);
      expect(Object.keys(env)).toEqual(["CLOUDINFRA_TOKEN", "PULUMI_CONFIG_PASSPHRASE"]);
      const scopes = ["computes:read_only", "volumes:read_only", "firewall:read_only"];
      await call("/_emulator/tokens", "POST", { token: "looks-only", scopes });
      const check = (token: string) => terminal.run(`export CLOUDINFRA_TOKEN=${token}\n${run}`, { keep: false });
      expect(await check("looks-only")).toMatchObject({ code: 0, output: expect.stringContaining("no drift") });

      const [volume] = (await call("/v4/volumes")).data;
      await call(`/v4/volumes/${volume?.id}/resize`, "POST", { size: 60 });
      const drift = await check("looks-only");
      expect(drift).toMatchObject({ code: 1, output: expect.stringContaining("somebody changed the account by hand") });
      expect(drift.output).toMatch(/~ size *: 40 => 60/);

      const blind = await check("unknown");
      expect(blind.output).not.toMatch(/somebody changed|no drift/);
      expect(blind.code).not.toBe(0);
      transcript += drift.output + blind.output;
    },
    async "npx ts-node stack.test.ts"(text) {
      expect(await succeeds(text)).toMatch(/pass 1\n.*fail 0/);
      for (const list of ["compute/instances", "volumes", "networking/firewalls"])
        expect(await call(`/v4/${list}`), list).toMatchObject({ results: 0 });
    },
  };

  const told = blocks.filter(({ file, text }) => !file && !(text in elsewhere));
  test.each(told)("line $line", { timeout: 300_000 }, async ({ text }) => {
    const [, story] = Object.entries(stories).find(([part]) => text.includes(part)) ?? [];
    await (story ?? succeeds)(text);
  });

  test("each block is a file, is run here, or is run elsewhere", () => {
    for (const text of Object.keys(elsewhere)) expect(blocks.map((block) => block.text)).toContain(text);
    for (const part of Object.keys(stories))
      expect(
        told.filter(({ text }) => text.includes(part)),
        part,
      ).toHaveLength(1);
    expect(told.filter(({ language }) => language !== "sh" && language !== "yaml")).toEqual([]);
  });

  test("the programs hold under stricter settings than their own", { timeout: 300_000 }, async () => {
    await succeeds("npx tsc -p . --noEmit --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noUnusedLocals");
  });
});

describe("every message that is explained is one that is said", () => {
  const said = async (work: () => unknown): Promise<void> => {
    const outcome = await (async () => work())().catch((error: Error) => error);
    expect(outcome).toBeInstanceOf(Error);
    transcript += `${(outcome as Error).message}\n`;
  };

  test("by the provider before it has called anybody", async () => {
    const silent = { warn: () => {}, progress: () => {} };
    await said(() => hostFor({}, silent));
    await said(() => hostFor({ "cloudinfra:url": "http://127.0.0.1:1/v4" }, silent));
    await said(() => connect({ url: "http://127.0.0.1:1", token: "t" }));
    await said(() => connect({ url: "http://127.0.0.1:1/v4", token: "t" }).api.volumes.list());
  });

  test("by the provider of what the service answers", async () => {
    await using account = await cloud();
    const { api, emulator, host } = account;
    await said(() => connect({ url: emulator.url, token: "unknown" }).api.volumes.list());
    addToken(emulator.world, "reader", { scopes: ["volumes:read_only"] });
    await said(() => connect({ url: emulator.url, token: "reader" }).api.volumes.create({ body: { label: "a" } }));
    emulator.faults.add({ path: "volumes.list", kind: "html", status: 404 });
    await said(() => api.volumes.list());
    emulator.faults.add({ path: "volumes.list", kind: "status", status: 429, retryAfter: 3600 });
    await said(() => api.volumes.list());

    const volume = new Managed("Volume", host, "data");
    await said(() => volume.up({ region: "us-east", size: 1 }));
    await volume.up({ region: "us-east", label: "data" });
    await said(() => new Managed("Volume", host, "twin").up({ region: "us-east", label: "data" }));
    for (const kind of ["job-fail", "job-stall"] as const) {
      emulator.faults.add({ path: "volumes.create", kind });
      await said(() => new Managed("Volume", host, kind).up({ region: "us-east" }));
    }
    emulator.faults.clear();
    emulator.settle();
    await api.volumes.delete({ path: { volumeId: Number(volume.id) } });
    emulator.settle();
    await volume.preview({ region: "us-east", label: "data", size: 30 });
    transcript += `${account.said.join("\n")}\n`;

    const server = { region: "us-east", image: "compute/debian11", rootPass: "Correct-Horse-42", allowReboot: false };
    const instance = new Managed("Instance", host, "web");
    await instance.up({ ...server, type: "g6-nanode-1" });
    await said(() => instance.up({ ...server, type: "g6-standard-1" }));
  });

  test("by Pulumi", { timeout: 300_000 }, async () => {
    await using emulator = await startEmulator({ pace: "instant" });
    const program = `const { Volume } = require("pulumi-cloudinfra");
      const first = new Volume("first", { region: "us-east" });
      new Volume("second", { region: "us-east", label: "second" }, { dependsOn: first });`;
    const config = { "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token } };
    await using stack = await engine({ program: { "index.js": program }, config });
    const fails = async (...args: string[]) => {
      const { code, stdout, stderr } = await stack.run(args, { mayFail: true });
      expect(code).not.toBe(0);
      transcript += stdout + stderr;
    };

    emulator.faults.add({ path: "volumes.create", nth: 2, kind: "delay", delay: 60_000 });
    const up = stack.start(["up", "--yes", "--skip-preview"]);
    await vi.waitUntil(() => emulator.requests.counts()["volumes.create"] === 2, { timeout: 30_000 });
    // Its end is not waited for: its plugins live on and hold its output open.
    up.kill("SIGKILL");
    await fails("up", "--yes", "--skip-preview");
    await stack.run(["cancel", "--yes"]);
    await fails("up", "--yes", "--skip-preview"); // what the killed one made is there, and has the label
    await stack.refresh(["--clear-pending-creates"]);
    expect((await stack.export()).deployment.pending_operations ?? []).toEqual([]);

    await fails("import", "pulumi-nodejs:dynamic/cloudinfra:Volume", "old", "1", "--yes");
    await rm(join(stack.dir, "node_modules/pulumi-cloudinfra"));
    await fails("refresh", "--preview-only");
  });

  /** Where the others are written. */
  const sources = ["provider", "sdk", "cli", "tools/setup"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), "utf8")] : [],
    ),
  );
  const [, troubles = ""] = readme.split("\n## When something goes wrong\n");
  const rows = troubles.split("\n## ")[0]?.match(/^\| `.*/gm) ?? [];
  const messages = rows.flatMap((row) => row.split(" | ")[0]?.match(/(?<=`)[^`]{5,}(?=`)/g) ?? []);

  test.each(messages)("%s", (message) => {
    const parts = message.replaceAll("4108", "…").split(/ ?… ?/);
    const pattern = new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*"));
    expect([transcript, ...sources].some((text) => pattern.test(text))).toBe(true);
  });
});
