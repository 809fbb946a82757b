import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { firstOf } from "../api";
import type { TimeLimit } from "../provider/pulumi/time-limit";
import type { ConfigValue, Deployment, StackName } from "./deployment";
import { CommandError, UsageError } from "./errors";
import { readText as fileText, MAX_INPUT_BYTES } from "./text-file";

interface Options {
  input?: string;
  isUninterrupted?: boolean;
}

/** Runs the Pulumi CLI for one stack of the project in a folder. */
export class Pulumi {
  readonly folder: string;
  /** The stack as the user has named it, possibly with its organization and project. Undefined for the selected one. */
  readonly stack: string | undefined;
  readonly #limit: TimeLimit | undefined;

  /** Commands end at the limit, except those that change the stack and the one that verifies a change. */
  constructor(folder: string, stack: string | undefined, limit?: TimeLimit) {
    this.folder = resolve(folder);
    this.stack = stack;
    this.#limit = limit;
    requireFolder("--project", folder);
  }

  /** The state of the stack. Secrets in the state are encrypted. */
  async export(): Promise<Deployment> {
    return this.#json<Deployment>(["stack", "export"]).catch((error) => this.#withStackNames(error));
  }

  /** The state after a change of the stack whose result is lost. Like the change, neither the limit nor Ctrl-C ends it. */
  async exportUninterrupted(): Promise<Deployment> {
    return this.#json(["stack", "export"], { isUninterrupted: true });
  }

  /** The state of the stack with decrypted secrets, which requires the stack's passphrase or key service. */
  async exportDecrypted(): Promise<Deployment> {
    return this.#json(["stack", "export", "--show-secrets"]);
  }

  /** Adds the names of the project's stacks to an error about a stack that does not exist. */
  async #withStackNames(error: unknown): Promise<never> {
    if (!(error instanceof CommandError) || !/no stack named/.test(error.message)) throw error;
    const all = new Pulumi(this.folder, undefined, this.#limit);
    const stacks = await all.#json<{ name: string }[]>(["stack", "ls", "--json"]).catch(() => []);
    const names = stacks.map(({ name }) => name);
    if (names.length) error.message += `. Stacks of this project: ${firstOf(names, SHOWN)}`;
    throw error;
  }

  /** The full names of all stacks of the backend, such as `organization/shop/prod`. */
  async stackNames(): Promise<string[]> {
    const stacks = await this.#json<{ name: string }[]>([
      "stack",
      "ls",
      "--all",
      "--json",
      "--fully-qualify-stack-names",
    ]);
    return stacks.map(({ name }) => name);
  }

  async import(state: Deployment): Promise<void> {
    await this.#run(["stack", "import"], { input: JSON.stringify(state), isUninterrupted: true });
  }

  /**
   * Selects the stack. Creates it if it does not exist, with a key service for its secrets, such as `awskms://…`, or else
   * with the default of the backend.
   */
  async create(secretsProvider?: string): Promise<void> {
    const secrets = secretsProvider === undefined ? [] : ["--secrets-provider", secretsProvider];
    await this.#run(["stack", "select", "--create", ...secrets], { isUninterrupted: true });
  }

  /** The backend that stores the state, and the user who is logged in there. Fails without a login. */
  async backend(): Promise<{ url: string; user: string }> {
    return this.#json(["whoami", "--json"]);
  }

  /** The changes that `pulumi up` would make, as parsed output of `pulumi preview --json`. */
  async preview(): Promise<unknown> {
    return this.#json(["preview", "--json"]);
  }

  /** The decrypted configuration of the stack, by full key such as `cloudinfra:url`. */
  async config(): Promise<Record<string, ConfigValue>> {
    return this.#json(["config", "--json", "--show-secrets"]);
  }

  /** The configuration of the stack, without the values of secrets. It requires no passphrase. */
  async openConfig(): Promise<Record<string, Omit<ConfigValue, "value"> & { value?: string }>> {
    return this.#json(["config", "--json"]);
  }

  /** The name of the selected stack. */
  async selected(): Promise<string> {
    return (await this.#run(["stack", "--show-name"])).trim();
  }

  async configure(key: string, value: string): Promise<void> {
    await this.#run(["config", "set", "--plaintext", key, value], { isUninterrupted: true });
  }

  /** The names of stack and project, which all URNs of the stack contain. */
  async name(): Promise<StackName> {
    const stack = this.stack ?? (await this.selected());
    return { stack: stack.slice(stack.lastIndexOf("/") + 1), project: await this.project() };
  }

  /** The name of the project in the folder. */
  async project(): Promise<string> {
    const file = projectFileFrom(this.folder);
    const project = file && (await projectName(file));
    if (typeof project !== "string")
      throw new CommandError(
        `${this.folder} and the folders above it have no Pulumi.yaml: run the command in the project's folder, or set --project`,
        1,
      );
    return project;
  }

  /**
   * Parses the JSON output of a command. The parser's own error is not shown, because it would quote the output, which
   * can contain secrets.
   */
  async #json<T>(args: readonly string[], options?: Options): Promise<T> {
    const output = await this.#run(args, options);
    try {
      return JSON.parse(output);
    } catch {
      throw new CommandError(`pulumi ${args.slice(0, 2).join(" ")}: the output is not JSON`, 1);
    }
  }

  /** Runs a command within the time limit, and returns its standard output. */
  #run(args: readonly string[], options: Options = {}): Promise<string> {
    if (!this.#limit) return this.#output(args, options);
    const command = `pulumi ${args.slice(0, 2).join(" ")}`;
    // An interrupted change could leave the stack locked.
    if (options.isUninterrupted) return this.#limit.noted(command, () => this.#output(args, options));
    return this.#limit.wait(command, (signal) => this.#output(args, { ...options, signal }));
  }

  /** The standard output of a command. Throws an error with the CLI's own message if the command fails. */
  async #output(
    args: readonly string[],
    { input, isUninterrupted = false, signal }: Options & { signal?: AbortSignal },
  ): Promise<string> {
    const child = this.#start(args, isUninterrupted);
    signal?.addEventListener("abort", () => terminate(child), { once: true });
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
    // A CLI that fails early closes its standard input. The reason is in the CLI's own message, so the write error is
    // ignored.
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
    const code = await new Promise<number | null>((done, reject) => {
      child.once("error", (error) => reject(notStarted(error)));
      child.once("close", done);
    });
    if (code !== 0)
      throw new CommandError(
        `pulumi ${args.slice(0, 2).join(" ")} failed: ${withoutPasswords(failureIn((await stderr).trim())) || `exit code ${code}`}`,
        1,
      );
    return await stdout;
  }

  #start(args: readonly string[], isUninterrupted: boolean) {
    const stack = this.stack === undefined ? [] : ["--stack", this.stack];
    try {
      return spawn(cli(), [...args, ...stack, "--non-interactive", "--color", "never"], {
        cwd: this.folder,
        env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
        stdio: ["pipe", "pipe", "pipe"],
        // Ctrl-C in the terminal does not reach a process group of its own, so that a change is completed.
        detached: isUninterrupted && process.platform !== "win32",
      });
    } catch (error) {
      // Node.js emits some errors, such as ENOENT, and throws others, such as ENOTDIR.
      throw notStarted(error as NodeJS.ErrnoException);
    }
  }
}

