import type { Command } from "commander" with { "resolution-mode": "import" };
import { version } from "../provider/client/version";
import { limitHeapGrowth } from "../provider/pulumi/heap";
import type { AdoptOptions } from "./adopt";
import type { DoctorOptions } from "./doctor";
import { addDriftOptions, type DriftCommand } from "./drift/options";
import type { ImportCommand } from "./import";
import type { MigrateOptions } from "./migrate";
import { collect, projectFolder, timeLimit, timeLimitOf } from "./options";

/** Rejects empty values, such as that of `--stack "$STACK"` with a variable that is not set. */
function rejectEmptyValues(command: Command): void {
  const empty = command.options.find((option) => [command.getOptionValue(option.attributeName())].flat().includes(""));
  if (empty) command.error(`error: option '${empty.flags}': the value must not be empty`);
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The commands and their options. The code of each command is loaded on first use, so that `--help` is fast. */
export async function cloudinfra(): Promise<Command> {
  const { Command, Help, Option } = await import("commander");
  const help = new Help();
  const program = new Command("cloudinfra")
    .description("Tools for the Cloud Infrastructure API and its Pulumi provider.")
    .showHelpAfterError("(see --help)")
    .version(version, "--version", "Print the version.")
    .enablePositionalOptions()
    .configureHelp({
      // "(default: false)" and "(default: [])" would only say that the option is not set.
      optionDescription: (option) =>
        option.defaultValue === false || isEmptyList(option.defaultValue)
          ? option.description
          : help.optionDescription(option),
    })
    .exitOverride()
    .hook("preAction", (_, command) => rejectEmptyValues(command));
  program
    .command("emulator")
    .description("Run an emulator of the whole service on this machine.")
    .option("--port <number>", "port to listen on; 0 picks a free one", "4108")
    .option("--pace <pace>", "speed of jobs: instant, fast (30 times faster than the real service) or real", "fast")
    .option(
      "--seed <number>",
      "seed of all generated values of a new account (default: 1); if set, it also fixes the account's id and, with --pace instant, the clock",
    )
    .option("--latency <ms>", "milliseconds by which every response is delayed", "0")
    .option("--shuffle", "shuffle lists whose order the API does not define", false)
    .option("--token <token>", "token with all scopes", "emulator")
    .option("--dialect <name>", "public service whose names and behavior the emulator has: linode")
    .option("--strict", "with --dialect: reject fields of requests that are newer than release 4.108.1", false)
    .option("--open", "open the console, which shows and controls the account, in the browser", false)
    .option("--log", "print a line for each request: time, method, path, status and duration", false)
    .option(
      "--data <file>",
      "file that stores the account across restarts; if omitted, state is lost when the emulator stops",
    )
    .option(
      "--recover <file>",
      "write the intact part of a damaged --data file into a new file, and list the rest; does not start the emulator",
    )
    .option(
      "--account <name>",
      "contents of a new account: empty, small (a few objects of every kind) or large (10,000 objects); only for a new --data file",
      "empty",
    )
    .option(
      "--load <file>",
      "snapshot to start from, as returned by GET /_emulator/state; cannot be combined with an existing --data file",
    )
    .action(async (options: Readonly<Record<string, unknown>>) => {
      const { emulator } = await import("./emulator.js");
      await emulator(options);
    });
  program
    .command("api")
    .usage("<area> <operation> [flags]")
    .description(
      "Call the API. Every operation is a command. Without arguments, lists the areas (groups of operations, such as volumes).",
    )
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
    .description("Adopt existing objects: add them to a stack's state and print the program for them.")
    .argument("[KIND NAME ID...]", "the object to adopt, such as Volume data 640144, unless --file lists the objects")
    .option(
      "--file <file>",
      "file that lists the objects: lines of kind, name and id, or JSON or YAML; - reads standard input",
    )
    .option("--stack <name>", "stack that adopts them; defaults to the selected one")
    .option(...projectFolder)
    .option("--dry-run", "print the program without changing the state", false)
    .option(
      "--backup <file>",
      "file for a backup of the previous state; defaults to a new file in the project's folder",
    )
    .option(...timeLimit)
    .action(async (words: readonly string[], options: AdoptOptions) => {
      const { adopt } = await import("./adopt.js");
      await adopt(words, options);
    });
  program
    .command("import")
    .description("Import an account: write a Pulumi program that declares its objects, and add them to a stack.")
    .argument(
      "[objects...]",
      "single objects to import, such as instance/123 or domain/5/7; defaults to the whole account",
    )
    .option("--into <stack>", "stack that adopts the objects; created for a new project; defaults to the selected one")
    .option("--out <folder>", "folder of the project: one without a program, or that of an earlier import", ".")
    .option(
      "--provider <kind>",
      "dynamic (the default) or native: resources to write: dynamic resources or those of the native plugin",
    )
    .addOption(new Option("--head <kind>", "earlier name of --provider").hideHelp())
    .option(
      "--package <source>",
      "what a new project installs pulumi-cloudinfra from: a tarball, a folder, a URL or a version; defaults to what this command was installed from",
    )
    .option(
      "--secrets-provider <url>",
      "key service for the secrets of a new stack, such as awskms://…; defaults to that of the backend, mostly a passphrase",
    )
    .option(
      "--filter <filter>",
      "kind=Volume, area=dns, label=web-*, region=us-east or tag=prod; repeatable",
      collect,
      [],
    )
    .option("--state <file>", "exported state of another stack, whose objects are left out; repeatable", collect, [])
    .option(
      "--protect",
      "declare the objects with protect: true, so that they stay protected after the first update",
      false,
    )
    .option("--dry-run", "report what would be imported without changing anything", false)
    .option("--backup <file>", "file for a backup of the previous state; defaults to a new file in the folder")
    .option(...timeLimit)
    .action(async (objects: readonly string[], options: ImportCommand) => {
      const { importInto } = await import("./import.js");
      await importInto(objects, options);
    });
  addDriftOptions(program.command("drift"))
    .description("Compare stacks with the account: report what was changed or deleted outside Pulumi.")
    .action(async (options: DriftCommand) => {
      // For an account with 10,000 objects, the drift check then needs two thirds of the memory and takes a little
      // longer. (The option `--optimize-for-size` of Node.js saves more, and takes twice the time.)
      limitHeapGrowth(80);
      const { drift } = await import("./drift.js");
      await drift(options);
    });
  program
    .command("migrate")
    .description(
      "Rewrite the state of a stack, without changing any object: convert it from Pulumi dynamic resources to the native plugin or back (--to), or move it to another account that has the same objects (--account).",
    )
    .addOption(
      new Option(
        "--to <kind>",
        "convert the stack to dynamic resources (dynamic) or to the native plugin (native)",
      ).choices(["dynamic", "native"]),
    )
    .option("--account", "move the stack to the account of the address and token in use, if it has all objects", false)
    .option(
      "--provider-name <name>",
      "with --account: provider that the program creates; its new address and token are those in CLOUDINFRA_URL and CLOUDINFRA_TOKEN; defaults to the stack's configuration",
    )
    .option("--stack <name>", "stack to migrate; defaults to the selected one")
    .option(...projectFolder)
    .option("--dry-run", "list what would be migrated without changing the state", false)
    .option(
      "--backup <file>",
      "file for a backup of the previous state; defaults to a new file in the project's folder",
    )
    .option(...timeLimit)
    .action(async (options: MigrateOptions) => {
      const { migrate } = await import("./migrate.js");
      await migrate(options);
    });
  program
    .command("doctor")
    .description(
      "Check the set-up without changing it: tools, project, plugin, stack, address, token and account. Prints what is wrong and what to do.",
    )
    .option("--stack <name>", "stack to check; defaults to the selected one")
    .option(...projectFolder)
    .option("--url <url>", "address to check instead of the one that applies to the stack")
    .option("--token <token>", "token to check; prefer CLOUDINFRA_TOKEN, which other users of the machine cannot see")
    .option("--json", "print JSON", false)
    .option(...timeLimitOf("30s"))
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import("./doctor.js");
      await doctor(options);
    });
  program
    .command("completion")
    .description("Print the completion script for bash, zsh or fish.")
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
  return program;
}
