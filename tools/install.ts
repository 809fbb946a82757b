import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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
  await alone(home, async () => {
    // Another process can have installed the packages in the meantime.
    if (existsSync(complete)) return;
    console.log(`installing ${requirements} into ${home}`);
    rmSync(home, { recursive: true, force: true });
    await brought("python3", ["-m", "venv", home]);
    await brought(command, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]);
    writeFileSync(complete, "");
  });
  return command;
}

const POLL_MS = 500;

/**
 * Runs `work` while no other process writes to the folder. The lock is a symbolic link to the id of its process, which
 * is created atomically, and which shows whether that process still runs.
 */
async function alone(folder: string, work: () => Promise<void>): Promise<void> {
  const lock = `${folder}.lock`;
  mkdirSync(dirname(folder), { recursive: true });
  while (!tryLock(lock)) await sleep(POLL_MS);
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryLock(lock: string): boolean {
  try {
    symlinkSync(String(process.pid), lock);
    return true;
  } catch {
    if (!isOwned(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isOwned(lock: string): boolean {
  try {
    process.kill(Number(readlinkSync(lock)), 0);
    return true;
  } catch {
    return false;
  }
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