const cli = (): string => process.env.PULUMI_CLI || "pulumi";

/** A text with the address of a backend, such as a message of the CLI, without the password or the settings in it. */
export const withoutPasswords = (message: string): string =>
  message.replaceAll(/(:\/\/[^\s/:@]*):[^\s/]*@/g, "$1:…@").replaceAll(/(:\/\/[^\s?"']*)\?[^\s"']*/g, "$1?…");

/**
 * The CLI's own message about a failure. The report of a crash is reduced to its reason, and the advice to repeat the
 * command with `--force`, which would write a damaged state, is replaced.
 */
function failureIn(stderr: string): string {
  const [, crash] = /^={20,}$[\s\S]*?^(?:Panic|Error): +(.+)$/m.exec(stderr) ?? [];
  const lines = crash === undefined ? stderr.split("\n") : [`error: the Pulumi CLI crashed: ${crash}`];
  const own = lines
    .filter((line) => !/--force\b|^error: \d+ errors occurred:$/.test(line))
    .map((line) => line.replace(/^ +\d+\) /, "error: "));
  return [...own, ...(/state file contains errors|snapshot integrity/.test(stderr) ? [REPAIR] : [])].join("\n");
}

const REPAIR =
  'Run "pulumi state repair", then this command again. If there is nothing to repair, please report this error';

/** The number of stacks that an error names. */
const SHOWN = 10;

/** Milliseconds that Pulumi has to end itself before it is killed. */
const TERMINATION_MS = 5_000;

function terminate(child: ChildProcess): void {
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGKILL"), TERMINATION_MS);
  child.once("close", () => clearTimeout(timer));
}

function notStarted({ code }: NodeJS.ErrnoException): CommandError {
  const message =
    code === "ENOENT"
      ? `"${cli()}" could not be started: install the Pulumi CLI (https://www.pulumi.com/docs/install/), or name it in PULUMI_CLI`
      : `"${cli()}" could not be started (${code}): run it in the same folder to see why, or name another one in PULUMI_CLI`;
  return new CommandError(message, 1);
}

/** Throws unless an option names a folder that exists. */
export function requireFolder(option: string, folder: string): void {
  if (!existsSync(folder)) throw new UsageError(`${option} ${folder}: the folder does not exist`);
  if (!statSync(folder).isDirectory()) throw new UsageError(`${option} ${folder}: is not a folder`);
}

/** The project's file in a folder or in one of the folders above it. */
export const projectFileFrom = (folder: string): string | undefined =>
  findUpwards(folder, ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]);

function findUpwards(folder: string, names: readonly string[]): string | undefined {
  const file = names.map((name) => join(folder, name)).find((file) => existsSync(file));
  return file ?? (folder === dirname(folder) ? undefined : findUpwards(dirname(folder), names));
}

/** The name in a project's file, which is YAML or JSON. */
async function projectName(file: string): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  const text = await fileText(file, MAX_INPUT_BYTES);
  const document = parseDocument(text, { logLevel: "silent" });
  if (document.errors.length) throw new CommandError(`${file} is not valid YAML`, 1);
  return document.get("name");
}
