import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./run";

/** A tool is not installed and cannot be installed. The message contains the name of the tool. */
export class Missing extends Error {}

const cache = (): string => process.env.CLOUDINFRA_CACHE ?? join(homedir(), ".cache/pulumi-cloudinfra");

/**
 * Returns the Python interpreter of a virtual environment with the packages that a requirements file lists. The
 * environment is cached and reused until the file changes.
 */
export async function python(requirements: string): Promise<string> {
  const hash = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const home = join(cache(), `clients-python-${hash}`);
  const complete = join(home, ".complete");
  const command = join(home, "bin/python");
  if (existsSync(complete)) return command;
  await required("python3", ["-c", "import venv"], "Install Python 3.10 or later with its module venv.");
  console.log(`installing ${requirements} into ${home}`);
  rmSync(home, { recursive: true, force: true });
  await brought("python3", ["-m", "venv", home]);
  await brought(command, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]);
  writeFileSync(complete, "");
  return command;
}

/** The machine's `go` command, after the modules that the file in the folder pins are downloaded. */
export async function go(folder: string, modules: string): Promise<string> {
  await required("go", ["version"], "Install Go 1.25 or later.");
  await brought("go", ["mod", "download", `-modfile=${modules}`], folder);
  return "go";
}

async function required(command: string, args: string[], way: string): Promise<void> {
  const { code } = await run(command, args);
  if (code !== 0) throw new Missing(`${command} is missing or does not run. ${way}`);
}

async function brought(command: string, args: string[], cwd?: string): Promise<void> {
  const { code, output } = await run(command, args, { cwd });
  if (code !== 0) throw new Missing(`${[command, ...args].join(" ")} failed:\n${output.slice(-8).join("\n")}`);
}
