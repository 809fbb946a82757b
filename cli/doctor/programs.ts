import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Milliseconds in which a program has to print its version. */
const VERSION_MS = 10_000;

/**
 * The path of a program by its name or path. Undefined if it does not exist or cannot be run. `isSearched` selects folders
 * of PATH; by default, all are searched.
 */
export function programAt(name: string, isSearched: (folder: string) => boolean = () => true): string | undefined {
  if (/[/\\]/.test(name)) return isProgram(resolve(name)) ? resolve(name) : undefined;
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder && isSearched(folder));
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The version that a program prints. Undefined if it fails or does not end. */
export async function versionOf(program: string, argument: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const { stdout } = await execute(program, [argument], { env, signal, timeout: VERSION_MS, killSignal: "SIGKILL" });
    return stdout.trim().split("\n")[0];
  } catch {
    return undefined;
  }
}
