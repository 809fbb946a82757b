#!/usr/bin/env node
/** Each command's file is loaded when the command is used, so that `--help` is quick. */
async function main(argv: readonly string[]): Promise<void> {
  const { Command, CommanderError } = await import("commander");
  const program = new Command("cloudinfra")
    .description("Tools for the Cloud Infrastructure API and its Pulumi provider.")
    .showHelpAfterError("(see --help)")
    .exitOverride();
  program
    .command("emulator")
    .description("Run an emulator of the whole service on this machine.")
    .option("--port <number>", "port to listen on; 0 picks a free one", "4108")
    .option("--pace <pace>", "how quickly jobs end: instant, fast (a thirtieth of the real time) or real", "fast")
    .option("--seed <number>", "number that all made-up values of a new account derive from", "1")
    .option("--latency <ms>", "milliseconds that each answer is held back", "0")
    .option("--shuffle", "give what the API does not order in another order on each read", false)
    .option("--token <token>", "token that may do everything", "emulator")
    .option(
      "--data <file>",
      "keep the account in this file, and go on with what is in it; without, all ends with the emulator",
    )
    .option(
      "--account <name>",
      "what is in a new account: empty, small (a handful of everything) or large (10,000 objects)",
      "empty",
    )
    .option("--load <file>", "begin with this snapshot, as GET /_emulator/state gives it; a file of --data must be new")
    .action(async (options: Readonly<Record<string, unknown>>) => {
      const { emulator } = await import("./emulator.js");
      await emulator(options);
    });
  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      // What was wrong has been said; help and version are no errors.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    const { Misuse } = await import("./misuse.js");
    process.stderr.write(`cloudinfra: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof Misuse ? 2 : 1;
  }
}

void main(process.argv);
