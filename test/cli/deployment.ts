import { type ExecFileOptions, execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";

/** The folder of the examples that run without a person. */
export const folder = join(__dirname, "../../examples/unattended");

export const read = (file: string): string => readFileSync(join(folder, file), "utf8");

/** The values of a systemd unit by key, in their order. */
export const unitOf = (text: string): Record<string, string[]> => {
  const lines = text.split("\n").flatMap((line) => {
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return key === undefined ? [] : [{ key, value: value ?? "" }];
  });
  const byKey = Map.groupBy(lines, ({ key }) => key);
  return Object.fromEntries([...byKey].map(([key, values]) => [key, values.map(({ value }) => value)]));
};

/** The documents of a YAML file. */
export const documentsIn = <T>(text: string): T[] => parseAllDocuments(text).map((document) => document.toJS() as T);

interface Instruction {
  name: string;
  value: string;
}

/** The instructions of a Dockerfile by the target that they belong to. Continued lines are joined. */
export function targetsOf(text: string): Record<string, Instruction[]> {
  const targets: Record<string, Instruction[]> = {};
  let target = "";
  for (const line of text
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split("\n")) {
    const [, name = "", value = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === "FROM") target = / AS (\w+)$/.exec(value)?.[1] ?? "";
    if (name) targets[target] = [...(targets[target] ?? []), { name, value }];
  }
  return targets;
}

export interface Checked {
  code: number;
  output: string;
}

/** Runs a command, with further variables or with other options. The output is that of both streams. */
export const checked = (
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  options: ExecFileOptions = {},
): Promise<Checked> =>
  promisify(execFile)(command, args, { env: { ...process.env, ...env }, ...options, encoding: "utf8" }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  );
