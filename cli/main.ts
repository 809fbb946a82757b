#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import type { AdoptOptions } from "./adopt";
import type { DriftCommand } from "./drift";

/** Options that can be given several times. */
const collect = (value: string, before: readonly string[]): string[] => [...before, value];

enableCompileCache();

/** Each command's file is loaded when the command is used, so that `--help` is quick. */
async function main(argv: readonly string[]): Promise<void> {
  const { Command, CommanderError } = await import("commander");
  const { version } = await import("../provider/client/version.js");
  const program = new Command("cloudinfra")
    .description("Tools for the Cloud Infrastructure API and its Pulumi provider.")
    .showHelpAfterError("(see --help)")
    .version(version, "--version", "Print the version.")
    .enablePositionalOptions()
    .exitOverride();
  // A reader that has seen enough, as head has, is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  program
    .command("emulator")
    .description("Run an emulator of the whole service on this machine.")
    .option("--port <number>", "port to listen on; 0 picks a free one", "4108")
    .option("--pace <pace>", "how quickly jobs end: instant, fast (a thirtieth of the real time) or real", "fast")
    .option(
      "--seed <number>",
      "number that all generated values of a new account derive from (default: 1); with --pace instant it fixes the dates too",
    )
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
  program
    .command("api")
    .usage("<area> <operation> [flags]")
    .description("Call the API: every operation of the service is a command; without an area it lists them.")
    .argument("[words...]")
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: readonly string[]) => {
      const { api } = await import("./api.js");
      await api(words);
    });
  program
    .command("adopt")
    .description("Bring existing objects under code: put them into a stack's state and print their program.")
    .argument("[words...]", "KIND NAME ID, such as Volume data 640144")
    .option("--file <file>", "list of objects instead: a line with kind, name and id each, or JSON or YAML; - is stdin")
    .option("--stack <name>", "stack that adopts them; the selected one if omitted")
    .option("--cwd <folder>", "folder of the Pulumi project", ".")
    .option("--dry-run", "only read the objects and print the program", false)
    .option("--backup <file>", "where to keep the state as it was; a new file in the project's folder if omitted")
    .action(async (words: readonly string[], options: AdoptOptions) => {
      const { adopt } = await import("./adopt.js");
      await adopt(words, options);
    });
  program
    .command("drift")
    .description("Compare stacks with the account: report what was changed or deleted outside Pulumi.")
    .option("--stack <name>", "stack to check; repeatable; defaults to the selected one", collect, [])
    .option("--state <file>", "exported state to check instead of a stack; repeatable", collect, [])
    .option("--project <folder>", "folder of the Pulumi project", ".")
    .option("--format <format>", "format of the report: text or json; repeatable", collect, [])
    .option("--out <file>", "file for a format, in the order of the formats; repeatable", collect, [])
    .option("--baseline <file>", "earlier JSON report: its findings do not count as drift again")
    .action(async (options: DriftCommand) => {
      const { drift } = await import("./drift.js");
      await drift(options);
    });
  program
    .command("completion")
    .description("Print what makes a shell complete this command: bash, zsh or fish.")
    .argument("<shell>", "bash, zsh or fish")
    .action(async (shell: string) => {
      const { completion } = await import("./completion.js");
      process.stdout.write(completion(shell));
    });
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: readonly string[]) => {
      const { candidates } = await import("./completion.js");
      process.stdout.write(candidates(program, words));
    });
  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      // What was wrong has been said; help and version are no errors.
      process.exitCode = error.exitCode === 0 ? 0 : argv[2] === "drift" ? 1 : 2;
      return;
    }
    const { CommandError } = await import("./usage-error.js");
    const { printable } = await import("../provider/client/printable.js");
    const message = printable(error instanceof Error ? error.message : String(error));
    process.stderr.write(`cloudinfra:${message.startsWith("\n") ? "" : " "}${message}\n`);
    process.exitCode = error instanceof CommandError ? error.exitCode : 1;
  }
}

void main(process.argv);
