import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Milliseconds in which a program has to print its version. */
const VERSION_MS = 10_000;

interface Search {
  /** Selects folders of PATH. By default, all are searched. */
  isSearched?: (folder: string) => boolean;
  platform?: NodeJS.Platform;
  /** The endings that a program can have on Windows. By default, those in PATHEXT. */
  endings?: readonly string[];
}

/** The path of a program by its name or path. Undefined if it does not exist or cannot be run. */
export function programAt(
  name: string,
  { isSearched = () => true, platform = process.platform, endings = knownEndings() }: Search = {},
): string | undefined {
  const files = platform === "win32" ? withEndings(name, endings) : [name];
  if (/[/\\]/.test(name)) return files.map((file) => resolve(file)).find(isProgram);
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder && isSearched(folder));
  return folders.flatMap((folder) => files.map((file) => join(folder, file))).find(isProgram);
}

const knownEndings = (): string[] =>
  (process.env.PATHEXT || ".COM;.EXE;.BAT;.CMD").toLowerCase().split(";").filter(Boolean);

/** The names that the file of a program can have. */
function withEndings(name: string, endings: readonly string[]): string[] {
  const hasEnding = endings.some((ending) => name.toLowerCase().endsWith(ending));
  return [...(hasEnding ? [name] : []), ...endings.map((ending) => `${name}${ending}`)];
}

function isProgram(file: string): boolean {
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
    const { file, args, shell } = commandOf(program, argument);
    const { stdout } = await execute(file, args, { env, shell, signal, timeout: VERSION_MS, killSignal: "SIGKILL" });
    return stdout.trim().split("\n")[0];
  } catch {
    return undefined;
  }
}

/** How Node.js runs a program: a script of Windows only through the shell, which joins the words without quotes. */
export function commandOf(
  program: string,
  argument: string,
  platform: NodeJS.Platform = process.platform,
): { file: string; args: string[]; shell: boolean } {
  return platform === "win32" && /\.(?:bat|cmd)$/i.test(program)
    ? { file: `"${program}" ${argument}`, args: [], shell: true }
    : { file: program, args: [argument], shell: false };
}
