#!/usr/bin/env node
import "../provider/pulumi/node-version";
import { keepCompiledCode } from "../provider/pulumi/cache-folder";

keepCompiledCode();

// Excludes the environment from the report that Node.js writes after a crash, because the environment contains the
// token.
if (process.report) process.report.excludeEnv = true;

async function main(argv: readonly string[]): Promise<void> {
  const { CommanderError } = await import("commander");
  const { cloudinfra } = await import("./program.js");
  // A program that reads the output, such as `head`, may close the pipe early, and a user the terminal. That is not an
  // error, and a message that cannot be printed does not end a command that is writing a state.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
    process.exit();
  });
  process.stderr.on("error", () => {});
  try {
    await (await cloudinfra()).parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      // The command line parser has already printed the error, help or version. Usage errors exit with 2, but with 1 in
      // `cloudinfra drift`, where 2 means that there is drift.
      process.exitCode = error.exitCode === 0 ? 0 : argv[2] === "drift" ? 1 : 2;
      return;
    }
    const { exitCodeFor } = await import("./exit-code.js");
    const { printError } = await import("./say.js");
    printError(error);
    process.exitCode = exitCodeFor(error);
  }
}

void main(process.argv);
