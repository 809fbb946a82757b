import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { glob, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { engines, version } from "../../package.json";

const plugin = join(__dirname, "../../pulumi-resource-cloudinfra");

const command = join(__dirname, "../../dist/cli/main.js");

test.each([
  ["the plugin", [plugin], /^\d+\n$/],
  ["the emulator", [command, "emulator", "--port", "0"], /^ready /],
])("%s keeps its compiled code for the next start, and replaces it if it is damaged", async (_, args, ready) => {
  const folder = await mkdtemp(join(tmpdir(), "bundles-"));
  const caches = () => Array.fromAsync(glob(join(folder, "*/*.cache")));
  /** Starts the program, and ends it when the condition holds. */
  async function start(until: () => Promise<unknown>): Promise<void> {
    const env = { ...process.env, NODE_COMPILE_CACHE: folder };
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      expect(String(line)).toMatch(ready);
      await vi.waitUntil(until, { timeout: 30_000 });
    } finally {
      child.kill("SIGKILL");
    }
  }
  try {
    await start(async () => (await caches()).length === 1);
    const [file = ""] = await caches();
    const stored = await readFile(file);
    const { mtimeMs } = await stat(file);
    await start(() => new Promise((resolve) => setTimeout(resolve, 2_000, true)));
    expect((await stat(file)).mtimeMs).toBe(mtimeMs);
    const damaged = Buffer.concat([stored.subarray(0, 1_000), Buffer.from("x"), stored.subarray(1_001)]);
    await writeFile(file, damaged);
    await start(async () => !(await readFile(file)).equals(damaged));
  } finally {
    await rm(folder, { recursive: true, maxRetries: 3 });
  }
});

test("the plugin prints its version and what it is for", () => {
  const run = (flag: string) => spawnSync(plugin, [flag], { encoding: "utf8" });
  expect(run("--version").stdout).toBe(`${version}\n`);
  expect(run("--help").stdout).toMatch(/^The provider plugin of Pulumi for the Cloud Infrastructure API\. /);
});

const oldest = engines.node.replace(">=", "");

test.each([
  ["the plugin", plugin],
  ["the command", command],
])("%s names the version of Node that it needs", async (_, script) => {
  const folder = await mkdtemp(join(tmpdir(), "old-node-"));
  const preload = join(folder, "old.cjs");
  // Old versions of Node also lack functions that the package uses when it starts.
  await writeFile(
    preload,
    `Object.defineProperty(process.versions, "node", { value: "20.20.2" }); delete require("module").enableCompileCache;`,
  );
  const run = spawnSync(process.execPath, ["--require", preload, script], { encoding: "utf8" });
  expect(run).toMatchObject({
    status: 1,
    stdout: "",
    stderr: `pulumi-cloudinfra needs Node ${oldest} or later; this is 20.20.2: install a current version\n`,
  });
  await rm(folder, { recursive: true });
});

test("the plugin reports that there is no Node", () => {
  const run = spawnSync("/bin/sh", [plugin], { encoding: "utf8", env: { PATH: "/nonexistent" } });
  expect(run).toMatchObject({
    status: 1,
    stderr: `pulumi-cloudinfra needs Node ${oldest} or later, and there is no node on PATH\n`,
  });
});

test.each(["dist/plugin.js", "dist/cli/emulator-bundle.js"])("%s is ASCII, as the launcher reads it", async (file) => {
  const text = await readFile(join(__dirname, "../..", file), "utf8");
  expect(/\P{ASCII}/u.exec(text)?.[0]).toBeUndefined();
});
