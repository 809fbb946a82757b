import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { addToken } from "../../emulator/core/users";
import { connect } from "../../provider/client";
import { type EngineStack, engine } from "../../testing/engine";
import { forEveryChange } from "../nightly";
import { finished, type Ran, run } from "./command";
import { runHere } from "./in-process";
import { blocksOf } from "./markdown";
import { quickNpm, unreachableCode } from "./registry";

const docs = readFileSync(join(__dirname, "../../docs/import.md"), "utf8");

let emulator: Emulator;
let stack: EngineStack;

beforeAll(async () => {
  emulator = await startEmulator({ pace: "instant", seed: 1 });
  stack = await engine({ program: { "index.js": "" } });
  const { api, close } = connect(emulator);
  const web = { label: "web", region: "us-east", type: "g6-nanode-1", image: "compute/debian11" };
  const { id } = await api.instances.create({ body: { ...web, root_pass: "Correct-Horse-42" } });
  await api.volumes.create({ body: { label: "data", size: 20, compute_id: id } });
  const { id: domainId } = await api.domains.create({
    body: { domain: "example.org", type: "master", soa_email: "admin@example.org" },
  });
  await api.domainRecords.create({ path: { domainId }, body: { type: "A", name: "www", target: "192.0.2.1" } });
  await close();
});

afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await emulator.close();
});

const envOf = (more: NodeJS.ProcessEnv = {}) => ({
  ...stack.env,
  CLOUDINFRA_URL: emulator.url,
  CLOUDINFRA_TOKEN: emulator.token,
  ...more,
});

describe("docs/import.md, every command from top to bottom", () => {
  let cwd = "";
  let last: Ran;

  let unreachable: string | undefined;
  const execute = async (program: string, args: readonly string[], input = ""): Promise<void> => {
    const env = envOf(quickNpm);
    last = await finished(spawn(program, args, { cwd, env }), input);
    if (program === "npm" && last.code !== 0) unreachable ??= unreachableCode(last.stderr);
    if (unreachable !== undefined) return;
    expect(last.code, `${program} ${args.join(" ")}\n${last.stdout}${last.stderr}`).toBe(0);
  };

  // The page begins in a folder in which the package was installed from its tarball.
  beforeAll(async () => {
    cwd = join(stack.home, "docs");
    mkdirSync(cwd);
    await execute("npm", ["pack", join(__dirname, "../.."), "--silent", "--ignore-scripts"]);
    await execute("npm", ["install", "./pulumi-cloudinfra-0.1.0.tgz"]);
  });

  async function executeLine(line: string): Promise<void> {
    const words = line.split(" ");
    if (words[0] === "cd") cwd = join(cwd, words[1] ?? "");
    else if (words[0] === "rm") rmSync(join(cwd, words.at(-1) ?? ""), { recursive: true });
    else if (words[0]?.startsWith("CLOUDINFRA_URL=")) await executeLine(words.slice(1).join(" "));
    else if (words[0] === "npm" || words[0] === "npx") await execute(words[0], words.slice(1));
    else if (words[0] === "pulumi") {
      const backup = readdirSync(cwd).find((name) => name.includes("before-import"));
      if (words.includes("backup.json")) renameSync(join(cwd, backup ?? ""), join(cwd, "backup.json"));
      await execute(
        process.env.PULUMI_CLI ?? "pulumi",
        [...words.slice(1), "--non-interactive", ...(words[2] === "rm" ? ["--yes"] : [])],
        "Correct-Horse-42",
      );
    } else expect(line).toMatch(/^export /);
  }

  test.for(blocksOf(docs))("line $line", async ({ language, text, file }, { skip }) => {
    skip(unreachable !== undefined, `npm is not reachable (${unreachable}), so the package cannot be installed`);
    if (language === "sh") for (const line of text.trim().split("\n")) await executeLine(line);
    if (language === "text" && text.includes("[diff:"))
      for (const line of text.trim().split("\n")) expect(last.stdout).toContain(line.trim());
    else if (language === "text") expect(last.stdout).toBe(text);
    if (language === "ts" && file) expect(readFileSync(join(cwd, file), "utf8")).toContain(text);
  });

  test("the page lists the options of the command", async () => {
    const { stdout } = await run(["import", "--help"]);
    const named = [...docs.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option]) => option);
    const known = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option);
    expect(named.sort()).toEqual(known.sort());
  });
});

