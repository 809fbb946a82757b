#!/usr/bin/env node
import "../provider/pulumi/node-version";
import { keepCompiledCode } from "../provider/pulumi/cache-folder";

keepCompiledCode();

// Excludes the environment from the report that Node.js writes after a crash, because the environment contains the
// token.
if (process.report) process.report.excludeEnv = true;

async function main(argv: readonly string[]): Promise<void> {
  const { execute } = await import("./execute.js");
  // A program that reads the output, such as `head`, may close the pipe early, and a user the terminal. That is not an
  // error, and a message that cannot be printed does not end a command that is writing a state.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
    process.exit();
  });
  process.stderr.on("error", () => {});
  await execute(argv);
}

void main(process.argv);
