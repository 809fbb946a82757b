import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeExecutable } from "./executable";

const file = join(__dirname, "../..", "plugin", "pulumi-resource-cloudinfra");

/** Builds the native plugin for this machine, from the running Node.js binary. */
function main(): void {
  mkdirSync(dirname(file), { recursive: true });
  const { execPath } = process;
  writeExecutable({ node: execPath, generator: execPath, file, isCompiled: true, prepare: strip });
  console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
}

/** Removes debug symbols, which are a seventh of the binary. If the program `strip` is missing, they are kept. */
function strip(executable: string): void {
  try {
    execFileSync("strip", [executable]);
  } catch (error) {
    console.warn(`the executable keeps its debug symbols: ${(error as Error).message}`);
  }
}

main();