describe("errors", () => {
  const attempt = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    runHere(["import", ...args], { env: envOf(env), cwd: stack.home });
  const fresh = ["--out", "fresh", "--into", "new", "--dry-run"];

  test("reports a missing CLI, a stack that does not exist, and a rejected token", async () => {
    const noCli = await attempt(["--out", "fresh", "--into", "new"], { PULUMI_CLI: "/does/not/exist" });
    expect(noCli).toMatchObject({ code: 1, stderr: expect.stringContaining("install the Pulumi CLI") });
    expect(await attempt(["--out", "own", "--into", "own", "volume/data"])).toMatchObject({ code: 0 });
    const noStack = await attempt(["--out", "own", "--into", "missing"]);
    expect(noStack).toMatchObject({ code: 1, stderr: expect.stringContaining('"pulumi stack init missing"') });
    const rejected = await attempt(fresh, { CLOUDINFRA_TOKEN: "wrong" });
    expect(rejected).toMatchObject({ code: 4, stderr: expect.stringContaining("401") });
  });

  test("reports kinds that the token may not read and objects that do not exist, and imports all others", async () => {
    addToken(emulator.world, "few", { scopes: ["volumes:read_only", "domains:read_only"] });
    const few = await attempt(fresh, { CLOUDINFRA_TOKEN: "few" });
    expect(few.code).toBe(3);
    expect(few.stdout).toMatch(
      /^would import 3 objects into new: Volume \(1\), Domain \(1\), DomainRecord \(1\)\n {2}Volume "data" \(\d+\)\n {2}Domain "example\.org" \(\d+\)\n {2}DomainRecord "www\.example\.org-A" \(\d+\/\d+\)\nwould write /,
    );
    expect(few.stdout).toMatch(
      /\n {2}Instance: .*: it needs computes:read_only \(the token has volumes:read_only domains:read_only\)\n/,
    );
    const missing = await attempt([...fresh, "volume/999", "volume/data"]);
    expect(missing.code).toBe(3);
    expect(missing.stdout).toMatch(/^would import 1 object into new: Volume \(1\)\n {2}Volume "data" \(\d+\)\n/);
    expect(missing.stdout).toContain("\n  Volume/999: ");
    expect(readdirSync(stack.home)).not.toContain("fresh");
  });

  // `null` and `0x10` are the two reasons for quotes: a word of YAML, and a name that begins with a digit.
  const unquoted = forEveryChange(["null", "1e3", "off", "0x10"], (name) => name === "null" || name === "0x10");
  test.each(unquoted)("imports into a folder with the name %s", async (out) => {
    const ran = await attempt(["--out", out, "--into", `in-${out}`, "volume/data"]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^imported 1 object into in-/) });
    expect(ran.stderr).toContain(`created the stack in-${out} in file://`);
    expect(readFileSync(join(stack.home, out, "Pulumi.yaml"), "utf8")).toContain(`\nname: "${out}"\n`);
    const again = await attempt(["--out", out, "volume/data"]);
    expect(again).toMatchObject({ code: 0, stdout: "nothing new to import\n1 object already in the stack\n" });
  });

  test("keeps an edit that is made while the account is read, and imports nothing", async () => {
    expect(await attempt(["--out", "edited", "--into", "edited", "domain/example.org"])).toMatchObject({ code: 0 });
    const folder = join(stack.home, "edited");
    const before = readdirSync(folder);
    const count = () => emulator.requests.counts()["domains.list"] ?? 0;
    const earlier = count();
    emulator.faults.add({ path: "domains.list", kind: "delay", delay: 1_000, times: 1 });
    const running = attempt(["--out", "edited", "--filter", "area=dns"]);
    await vi.waitUntil(() => count() > earlier, { timeout: 60_000 });
    appendFileSync(join(folder, "dns.ts"), "// my edit\n");
    expect(await running).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `cloudinfra: ${join(folder, "dns.ts")} was changed while this command ran\nnothing was imported; run the command again\n`,
    });
    expect(readdirSync(folder)).toEqual(before);
    expect(readFileSync(join(folder, "dns.ts"), "utf8")).toMatch(/\n\/\/ my edit\n$/);
    const again = await attempt(["--out", "edited", "--filter", "area=dns"]);
    expect(again.stdout).toMatch(/^imported 1 object into the selected stack: DomainRecord \(1\)\n/);
    expect(readFileSync(join(folder, "dns.ts"), "utf8")).toContain("\n// my edit\n");
  });

  test("does not damage files that are not UTF-8: one that must be changed is an error, and others stay", async () => {
    expect(await attempt(["--out", "latin", "--into", "latin", "domain/example.org"])).toMatchObject({ code: 0 });
    const at = (file: string): string => join(stack.home, "latin", file);
    const latin1 = Buffer.from("// größe\n", "latin1");
    const before = Buffer.concat([latin1, readFileSync(at("dns.ts"))]);
    writeFileSync(at("dns.ts"), before);
    writeFileSync(at("own.ts"), latin1);
    for (const option of [[], ["--dry-run"]])
      expect(await attempt(["--out", "latin", "--filter", "area=dns", ...option])).toEqual({
        code: 1,
        stdout: "",
        stderr:
          `cloudinfra: ${at("dns.ts")}, line 1, column 6: the byte 0xF6 is not UTF-8\n` +
          "nothing was imported, because these files must be changed; convert them to UTF-8 first\n",
      });
    expect(readFileSync(at("dns.ts"))).toEqual(before);
    writeFileSync(at("dns.ts"), before.toString("latin1"));
    expect(await attempt(["--out", "latin", "--filter", "area=dns"])).toMatchObject({ code: 0 });
    expect(readFileSync(at("dns.ts"), "utf8")).toMatch(/^\/\/ größe\n/);
    expect(readFileSync(at("own.ts"))).toEqual(latin1);
  });

  test("names the files that the main file has to import if the project has no index.ts any more", async () => {
    expect(await attempt(["--out", "renamed", "--into", "renamed", "volume/data"])).toMatchObject({ code: 0 });
    const at = (file: string): string => join(stack.home, "renamed", file);
    renameSync(at("index.ts"), at("app.ts"));
    const warning = (main: string) =>
      `warning: the program does not load dns.ts: import it in ${main}; otherwise, Pulumi would delete the objects\n`;
    const dryRun = ["--out", "renamed", "--dry-run"];
    writeFileSync(at("package.json"), "{}");
    const unnamed = await attempt([...dryRun, "domain/example.org"]);
    expect(unnamed.stdout).toContain(warning("its main file, because the folder has no index.ts"));
    writeFileSync(at("package.json"), '{ "main": "app.ts" }');
    expect(await attempt(["--out", "renamed", "domain/example.org"])).toMatchObject({
      code: 0,
      stdout: `imported 1 object into the selected stack: Domain (1)\nwrote dns.ts\n${warning("app.ts, its main file")}`,
    });
    expect((await attempt([...dryRun, "--filter", "area=dns"])).stdout).toContain(warning("app.ts, its main file"));
    appendFileSync(at("app.ts"), 'import "./dns";\n');
    expect((await attempt([...dryRun, "--filter", "area=dns"])).stdout).not.toContain("warning");
  });

  test("restores the files if the state cannot be written", async () => {
    const backup = join(stack.home, "there.json");
    writeFileSync(backup, "");
    const ran = await attempt(["--out", "broken", "--into", "broken", "--backup", backup]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("EEXIST") });
    expect(ran.stderr).toMatch(
      /\nThe new stack broken exists and is empty; to use it, run the command again with --into broken\n$/,
    );
    expect(readdirSync(join(stack.home, "broken")).filter((name) => name.endsWith(".ts"))).toEqual([]);
  });
});
