#!/usr/bin/env node
import "../provider/pulumi/node-version";
import { keepCompiledCode } from "../provider/pulumi/cache-folder";

keepCompiledCode();

// Excludes the environment from the report that Node.js writes after a crash, because the environment contains the
// token.
if (process.report) process.report.excludeEnv = true;

async function main(argv: readonly string[]): Promise<void> {
  const { execute } = await import("./execute.js");
  const { endWithoutOutput } = await import("./output.js");
  endWithoutOutput();
  // A message that cannot be printed does not end a command that is writing a state.
  process.stderr.on("error", () => {});
  await execute(argv);
}

void main(process.argv);
