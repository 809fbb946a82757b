import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { type EngineStack, engine } from "../../testing/engine";
import { newFolder } from "../folder";
import { run, start } from "./command";
import { runHere } from "./in-process";

const program = `
const cloudinfra = require("pulumi-cloudinfra");
new cloudinfra.Volume("data", { label: "data", region: "us-east", size: 20 });
new cloudinfra.ManagedCredential("login", { label: "login", username: "admin", password: "planted-secret-42" });
`;

let emulator: Emulator;
let stack: EngineStack;
const folder = newFolder();
let file: string;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant" });
  const config = { "cloudinfra:url": emulator.url, "cloudinfra:token": { secret: emulator.token } };
  stack = await engine({ program: { "index.js": program }, config });
  await stack.up();
  file = join(folder, "state.json");
  writeFileSync(file, (await stack.run(["stack", "export"])).stdout);
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await emulator.close();
});

/**
 * Runs `cloudinfra drift` with the API token, but without the stack's passphrase, which the command must not require.
 */
const drift = (args: readonly string[], env: NodeJS.ProcessEnv = {}, runner = run) => {
  const { PULUMI_CONFIG_PASSPHRASE: _, PULUMI_CONFIG_PASSPHRASE_FILE: __, ...rest } = stack.env;
  return runner(["drift", "--project", folder, ...args], {
    env: { ...rest, CLOUDINFRA_TOKEN: emulator.token, ...env },
  });
};

const hash = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

test("checks a stack and an exported state without a passphrase, and changes neither them nor the account", async () => {
  const before = hash(file);
  emulator.requests.clear();
  const ofStack = await drift(["--project", stack.dir, "--stack", "test"]);
  expect(ofStack).toMatchObject({ code: 0, stderr: "" });
  expect(ofStack.stdout).toMatch(/no drift \(checked 2 of 2 resources in 1 stack\)\n$/);
  expect(await drift(["--state", file])).toEqual(ofStack);
  expect(hash(file)).toBe(before);
  expect(new Set(emulator.requests.list().map(({ method }) => method))).toEqual(new Set(["GET"]));
});

test("an error has its stack trace only with CLOUDINFRA_DEBUG", async () => {
  const missing = ["--state", join(folder, "missing.json")];
  expect((await drift(missing)).stderr).toMatch(/^cloudinfra: .*\n$/);
  expect((await drift(missing, { CLOUDINFRA_DEBUG: "1" })).stderr).toMatch(/^cloudinfra: .*\n.*Error.*\n {4}at /);
});

