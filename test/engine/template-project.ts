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

export interface ProjectOptions {
  place: string;
  folder: string;
  /** The page whose commands run in the project, on the emulators of the test instead of the documented ones. */
  page: string;
  emulator: Emulator;
  /** Addresses of further emulators, by their addresses on the page. */
  addresses?: Record<string, string> | undefined;
}

/** The address of the emulator on all pages, and the default in all templates. */
const documented = "http://127.0.0.1:4108/v4";

/** A project with an emulator and a terminal in its folder. */
export class TemplateProject implements AsyncDisposable {
  readonly emulator: Emulator;
  readonly #options: ProjectOptions;
  readonly #page: string;
  readonly #commands: string[];
  readonly #terminal: Terminal;
  readonly #before: Map<string, number>;

  constructor(options: ProjectOptions) {
    const { place, folder, page, emulator } = options;
    this.emulator = emulator;
    this.#options = options;
    this.#page = readFileSync(page, "utf8");
    // The emulators run already, and `kubectl` has no cluster to connect to.
    this.#commands = blocksOf(this.#page)
      .filter(({ language, text }) => language === "sh" && !/^(npx cloudinfra emulator|kubectl)\b/m.test(text))
      .flatMap(({ text }) => text.trim().split("\n"));
    this.#terminal = new Terminal(folder, place);
    this.#before = rowsOf(emulator);
  }

  /** Runs a script, and returns its output. Fails the test if the script exits with another code. */
  async run(script: string, expected = 0): Promise<string> {
    const { code, output } = await this.#terminal.run(this.#withAddresses(script));
    expect(code, `${script}\n${output}`).toBe(expected);
    return output;
  }

  #withAddresses(script: string): string {
    const { emulator, addresses } = this.#options;
    const urls = { [documented]: emulator.url, ...addresses };
    return Object.entries(urls).reduce((text, [address, url]) => text.replaceAll(address, url), script);
  }

  /** Runs a script that has to fail, and returns its output. */
  async fails(script: string): Promise<string> {
    const { code, output } = await this.#terminal.run(script, { keep: false });
    expect(code, output).not.toBe(0);
    return output;
  }

  /** Runs the next commands of the page, up to the given one, and returns its output. */
  async through(last: string, expected = 0): Promise<string> {
    const earlier = this.#commands.splice(0, this.#commands.indexOf(last));
    expect(this.#commands.shift(), `the next command in ${this.#options.page}`).toBe(last);
    for (const command of earlier) await this.run(command);
    return this.run(last, expected);
  }

  /** The objects of the account that did not exist at the start. */
  holds(): Record<string, number> {
    return more(rowsOf(this.emulator), this.#before);
  }

  /**
   * Commits the packages by the page's commands, checks the files out elsewhere, and runs the commands of the workflow
   * there. Returns the output of the last one.
   */
  async runWorkflow(prepare = ""): Promise<string> {
    const folder = this.#terminal.cwd;
    const commit = blocksOf(this.#page).find(({ text }) => text.includes("mkdir"));
    await this.run(commit?.text ?? "");
    const checkout = join(this.#options.place, "ci", basename(folder), "checkout");
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
    await this.run(`cd "${checkout}"\n${prepare}`);
    for (const { run: command } of steps) if (command) output = await this.run(command);
    await this.run(`cd "${folder}"`);
    return output;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await killMarked(this.#terminal.mark);
    await this.emulator.close();
  }
}

export interface NewProjectOptions extends Pick<ProjectOptions, "place" | "addresses"> {
  template: string;
  /** Commands after those of the creation, such as the activation of a virtual environment. */
  prepare?: string;
  /** An error of `pulumi new` after which the project can be used. */
  harmless?: string;
}

/** Creates a project from a template in an empty folder, with the addresses of the test's emulators as settings. */
export async function newProject({
  place,
  template,
  prepare = "",
  addresses,
  harmless,
}: NewProjectOptions): Promise<TemplateProject> {
  const emulator = await startEmulator({ pace: "instant", shuffle: true });
  const folder = join(place, `hello-${basename(template)}`);
  mkdirSync(folder);
  const project = new TemplateProject({ place, folder, page: join(template, "README.md"), emulator, addresses });
  const questions = questionsOf(template);
  const settings = Object.entries(questions).flatMap(([key, { default: address = "" }]) =>
    address.startsWith("http") ? [`--config ${key}=${address}`] : [],
  );
  await project.run(
    `export PULUMI_BACKEND_URL="file://${place}" PULUMI_CONFIG_PASSPHRASE=test CLOUDINFRA_TOKEN=emulator`,
  );
  const created = await project.run(`pulumi new "${template}" --yes ${settings.join(" ")} || true\n${prepare}`);
  if (harmless && created.includes(harmless)) return project;
  expect(created).toContain("Your new project is ready to go!");
  expect(created).toContain("npx cloudinfra emulator");
  if (questions.rootPass) expect(created).toContain(generatePassword);
  return project;
}

/** The questions of `pulumi new`. */
const questionsOf = (template: string): Record<string, { default?: string }> =>
  parse(readFileSync(join(template, "Pulumi.yaml"), "utf8")).template.config;

/** The command for the question of the password, which `--yes` leaves out. */
export const generatePassword = "openssl rand -base64 24 | pulumi config set --secret rootPass";

/** Runs the life of a project's stack: errors in its settings, an update without surprises, the workflow, and its end. */
export async function expectLife(it: TemplateProject, prepareWorkflow?: string): Promise<void> {
  expect(await it.fails("pulumi preview")).toMatch(/[Mm]issing .*configuration v.*rootPass/);
  await it.through(generatePassword);
  const password = (await it.run("pulumi config get rootPass")).trim();
  expect(password).toMatch(/^[\w+/]{32}$/);
  await it.run("pulumi config set region mars");
  expect(await it.fails("pulumi preview")).toMatch(/region.* must be .*"us-east".* \(given "mars"\)/);
  await it.run("pulumi config rm region");
  expect(await it.fails("pulumi preview")).toMatch(/[Mm]issing .*configuration v.*region/);
  await it.run("pulumi config set region us-east");

  expect(await it.run("pulumi preview")).toContain("+ 4 to create");
  expect(it.holds()).toEqual({});
  const up = await it.run("pulumi up");
  expect(up).toContain("+ 4 created");
  expect(up).toMatch(/dataPath *: "\/dev\/disk\/by-id\//);
  expect(up).not.toContain(password);
  expect(it.holds()).toMatchObject({ instances: 1, volumes: 1, firewalls: 1, firewallDevices: 1 });
  await it.run("pulumi preview --expect-no-changes");
  expect(await it.runWorkflow(prepareWorkflow)).toContain("no drift");
  await it.run("pulumi destroy");
  expect(it.holds()).toEqual({});
}
