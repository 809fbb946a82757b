import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Probed } from "./probe";
import type { Sample } from "./soak-verdict";

const root = join(__dirname, "../..");

/** A program of this repository that runs in a process of its own. */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown>;
  errors = "";

  private constructor(file: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#process = fork(join(root, file), args, {
      execArgv: ["--expose-gc", "--require", join(__dirname, "probe.js")],
      env: { ...process.env, ...env },
      silent: true,
    });
    this.#exit = once(this.#process, "exit");
    this.#process.stderr?.on("data", (part) => (this.errors += part));
  }

  /** Starts a program and waits until it is ready. `line` is the first line of its output. */
  static async start(
    file: string,
    args: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
  ): Promise<{ child: Child; line: string }> {
    const child = new Child(file, args, env);
    const { stdout } = child.#process;
    const line = stdout && (await Promise.race([once(stdout, "data"), child.#exit.then(() => undefined)]));
    if (!line) throw new Error(`${file} did not start: ${child.errors}`);
    return { child, line: String(line[0]).trim() };
  }

  /**
   * Starts an emulator whose jobs finish immediately. Each request advances the emulator's clock by a second, so that
   * rate limits are never reached.
   */
  static async emulator(...args: string[]): Promise<{ child: Child; url: string }> {
    const all = ["emulator", "--port", "0", "--pace", "instant", ...args];
    const { child, line } = await Child.start("dist/cli/main.js", all);
    const [, url = ""] = /^ready (\S+) /.exec(line) ?? [];
    return { child, url };
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Measures memory, handles and open files of the process after a garbage collection. */
  async sample(): Promise<Omit<Sample, "hours">> {
    this.#process.send("sample");
    const ended = this.#exit.then(() => Promise.reject(new Error(`a process ended: ${this.errors}`)));
    const [sample] = (await Promise.race([once(this.#process, "message"), ended])) as [Probed];
    return { ...sample, files: readdirSync(`/proc/${this.#process.pid}/fd`).length };
  }

  /** CPU time that the process has used so far, in milliseconds. */
  get cpu(): number {
    const [, times = ""] = readFileSync(`/proc/${this.#process.pid}/stat`, "utf8").split(") ");
    const [user, system] = times.split(" ").slice(11, 13).map(Number);
    return 10 * ((user ?? 0) + (system ?? 0));
  }

  /** Sends the signal and waits until the process has ended. Returns the exit code, or null if the signal ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#process.kill(signal);
    await this.#exit;
    return this.#process.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isRunning) await this.end("SIGKILL");
  }
}
