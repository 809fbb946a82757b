import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { type Emulator, startEmulator } from "../../emulator";
import { killMarked } from "../../testing/processes";
import { blocksOf } from "../cli/markdown";
import { unreachableCode } from "../cli/registry";
import { Terminal } from "../cli/terminal";
import { more, rowsOf } from "../rows";

export const root = join(__dirname, "../..");

/** Whether the Pulumi CLI has the host of a language. Only the official CLI and `make languages` have that of YAML. */
export function hasHost(language: string): boolean {
  const command = `"$(dirname "$(command -v "\${PULUMI_CLI:-pulumi}")")/pulumi-language-${language}"`;
  return spawnSync("sh", ["-c", `command -v ${command} pulumi-language-${language}`]).stdout.length > 0;
}

/**
 * A folder with the npm package, packed and installed, as docs/guides/languages.md describes. Projects are created in its
 * subfolders. Returns the reason if npm cannot reach a registry.
 */
export async function packages(place: string): Promise<string | undefined> {
  const terminal = new Terminal(root, place);
  const pack = await terminal.run(`npm pack --silent --ignore-scripts --pack-destination "${place}"`);
  expect(pack.code, pack.output).toBe(0);
  const { code, output } = await terminal.run(`cd "${place}" && npm install ./pulumi-cloudinfra-*.tgz`);
  const reason = code === 0 ? undefined : unreachableCode(output);
  if (reason === undefined) expect(code, output).toBe(0);
  return reason;
}

/** A project that `pulumi new` has created, with an emulator and a terminal in its folder. */
export interface TemplateProject extends AsyncDisposable {
  emulator: Emulator;
  /** Runs a script, and returns its output. Fails the test if the script fails. */
  succeeds(script: string): Promise<string>;
  /** Runs a script that has to fail, and returns its output. */
  fails(script: string): Promise<string>;
  /** The objects of the account that did not exist at the start. */
  holds(): Record<string, number>;
  /** Runs the commands of the project's workflow in a copy of the committed files. Returns the output of the last one. */
  runWorkflow(prepare?: string): Promise<string>;
}

export interface ProjectOptions {
  place: string;
  template: string;
  /** Commands after those of the creation, such as the activation of a virtual environment. */
  prepare?: string;
}

/** Creates a project from a template in an empty folder, with the emulator's address as a setting. */
export async function newProject({ place, template, prepare = "" }: ProjectOptions): Promise<TemplateProject> {
  const emulator = await startEmulator({ pace: "instant", shuffle: true });
  const before = rowsOf(emulator);
  const folder = join(place, `hello-${basename(template)}`);
  mkdirSync(folder);
  const terminal = new Terminal(folder, place);
  const run = async (script: string): Promise<string> => {
    const { code, output } = await terminal.run(script);
    expect(code, `${script}\n${output}`).toBe(0);
    return output;
  };
  const project: TemplateProject = {
    emulator,
    succeeds: run,
    async fails(script) {
      const { code, output } = await terminal.run(script, { keep: false });
      expect(code, output).not.toBe(0);
      return output;
    },
    holds: () => more(rowsOf(emulator), before),
    runWorkflow: (prepare) => runWorkflow(folder, place, run, { prepare }),
    async [Symbol.asyncDispose]() {
      await killMarked(terminal.mark);
      await emulator.close();
    },
  };
  await run(`export PULUMI_BACKEND_URL="file://${place}" PULUMI_CONFIG_PASSPHRASE=test CLOUDINFRA_TOKEN=emulator`);
  const created = await run(`pulumi new "${template}" --yes --config cloudinfra:url=${emulator.url}\n${prepare}`);
  expect(created).toContain("Your new project is ready to go!");
  expect(created).toContain("npx cloudinfra emulator");
  return project;
}

/**
 * Commits the packages by the commands in the project's README.md, or in another page, checks the files out elsewhere,
 * and runs the commands of the workflow there.
 */
export async function runWorkflow(
  folder: string,
  place: string,
  run: (script: string) => Promise<string>,
  { prepare = "", page = join(folder, "README.md") } = {},
): Promise<string> {
  const commit = blocksOf(readFileSync(page, "utf8")).find(({ text }) => text.includes("mkdir"));
  await run(commit?.text ?? "");
  const checkout = join(place, "ci", basename(folder), "checkout");
  const ignored = new Set(["node_modules", "venv", "bin", "lib", "lib64", "include", ".pulumi", "__pycache__"]);
  await cp(folder, checkout, {
    recursive: true,
    filter: (path) => dirname(path) !== folder || !ignored.has(basename(path)),
  });
  expect(existsSync(join(checkout, ".gitignore"))).toBe(true);
  const { steps } = parse(readFileSync(join(checkout, ".github/workflows/drift.yml"), "utf8")).jobs.drift as {
    steps: { run?: string }[];
  };
  let output = "";
  await run(`cd "${checkout}"\n${prepare}`);
  for (const { run: command } of steps) if (command) output = await run(command);
  await run(`cd "${folder}"`);
  return output;
}

/** Runs the life of a project's stack: errors in its settings, an update without surprises, the workflow, and its end. */
export async function expectLife(it: TemplateProject, prepareWorkflow?: string): Promise<void> {
  expect(await it.fails("pulumi preview")).toMatch(/[Mm]issing .*configuration v.*rootPass/);
  await it.succeeds("pulumi config set --secret rootPass Correct-Horse-42\npulumi config set region mars");
  expect(await it.fails("pulumi preview")).toMatch(/region.* must be .*"us-east".* \(given "mars"\)/);
  await it.succeeds("pulumi config rm region");
  expect(await it.fails("pulumi preview")).toMatch(/[Mm]issing .*configuration v.*region/);
  await it.succeeds("pulumi config set region us-east");

  expect(await it.succeeds("pulumi preview")).toContain("+ 4 to create");
  expect(it.holds()).toEqual({});
  const up = await it.succeeds("pulumi up");
  expect(up).toContain("+ 4 created");
  expect(up).toMatch(/dataPath *: "\/dev\/disk\/by-id\//);
  expect(up).not.toContain("Correct-Horse-42");
  expect(it.holds()).toMatchObject({ instances: 1, volumes: 1, firewalls: 1, firewallDevices: 1 });
  await it.succeeds("pulumi preview --expect-no-changes");
  expect(await it.runWorkflow(prepareWorkflow)).toContain("no drift");
  await it.succeeds("pulumi destroy");
  expect(it.holds()).toEqual({});
}
