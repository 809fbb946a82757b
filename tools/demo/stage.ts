import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { styleText } from "node:util";

/** Root folder of this repository, as seen from the compiled file in `dist/tools/demo`. */
const root = join(__dirname, "../../..");

export function step(number: number, title: string, text: string): void {
  console.log(`\n${styleText("bold", `━━ ${number} · ${title}`)}\n${styleText("dim", `   ${text}`)}\n`);
}

export const print = (text: string): void => console.log(styleText("cyan", `   ${text}`));

/** Starts the emulator as a separate process, because KEEP=1 leaves it running after the demo. */
export async function startEmulator(folder: string): Promise<{ url: string; token: string; process: ChildProcess }> {
  const log = openSync(join(folder, "emulator.log"), "a");
  const command = [join(root, "dist/cli/main.js"), "emulator", "--port", "0", "--shuffle"];
  const emulator = spawn(process.execPath, command, { stdio: ["ignore", "pipe", log], detached: true });
  const output = emulator.stdout as Readable;
  const lines = createInterface({ input: output });
  const ended = once(lines, "close").then(() => {
    throw new Error(`the emulator did not start; see ${folder}/emulator.log`);
  });
  const [line] = (await Promise.race([once(lines, "line"), ended])) as [string];
  ended.catch(() => {});
  // Closes the pipe from the emulator, because an open pipe would prevent the demo from ending.
  output.destroy();
  const [, url = "", , token = ""] = line.split(" ");
  print(line);
  return { url, token, process: emulator };
}

/** A copy of the example project with Pulumi state of its own, which the demo edits. */
export class Project {
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;

  private constructor(folder: string) {
    this.dir = join(folder, "web-cluster");
    this.env = { ...process.env, PULUMI_BACKEND_URL: `file://${folder}/state` };
  }

  static async copy(folder: string): Promise<Project> {
    const project = new Project(folder);
    await mkdir(join(folder, "state"), { recursive: true });
    const own = (path: string) => !path.includes("node_modules") && !/Pulumi\..+\.yaml$/.test(path);
    await cp(join(root, "examples/web-cluster"), project.dir, { recursive: true, filter: own });
    // Links the npm packages that are installed in the repository into the copied project, and the repository itself as
    // the package `pulumi-cloudinfra`.
    await mkdir(join(project.dir, "node_modules"));
    await symlink(root, join(project.dir, "node_modules/pulumi-cloudinfra"));
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    return project;
  }

  /** Runs a Pulumi command and shows its output. Throws if the command fails. */
  async pulumi(...args: string[]): Promise<void> {
    console.log(styleText("green", `   $ pulumi ${args.join(" ")}`));
    const colour = process.env.FORCE_COLOR ? ["--color", "always"] : [];
    const child = spawn("pulumi", [...args, ...colour], { cwd: this.dir, env: this.env, stdio: "inherit" });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`pulumi ${args[0]} ended with code ${code}`);
  }

  /**
   * Runs a Pulumi command without showing its output. An error message contains only the first two arguments, because
   * further arguments may be secrets.
   */
  async quietly(...args: string[]): Promise<void> {
    const child = spawn("pulumi", args, { cwd: this.dir, env: this.env, stdio: ["ignore", "ignore", "pipe"] });
    const errors = text(child.stderr);
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`pulumi ${args.slice(0, 2).join(" ")} ended with code ${code}: ${await errors}`);
  }

  /** Replaces text in the program, and prints the removed and the added lines. */
  async edit(from: string, to: string): Promise<void> {
    const file = join(this.dir, "index.ts");
    const program = await readFile(file, "utf8");
    if (program.split(from).length !== 2) throw new Error(`index.ts must contain ${JSON.stringify(from)} exactly once`);
    await writeFile(file, program.replace(from, to));
    for (const line of from.trim().split("\n")) console.log(styleText("red", `   - ${line.trim()}`));
    for (const line of to.trim().split("\n")) console.log(styleText("green", `   + ${line.trim()}`));
    console.log();
  }
}

/** Creates an empty folder for the demo. Removes the folder of an earlier demo. */
export async function freshFolder(): Promise<string> {
  const cache = process.env.CLOUDINFRA_CACHE ?? join(root, "dist");
  const folder = join(cache, "demo");
  await stopEarlier(folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Stops the emulator that an earlier demo with KEEP=1 has left running. */
async function stopEarlier(folder: string): Promise<void> {
  const pid = Number(await readFile(join(folder, "emulator.pid"), "utf8").catch(() => ""));
  if (!pid) return;
  try {
    process.kill(pid);
  } catch {
    // The emulator has already stopped.
  }
}

export const remember = (folder: string, { pid }: ChildProcess): Promise<void> =>
  writeFile(join(folder, "emulator.pid"), String(pid));
