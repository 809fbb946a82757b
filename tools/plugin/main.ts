import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Command, commandsFor } from "./commands";
import { writeExecutable } from "./executable";

const file = join(__dirname, "../..", "plugin", "pulumi-resource-cloudinfra");

/** Builds the native plugin for this machine, from the running Node.js binary. */
function main(): void {
  mkdirSync(dirname(file), { recursive: true });
  const { execPath, platform } = process;
  const { before, after } = commandsFor(platform);
  const prepare = (copy: string): void => {
    for (const command of before) run(command, copy);
  };
  writeExecutable({ node: execPath, generator: execPath, file, isCompiled: true, prepare });
  for (const command of after) run(command, file);
  console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
}

function run({ program, args, without }: Command, executable: string): void {
  try {
    execFileSync(program, [...args, executable]);
  } catch (error) {
    if (without === undefined) throw error;
    console.warn(`${without}: ${(error as Error).message}`);
  }
}

main();
