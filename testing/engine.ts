import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { variablesOfDialects } from "../provider/client/environment";
import { writeIn, writeProject } from "./engine-project";
import { type Config, createStack } from "./new-stack";
import { killMarked } from "./processes";
import { EngineError, type Run, readRun } from "./run";

export type { ConfigValue } from "./new-stack";
export { type Diagnostic, EngineError, type EngineEvent, type Op, type Run, type Step } from "./run";

/** The options of {@link engine}. */
export interface EngineOptions {
  /**
   * The program: a folder to copy (without its `node_modules` and stack files), or the contents of files by name.
   * Missing project files (`Pulumi.yaml`, `package.json`, `tsconfig.json`) are added, and `node_modules` with links to
   * the packages of the folder and of this package. A program in `index.js` starts about a second faster than one in
   * `index.ts`.
   */
  program: string | Record<string, string>;
  /** Configuration by full key: `{ "cloudinfra:url": url, "cloudinfra:token": { secret: "t" } }`. */
  config?: Config;
  /**
   * Environment variables for all commands. The test's own `PULUMI_…`, `CLOUDINFRA_…` and those of the dialects, such as
   * `LINODE_TOKEN`, are not passed on.
   */
  env?: Record<string, string>;
  /** Time limit of a command in milliseconds, after which the command is killed. Defaults to 300,000. */
  timeoutMs?: number;
}

export interface RunOptions {
  /** Whether a failed command returns its {@link Run} instead of throwing an {@link EngineError}. Defaults to false. */
  mayFail?: boolean;
}

/** A command that is still running, for tests that interrupt it. */
export interface Running {
  /** Sends a signal to the Pulumi CLI, but not to its plugins. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the command's output contains the text. */
  until(text: string): Promise<void>;
  /** Resolves with the run when the command has ended, even if it has failed. */
  done: Promise<Run>;
}

/** The state of a stack, in the format of `pulumi stack export`. Secrets are encrypted. */
export interface Deployment {
  version: number;
  deployment: {
    resources?: { urn: string; type: string; id?: string; [field: string]: unknown }[];
    pending_operations?: { type: string; resource: { urn: string } }[];
    [field: string]: unknown;
  };
}

const stackName = "test";
const passphrase = "test";

/**
 * A separate stack for the real Pulumi CLI (on PATH, or `PULUMI_CLI`). Project, state and settings are in a temporary
 * folder, which is deleted when the stack is disposed of. Disposal does not destroy the resources of the program.
 *
 * @example
 * await using stack = await engine({ program: { "index.js": `exports.size = 42;` } });
 * const up = await stack.up();
 * expect(up.outputs).toEqual({ size: 42 });
 * await stack.preview(["--expect-no-changes"]);
 */
export async function engine(options: EngineOptions): Promise<EngineStack> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "engine-")));
  const stack = new EngineStack(home, options);
  try {
    await stack.prepare();
    return stack;
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}

/** A stack for tests, created by {@link engine}. */
export class EngineStack implements AsyncDisposable {
  /** The project's folder, in which commands run. */
  readonly dir: string;
  #runs = 0;

  /** @internal */
  constructor(
    /** The temporary folder with project, state and event logs. */
    readonly home: string,
    private readonly options: EngineOptions,
  ) {
    this.dir = join(home, "project");
  }

  /** Runs `pulumi up` with its preview and without confirmation. `--skip-preview` omits the preview. */
  up(args: string[] = [], options: RunOptions = {}): Promise<Run> {
    return this.run(["up", "--yes", ...args], options);
  }

  /** Runs `pulumi preview`. The {@link Run.ops} are the operations that `pulumi up` would perform. */
  preview(args: string[] = [], options: RunOptions = {}): Promise<Run> {
    return this.run(["preview", ...args], options);
  }

  /** Runs `pulumi refresh` with its preview and without confirmation. With `--preview-only`, nothing is changed. */
  refresh(args: string[] = [], options: RunOptions = {}): Promise<Run> {
    return this.run(["refresh", ...consent(args), ...args], options);
  }

  /** Runs `pulumi destroy` with its preview and without confirmation. */
  destroy(args: string[] = [], options: RunOptions = {}): Promise<Run> {
    return this.run(["destroy", ...consent(args), ...args], options);
  }

  /** The outputs of the stack, with secrets in plain text. In {@link Run.outputs}, secrets are `[secret]`. */
  async outputs(): Promise<Record<string, unknown>> {
    return JSON.parse((await this.run(["stack", "output", "--json", "--show-secrets"])).stdout);
  }