describe("after a change outside", () => {
  const formats = ["text", "json", "markdown", "junit", "sarif", "html"];
  const all = formats.flatMap((format) => ["--format", format]);
  const paths = () => formats.map((format) => join(folder, `report.${format}`));

  beforeAll(async () => {
    const { api, close } = connect(emulator);
    const [volume] = (await api.volumes.list()).data;
    await api.volumes.resize({ path: { volumeId: volume?.id ?? 0 }, body: { size: 40 } });
    await close();
  });

  test("writes all files and exits with 2 if the reader of its output has ended", async () => {
    const path = join(folder, "unread.json");
    const { PULUMI_CONFIG_PASSPHRASE: _, ...rest } = stack.env;
    const words = ["drift", "--state", file, "--format", "text", "--format", "json", "--out", "-", "--out", path];
    const child = start(words, { env: { ...rest, CLOUDINFRA_TOKEN: emulator.token } });
    child.stdout.destroy();
    const [code] = await once(child, "close");
    expect(code).toBe(2);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ findings: [{ type: "changed" }] });
  });

  test("writes all formats in one run, none of them with a secret, and exits with 2", async () => {
    const out = await drift(["--state", file, ...all, ...paths().flatMap((path) => ["--out", path])]);
    expect(out).toEqual({ code: 2, stdout: "", stderr: "" });
    for (const path of paths()) {
      const text = readFileSync(path, "utf8");
      expect(text).toContain("/size");
      expect(text).not.toMatch(/planted-secret-42|v1:[A-Za-z0-9+/]{8}/);
    }
  });

  test("reports the changes of the program separately from drift, and only with --program", async () => {
    await stack.write("index.js", program.replace("size: 20", "size: 60"));
    const args = ["drift", "--project", stack.dir, "--stack", "test"];
    const env = { ...stack.env, CLOUDINFRA_TOKEN: emulator.token };
    const ran = await run([...args, "--program"], { env });
    // The preview of a slow machine takes more than 10 seconds, after which the command reports what it waits for.
    expect(ran.stderr.replace(/^still waiting after .*\n/gm, "")).toBe("");
    expect(ran.code).toBe(2);
    expect(ran.stdout).toContain("    /size: 20 → 40 (the service cannot undo this: size must be at least 40 ");
    expect(ran.stdout).not.toContain("to undo");
    expect(ran.stdout).toMatch(/\nProgram, not applied yet:\n {2}update test\/test\/Volume\/data/);
    expect((await run(args, { env })).stdout).not.toContain("Program");
  });

  test("prints the format whose file is a hyphen", async () => {
    const json = join(folder, "printed.json");
    const both = ["--format", "json", "--format", "markdown"];
    const { stdout, code } = await drift(["--state", file, ...both, "--out", json, "--out", "-"]);
    expect([stdout.split("\n")[0], code]).toEqual(["## ⚠️ Drift", 2]);
    expect(JSON.parse(readFileSync(json, "utf8"))).toHaveProperty("findings");
    expect(existsSync("-")).toBe(false);
    const twice = await drift(["--state", file, ...both, "--out", "-", "--out", "-"]);
    expect([twice.stderr, twice.code]).toEqual([expect.stringContaining("only one format can be printed"), 1]);
  });

  test("neither reads nor reports objects and resources of ignored kinds, which the report names", async () => {
    emulator.requests.clear();
    const ran = await drift(["--state", file, "--unmanaged", "--ignore-kind", "Volume", "--ignore-kind", "Domain"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/no drift \(checked 1 of 1 resource in 1 stack; ignored kinds: Domain, Volume\)\n$/);
    const operations = emulator.requests.list().map(({ operation }) => operation ?? "");
    expect(operations).toContain("instances.list");
    expect(operations.filter((name) => /^(volumes|domains)\./.test(name))).toEqual([]);
  });

  test("accepts a finding by the allow-list line that it prints, and by the report as a baseline", async () => {
    const [text = "", json = ""] = paths();
    const [, line = ""] = /to accept it: (.*)\n/.exec(readFileSync(text, "utf8")) ?? [];
    const list = join(folder, "cloudinfra.drift.yaml");
    writeFileSync(list, `accept:\n  ${line}\n`);
    expect((await drift(["--state", file])).code).toBe(0);
    rmSync(list);
    expect((await drift(["--state", file])).code).toBe(2);
    expect((await drift(["--state", file, "--baseline", json])).code).toBe(0);
  });
});

test.each([
  [
    "an unknown format",
    ["--format", "yaml"],
    1,
    "--format yaml: must be one of text, json, markdown, junit, sarif, html",
  ],
  [
    "too many files",
    ["--out", "a", "--out", "b"],
    1,
    "there are more --out files than --format formats: set --format once for each file",
  ],
  ["two printed formats", ["--format", "text", "--format", "json"], 1, "only one format can be printed"],
  ["an unknown option", ["--stat", "x"], 1, "unknown option '--stat'"],
  ["a missing file", ["--state", "/does/not/exist"], 1, "/does/not/exist cannot be read (ENOENT)"],
  ["a baseline that is not a report", ["--baseline", "/dev/null"], 1, "/dev/null is not complete JSON"],
  ["a program of a file", ["--program"], 1, "--program requires a stack"],
  ["a watch without a terminal", ["--watch"], 1, "--watch requires a terminal"],
  ["a watch of no length", ["--watch", "0"], 1, "--watch 0: must be a number of seconds"],
])("%s is an error", async (_, args, code, message) => {
  const ran = await drift([...(args.includes("--state") ? [] : ["--state", file]), ...args], {}, runHere);
  expect(ran.stderr).toContain(message);
  expect(ran).toMatchObject({ code, stdout: "" });
});

test("exits with 4 if the token is rejected", async () => {
  const ran = await drift(["--state", file], { CLOUDINFRA_TOKEN: "wrong" });
  expect(ran.code).toBe(4);
  expect(ran.stderr).toMatch(/^cloudinfra: the API rejected the token \(401 in .*read-only access is enough\n$/);
});
