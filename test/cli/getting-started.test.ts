import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { killMarked } from "../../testing/processes";
import { nightly } from "../nightly";
import { type Block, blocksOf } from "./markdown";
import { portLike, Terminal } from "./terminal";

const root = join(__dirname, "../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const page = read("docs/getting-started.md");
const blocks = blocksOf(page);
const guide = (name: string): Block[] => blocksOf(read(`docs/guides/${name}.md`));

let place: string;
/** Free ports instead of those that the page mentions, because another program may use them. */
let ports: Record<4108 | 4110, number>;
let terminal: Terminal;
const emulators: ChildProcess[] = [];

beforeAll(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), "getting-started-")));
  ports = { 4108: await portLike(4108), 4110: await portLike(4110) };
  // docs/getting-started.md begins in a clone of the repository after `make build`. A folder with the files of the
  // package replaces the clone.
  const clone = join(place, "pulumi-cloudinfra");
  const { files } = JSON.parse(read("package.json")) as { files: string[] };
  // Patterns select among the files of folders that are listed too.
  const parts = files.filter((part) => !/[!*]/.test(part));
  for (const part of ["package.json", ...parts]) await cp(join(root, part), join(clone, part), { recursive: true });
  terminal = new Terminal(clone, place);
});

afterAll(async () => {
  for (const { pid } of emulators) if (pid) process.kill(-pid);
  await killMarked(terminal.mark);
  await rm(place, { recursive: true, force: true, maxRetries: 3 });
});

const onPort = (text: string): string =>
  text
    .replaceAll(/:(4108|4110)\b/g, (_, port: 4108 | 4110) => `:${ports[port]}`)
    .replace("--port 4110", `--port ${ports[4110]}`)
    .replace(/cloudinfra emulator$/m, `cloudinfra emulator --port ${ports[4108]}`);

