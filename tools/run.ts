import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

interface Options {
  cwd?: string | undefined;
  env?: Record<string, string>;
  /** Called for each line of the standard output. If omitted, the lines are returned together. */
  line?: (line: string) => void;
}

/** Runs a command until it ends. The exit code is -1 if the command cannot be started. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env, line }: Options = {},
): Promise<{ code: number; output: string[] }> {
  return new Promise((resolve) => {
    const output: string[] = [];
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    const keep = (text: string) => void output.push(text);
    createInterface(child.stdout).on("line", line ?? keep);
    createInterface(child.stderr).on("line", keep);
    child.on("error", (error) => resolve({ code: -1, output: [...output, error.message] }));
    child.on("close", (code) => resolve({ code: code ?? -1, output }));
  });
}
