#!/usr/bin/env node
import "../provider/pulumi/node-version";
import { join } from "node:path";
import { runBundle } from "../provider/pulumi/bundle";
import { keepCompiledCode } from "../provider/pulumi/cache-folder";

keepCompiledCode();

// Excludes the environment from the report that Node.js writes after a crash, because the environment contains the
// token.
if (process.report) process.report.excludeEnv = true;

const emulatorBundle = () => runBundle(join(__dirname, "emulator-bundle.js")) as typeof import("./execute");

async function main(argv: readonly string[]): Promise<void> {
  // The emulator is bundled, because programs such as tests start it often and wait for it.
  const { execute } = argv[2] === "emulator" ? emulatorBundle() : await import("./execute.js");
  const { endWithoutOutput } = await import("./output.js");
  endWithoutOutput();
  // A message that cannot be printed does not end a command that is writing a state.
  process.stderr.on("error", () => {});
  await execute(argv);
}

void main(process.argv);