/** Starts an emulator as a block of the page does, and returns the first line of its output. */
async function started(text: string): Promise<string> {
  const emulator = terminal.start(onPort(text));
  emulators.push(emulator);
  const [line] = (await once(emulator.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return String(line);
}

/** The output without what differs in each run. */
const withoutVarying = (output: string): string =>
  output.replace(/(?<=data-)\w{7}|(?<=\()\d+|\d+(?= →)|\d{4}-\d\d-\d\d|\d+\.\d+\.\d+\.\d+/g, "…");

/** An output that the page shows, by its first line. */
function sample(first: string): string {
  const block = blocks.find(({ language, text }) => language === "text" && text.startsWith(first));
  expect(block, first).toBeDefined();
  return withoutVarying(block?.text ?? "");
}

async function succeeds(text: string): Promise<string> {
  const { code, output } = await terminal.run(onPort(text));
  expect(code, output).toBe(0);
  return output;
}

async function call(path: string, method = "GET", body?: object) {
  const headers = { authorization: "Bearer emulator", "content-type": "application/json" };
  const response = await fetch(`http://127.0.0.1:${ports[4108]}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status, path).toBe(200);
  return (await response.json()) as { data: { id: number }[]; results: number };
}

/** Blocks of docs/getting-started.md whose results are checked. The key is a part of the block's text. */
const checks: Record<string, (text: string) => Promise<void>> = {
  async "make build"(text) {
    expect(text, "the files of the package are built already").toMatch(
      /^git clone \S+\ncd pulumi-cloudinfra\nmake build\n$/,
    );
  },
  async "npm install ./pulumi-cloudinfra"(text) {
    await succeeds(text);
    expect(terminal.cwd).toBe(join(place, "hello"));
    for (const { file, text } of blocks) if (file) await writeFile(join(terminal.cwd, file), text);
  },
  async "npx cloudinfra emulator\n"(text) {
    expect(await started(text)).toBe(
      `ready http://127.0.0.1:${ports[4108]}/v4 token emulator console http://127.0.0.1:${ports[4108]}/_emulator/\n`,
    );
    // Commands of the page must not change a volume that is not the stack's.
    await call("/v4/volumes", "POST", { label: "older", region: "eu-central" });
    expect(page).toContain("`ready http://127.0.0.1:4108/v4 token emulator console http://127.0.0.1:4108/_emulator/`");
  },
  async "pulumi stack init"(text) {
    const output = await succeeds(text);
    expect(withoutVarying(output)).toContain(sample("Outputs:"));
    const password = (await succeeds("pulumi config get rootPass")).trim();
    expect(password).toMatch(/^[\w+/]{32}$/);
    expect(output).not.toContain(password);
    // The first update has checked the types of the program, and a test below checks those of all programs.
    await succeeds("export PULUMI_NODEJS_TRANSPILE_ONLY=true TS_NODE_TRANSPILE_ONLY=true");
  },
  async "pulumi preview --diff"(text) {
    const program = join(terminal.cwd, "index.ts");
    await writeFile(program, (await readFile(program, "utf8")).replace("size: 20", "size: 40"));
    const output = await succeeds(text);
    expect(output).toMatch(/~ size\s*: 20 => 40/);
    expect(output).toMatch(/~ 1 updated\n\s+3 unchanged/);
  },
  async "npx cloudinfra api instances list"(text) {
    expect(await succeeds(text)).toMatch(/"size": 40/);
  },
  async "npx cloudinfra drift"(text) {
    const [older] = (await call("/v4/volumes")).data;
    expect(older).toMatchObject({ label: "older" });
    const [detach = "", drift = "", update = ""] = text.split("\n");
    await succeeds(detach);
    const found = await terminal.run(onPort(drift));
    expect(found).toMatchObject({ code: 2, output: expect.stringMatching(/\/computeId: \d+ → not set/) });
    expect(withoutVarying(found.output)).toBe(sample("Drift:"));
    expect(await succeeds(update)).toMatch(/~ 1 updated\n\s+3 unchanged/);
    await call(`/v4/volumes/${older?.id}`, "DELETE");
    expect((await call("/v4/volumes")).data).toMatchObject([{ compute_id: expect.any(Number) }]);
  },
  async "npx cloudinfra emulator --port 4110"(text) {
    expect(await started(text)).toContain(`ready http://127.0.0.1:${ports[4110]}/v4 `);
  },
  async "npx cloudinfra import"(text) {
    const output = await succeeds(text);
    expect(output).toContain("imported 29 objects into prod");
    expect(output).toContain(sample("Resources:\n    30"));
    // The page names the secrets and commands that the import prints.
    const printed = /^ {2}(?:cd|npm|pulumi) .*$/gm;
    const next = (output.match(printed) ?? []).map((line) => line.trim().replace(/^cd .*/, "cd ../shop"));
    const [, ...commands] = text.trim().split("\n");
    expect(commands.map((line) => line.replace(/ \S+-\S+-\d+$/, ""))).toEqual(next);
  },
  async "pulumi destroy"(text) {
    await succeeds(text);
    for (const list of ["compute/instances", "volumes", "networking/firewalls"])
      expect(await call(`/v4/${list}`), list).toMatchObject({ results: 0 });
    expect((await terminal.run("pulumi stack ls --json")).output).toContain("[]");
  },
};

const run = async ({ text }: Block): Promise<void> => {
  const [, check] = Object.entries(checks).find(([part]) => text.includes(part)) ?? [];
  await (check ?? succeeds)(text);
};
const commands = blocks.filter(({ file, language }) => !file && language === "sh");

test.each(commands.slice(0, -1))("Getting started, line $line", { timeout: 300_000 }, run);

test("the steps of the drift guide find a resized volume with a read-only token", { timeout: 300_000 }, async () => {
  const block = blocksOf(read("docs/drift.md")).find(
    ({ language, text }) => language === "yaml" && text.includes("runs-on"),
  );
  const { steps } = parse(block?.text ?? "").jobs.drift as { steps: { run?: string; env?: Record<string, string> }[] };
  const step = steps.find(({ run }) => run?.includes("cloudinfra drift"));
  // Here, the state is in files, and the terminal has its passphrase.
  expect(Object.keys(step?.env ?? {})).toEqual(["CLOUDINFRA_TOKEN", "PULUMI_ACCESS_TOKEN"]);
  const scopes = ["account:read_only", "computes:read_only", "volumes:read_only", "firewall:read_only"];
  expect(read("docs/drift.md")).toContain(`\`${scopes.join(" ")}\``);
  await call("/_emulator/tokens", "POST", { token: "looks-only", scopes });
  const check = (token: string) => terminal.run(`export CLOUDINFRA_TOKEN=${token}\n${step?.run}`, { keep: false });
  expect(await check("looks-only")).toMatchObject({ code: 0, output: expect.stringContaining("no drift") });

  const [volume] = (await call("/v4/volumes")).data;
  await call(`/v4/volumes/${volume?.id}/resize`, "POST", { size: 60 });
  const drift = await check("looks-only");
  expect(drift).toMatchObject({ code: 2, output: expect.stringContaining("/size: 40 → 60") });

  const unknown = await check("unknown");
  expect(unknown.output).not.toMatch(/→|no drift/);
  expect(unknown.code).toBe(4);
});

// `docs.test.ts` runs all tests of the guide, with the packages of the repository.
nightly("the test of the testing guide passes", async () => {
  const [program] = guide("testing").filter(({ file }) => file === "stack.test.ts");
  await writeFile(join(terminal.cwd, "stack.test.ts"), program?.text ?? "");
  const command = guide("testing").find(({ text }) => text.includes("npx ts-node stack.test.ts"))?.text ?? "";
  expect(await succeeds(command)).toMatch(/pass 1\n.*fail 0/);
});

nightly("the programs compile under stricter settings than their own", async () => {
  await succeeds("npx tsc -p . --noEmit --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noUnusedLocals");
});

test("Getting started ends with an empty account", { timeout: 300_000 }, async () => {
  await run(commands.at(-1) as Block);
});

test("every check belongs to one block of the page", () => {
  for (const part of Object.keys(checks))
    expect(
      commands.filter(({ text }) => text.includes(part)).map(({ line }) => line),
      part,
    ).toHaveLength(1);
});
