import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { filesIn, writeIn } from "./engine-project";

/** A configuration value. Secret values are encrypted in the stack's file, as by `pulumi config set --secret`. */
export type ConfigValue = string | number | boolean | { secret: string };
export type Config = Readonly<Record<string, ConfigValue>>;

/** The files of a stack by their path in its temporary folder. */
type Files = Readonly<Record<string, string>>;

/**
 * The files of the stacks that were created in this process. The key combines everything that affects the files, such
 * as the stack's secrets and the project file.
 */
const created = new Map<string, Files>();

/**
 * Creates a stack and its configuration. Pulumi takes most of a second to create a stack and encrypt its secrets, so
 * stacks that differ only in their other configuration values are copies of the first one.
 */
export async function createStack(
  home: string,
  env: object,
  config: Config,
  create: (config: Config) => Promise<void>,
): Promise<void> {
  await mkdir(join(home, "state"), { recursive: true });
  // Not plain: secrets, which Pulumi encrypts, and keys such as `size`, to which Pulumi adds the project's name.
  const isPlain = ([key, value]: [string, ConfigValue]): boolean => typeof value !== "object" && key.includes(":");
  const rest = Object.entries(config).filter((entry) => !isPlain(entry));
  const key = JSON.stringify([await readFile(join(home, "project/Pulumi.yaml"), "utf8"), env, rest]);
  const earlier = created.get(key);
  if (earlier) await Promise.all(Object.entries(earlier).map(([file, text]) => writeIn(home, file, text)));
  else {
    await create(Object.fromEntries(rest));
    created.set(key, await filesOf(home));
  }
  await addConfig(home, Object.entries(config).filter(isPlain));
}

const SETTINGS = "project/Pulumi.test.yaml";

async function filesOf(home: string): Promise<Files> {
  const state = Object.entries(await filesIn(join(home, "state"))).map(([file, text]) => [`state/${file}`, text]);
  return { ...Object.fromEntries(state), [SETTINGS]: await readFile(join(home, SETTINGS), "utf8") };
}

/** Adds values to the stack's file, as `pulumi config set` does. */
async function addConfig(home: string, values: readonly [string, ConfigValue][]): Promise<void> {
  if (!values.length) return;
  const lines = values.map(([key, value]) => `  ${key}: ${JSON.stringify(String(value))}\n`);
  const [head = "", others = ""] = (await readFile(join(home, SETTINGS), "utf8")).split(/^config:\n/m);
  await writeIn(home, SETTINGS, `${head}config:\n${lines.join("")}${others}`);
}