  /** The state of the stack, which can be changed and passed to {@link import}. */
  async export(): Promise<Deployment> {
    return JSON.parse((await this.run(["stack", "export"])).stdout);
  }

  /** Replaces the state of the stack. */
  async import(deployment: Deployment): Promise<void> {
    const file = join(this.home, "import.json");
    await writeFile(file, JSON.stringify(deployment));
    await this.run(["stack", "import", "--file", file]);
  }

  /** Writes a file of the program, for example a new version of the program. */
  async write(file: string, text: string): Promise<void> {
    await writeIn(this.dir, file, text);
  }

  /** Adds values to the stack's configuration. */
  async configure(values: Config): Promise<void> {
    const args = Object.entries(values).flatMap(([key, value]) =>
      typeof value === "object" ? ["--secret", `${key}=${value.secret}`] : ["--plaintext", `${key}=${value}`],
    );
    if (args.length > 0) await this.run(["config", "set-all", ...args]);
  }

  /** Runs any command of the Pulumi CLI for this stack. */
  async run(args: string[], { mayFail = false }: RunOptions = {}): Promise<Run> {
    const run = await this.start(args).done;
    if (run.code !== 0 && !mayFail) throw new EngineError(run);
    return run;
  }

  /** Starts a command without waiting for its end. */
  start(args: string[]): Running {
    const log = join(this.home, `events-${++this.#runs}.json`);
    const logs = ["up", "preview", "refresh", "destroy", "import"].includes(args[0] ?? "");
    const all = [...args, "--stack", stackName, "--non-interactive", "--color", "never"];
    const child = spawn(process.env.PULUMI_CLI ?? "pulumi", logs ? [...all, "--event-log", log] : all, {
      cwd: this.dir,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = new Output(child);
    const timeoutMs = this.options.timeoutMs ?? 300_000;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
      void killMarked(this.#mark);
    }, timeoutMs);
    const ended = new Promise<number>((resolve, reject) => {
      child.once("error", (error) => reject(new Error(noCli(error), { cause: error })));
      child.once("close", (code) => resolve(code ?? -1));
    }).finally(() => clearTimeout(timer));
    const done = ended.then((code) => {
      const { stdout, stderr } = output;
      const command = `pulumi ${args.join(" ")}`;
      const run = readRun({ command, code, stdout, stderr, log: logs ? log : undefined });
      if (late) throw new EngineError(run, `no end after ${timeoutMs / 1000} s`);
      return run;
    });
    return { done, kill: (signal) => child.kill(signal), until: (text) => output.until(text, done) };
  }

  /** @internal Writes the project and creates the stack. */
  async prepare(): Promise<void> {
    const { program, config = {}, env = {} } = this.options;
    await writeProject(this.dir, program);
    await createStack(this.home, env, config, async (values) => {
      await this.run(["stack", "init"]);
      await this.configure(values);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await killMarked(this.#mark);
    await rm(this.home, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Environment variable of all processes of this stack, to find and kill plugins that outlive a killed Pulumi CLI. */
  get #mark(): string {
    return `PULUMI_TEST_STACK=${this.home}`;
  }

  /** The environment variables with which commands run, for other programs that use the same stack and settings. */
  get env(): NodeJS.ProcessEnv {
    const ofDialects = variablesOfDialects();
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(PULUMI|CLOUDINFRA)_/.test(name) && !ofDialects.includes(name),
    );
    return {
      ...Object.fromEntries(inherited),
      ...(process.env.PULUMI_HOME ? { PULUMI_HOME: process.env.PULUMI_HOME } : {}),
      PULUMI_BACKEND_URL: `file://${join(this.home, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DEBUG_COMMANDS: "true", // the CLI hides --event-log without it
      PULUMI_TEST_STACK: this.home,
      XDG_CACHE_HOME: join(this.home, "cache"), // the native plugin keeps its journal there
      NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"), // saves a third of a second of each run
      ...this.options.env,
    };
  }
}

const consent = (args: string[]): string[] => (args.includes("--preview-only") ? [] : ["--yes"]);

class Output {
  stdout = "";
  stderr = "";

  constructor(private readonly child: ChildProcess) {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
  }

  until(text: string, done: Promise<Run>): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => (this.stdout + this.stderr).includes(text) && resolve();
      this.child.stdout?.on("data", check);
      this.child.stderr?.on("data", check);
      done.then((run) => reject(new EngineError(run, `ended without "${text}"`)), reject);
      check();
    });
  }
}

const noCli = (error: Error): string =>
  `The Pulumi CLI could not be started (${error.message}). Have it on PATH (in this repository: \`make setup\`, then ` +
  "`tools/setup/run <command>`) or name it in PULUMI_CLI.";
