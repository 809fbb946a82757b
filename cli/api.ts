import type { Command } from "commander" with { "resolution-mode": "import" };
import { type Area, holdsSecret, type Operation } from "../api";
import { UsageError } from "../stack/errors";
import { type Connection, call, returnsBytes } from "./api/call";
import { filterOf } from "./api/filter";
import { type CommonOption, commonOptions, type Flag, flagsOf } from "./api/flags";
import { areaHelp, areasHelp, operationHelp, optionsOf } from "./api/help";
import { inputOf, unknownFlag } from "./api/input";
import { findArea, findOperation, type Named } from "./api/names";
import { write } from "./api/output";
import { OutputFile } from "./api/output-file";
import { pickOf } from "./api/pick";

/**
 * Runs `cloudinfra api …`. Commands, flags and help are generated from the operations in `api/`. To start fast, only
 * the command in use is built.
 */
export async function api(words: readonly string[]): Promise<void> {
  const [areaName, operationName, ...rest] = words;
  if (areaName === undefined || isHelp(areaName)) return print(areasHelp());
  const area = findArea(literalWord(areaName));
  if (operationName === undefined || isHelp(operationName)) return print(areaHelp(area));
  await run(area, findOperation(area, literalWord(operationName)), rest);
}

const isHelp = (word: string): boolean => word === "--help" || word === "-h" || word === "help";

const print = (text: string): void => void process.stdout.write(text);

function literalWord(word: string): string {
  if (word.startsWith("-"))
    throw new UsageError(
      `unexpected ${word}: flags come after the area and the operation, as in "cloudinfra api volumes list ${word}"`,
    );
  return word;
}

interface Options extends Connection {
  json: boolean;
  output?: string;
  jq?: string;
  columns?: string;
  all?: boolean;
  filter?: string[];
  orderBy?: string;
  desc?: boolean;
  file?: string;
}

async function run(area: Named<Area>, operation: Named<Operation>, words: readonly string[]): Promise<void> {
  const { Command, CommanderError } = await import("commander");
  const flagValues = new Map<Flag, string[]>();
  const command = commandOf(new Command(`cloudinfra api ${area.name} ${operation.name}`), operation.value, flagValues);
  command.configureHelp({ formatHelp: () => operationHelp(area, operation) });
  command.action(async () => {
    const options = command.opts<Options>();
    if (returnsBytes(operation.value) && !options.output && process.stdout.isTTY)
      throw new UsageError(
        "the response is binary and cannot be shown in a terminal: write it to a file with --output, or pipe it",
      );
    const pick = pickOf(operation.value, options);
    const filter = filterOf(operation.value, options);
    const input = await inputOf(operation.value, { flags: flagValues, words: command.args, file: options.file });
    await using file = await outputFile(operation.value, options);
    const result = await call(area, operation, { ...input, ...(filter && { filter }) }, options, options.all);
    await write(operation.value, result, { json: options.json, pick, file });
  });
  try {
    await command.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode === 0) throw error;
    throw new UsageError(usageProblem(error.code, command, words, operation.value) ?? error.message);
  }
}

async function outputFile(operation: Operation, { output }: Options): Promise<OutputFile | undefined> {
  return output === undefined ? undefined : await OutputFile.open(output, holdsSecret(operation.result));
}

/** Builds the command of an operation. Parsing it adds the values of its flags to `flagValues` as strings. */
function commandOf(command: Command, operation: Operation, flagValues: Map<Flag, string[]>): Command {
  command
    .argument("[words...]")
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  for (const flag of flagsOf(operation)) {
    const collect = (text: string) =>
      void flagValues.set(flag, [...(flag.repeats ? (flagValues.get(flag) ?? []) : []), text]);
    if (flag.value !== undefined) command.option(`--${flag.name} <value>`, "", collect);
    else
      for (const [name, text] of [
        [flag.name, "true"],
        [`no-${flag.name}`, "false"],
      ] as const)
        command.option(`--${name}`).on(`option:${name}`, () => collect(text));
  }
  for (const name of optionsOf(operation)) if (name !== "help") addCommonOption(command, name);
  return command.helpOption("-h, --help");
}

function addCommonOption(command: Command, name: CommonOption): void {
  if (!commonOptions[name]) command.option(`--${name}`, "", false);
  else if (name === "filter") command.option("--filter <value>", "", (text, all: string[] = []) => [...all, text]);
  else command.option(`--${name} <value>`, "");
}

/**
 * A clearer text for an error of commander, the library that parses the command line. Undefined if the library's own
 * text is clear.
 */
function usageProblem(
  code: string,
  command: Command,
  words: readonly string[],
  operation: Operation,
): string | undefined {
  // Any other flag would take the next argument as its value, so the flag without a value is the last argument.
  if (code === "commander.optionMissingArgument") return `${words.at(-1)}: requires a value`;
  if (code !== "commander.unknownOption") return undefined;
  const [unknown = ""] = command.parseOptions([...words]).unknown;
  return unknownFlag(unknown.split("=")[0] ?? "", [
    ...flagsOf(operation).flatMap(({ name, value }) => (value === undefined ? [name, `no-${name}`] : [name])),
    ...optionsOf(operation),
  ]);
}
