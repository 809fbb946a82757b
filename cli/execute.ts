/** Runs the command with the words of a command line, and sets the exit code of the process. */
export async function execute(argv: readonly string[]): Promise<void> {
  const { CommanderError } = await import("commander");
  const { cloudinfra } = await import("./program.js");
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
