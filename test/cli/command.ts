import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** The compiled command, which `make test` builds. */
export const main = join(__dirname, "../../dist/cli/main.js");

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  env?: NodeJS.ProcessEnv;
  input?: string | Uint8Array;
  cwd?: string;
  /** Whether the process gets a process group of its own. Defaults to false. */
  detached?: boolean;
}

/** Node's compile cache. The processes of a run share it, which saves a sixth of the time of each process. */
const cache = { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") };

/** `make mutants` replaces modules of the command. */
const mutated = process.env.MUTANTS_HOOK ? ["--require", process.env.MUTANTS_HOOK] : [];

/** The environment without the settings of the person who runs the tests. */
export const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(CLOUDINFRA|NO_COLOR|FORCE_COLOR|NODE_OPTIONS)/.test(name)),
  );

/** Starts the command in a process of its own. */
export const start = (args: readonly string[], { env = {}, cwd, detached }: Running = {}) =>
  spawn(process.execPath, [...mutated, main, ...args], { env: { ...inherited(), ...cache, ...env }, cwd, detached });

export const run = (args: readonly string[], running: Running = {}): Promise<Ran> =>
  finished(start(args, running), running.input);

/** Sends input to a process, and returns its output and exit code. */
export async function finished(child: ChildProcessWithoutNullStreams, input: string | Uint8Array = ""): Promise<Ran> {
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => text(stream));
  // A command may end without reading its input, so the write error is ignored.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: (await stdout) ?? "", stderr: (await stderr) ?? "" };
}

/** Runs the command on a terminal with the given number of columns. Returns the output with colors. */
export async function onTerminal(args: readonly string[], env: Record<string, string>, columns: number): Promise<Ran> {
  const quoted = [process.execPath, main, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const command = `stty cols ${columns}; ${quoted}`;
  // Node.js prints no colors if the environment is that of a build server, even on a terminal that has colors.
  const { NO_COLOR: _, CI: __, ...inherited } = process.env;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    env: { ...inherited, ...cache, TERM: "xterm", ...env },
  });
  const stdout = text(child.stdout);
  child.stdin.end();
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: (await stdout).replaceAll("\r\n", "\n"), stderr: "" };
}
