import type { Command } from "commander" with { "resolution-mode": "import" };
import { commonOptions } from "../../cli/api/flags";
import { commonOptionDescriptions } from "../../cli/api/help";
import { cloudinfra } from "../../cli/program";
import { type Files, PAGE_MARK } from "./mark";
import { code, table } from "./markdown";

/** For commands that are described in detail on another page, a link to that page. */
const pages: Record<string, string> = {
  migrate:
    "[Dynamic resources or the native plugin](providers.md#move-a-stack-between-the-two) has examples, and how to undo it.",
  adopt: "[Adopt existing objects](adopt.md) has examples, exit codes, and how to undo it.",
  api: "[The client](client.md#the-command) has examples and exit codes; [API operations](api/README.md) lists every operation with its fields. These options apply to every operation:",
  completion: "In bash, for instance: `source <(npx cloudinfra completion bash)`.",
  doctor: "[Troubleshooting](troubleshooting.md#check-the-set-up) says what it checks, and has the exit codes.",
  drift: "[Detect drift](drift.md) has examples and exit codes.",
  import: "[Import an account](import.md) has examples, exit codes, and how to undo it.",
  emulator: "[The emulator](emulator.md) has the details.",
};

/** Generates docs/cli.md: the commands with their options. */
export async function cliFile(): Promise<Files> {
  const commands = (await cloudinfra()).commands.filter((command) => !command.name().startsWith("_"));
  const text = [
    `${PAGE_MARK}\n# Command line`,
    "`npx cloudinfra COMMAND` runs a command of the package. `npx cloudinfra COMMAND --help` prints the text on this page.",
    table(
      ["Command", "About"],
      commands.map((command) => [
        `[${code(`cloudinfra ${command.name()}`)}](#${command.name()})`,
        command.description(),
      ]),
    ),
    ...commands.flatMap(described),
  ];
  return { "docs/cli.md": `${text.join("\n\n")}\n` };
}

function described(command: Command): string[] {
  const rows = command.name() === "api" ? ofEveryOperation() : optionsOf(command);
  const usage = `cloudinfra ${command.name()} ${command.usage()}`;
  return [
    `## ${command.name()}`,
    command.description(),
    `\`\`\`text\n${usage}\n\`\`\``,
    ...command.registeredArguments.flatMap(({ description }) => (description ? [`${description}.`] : [])),
    pages[command.name()] ?? "",
    ...(rows.length ? [table(["Option", "Default", "About"], rows)] : []),
  ].filter(Boolean);
}

const optionsOf = (command: Command): string[][] =>
  command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, defaultValue, description }) => [
      code(flags),
      typeof defaultValue === "string" && defaultValue ? code(defaultValue) : "",
      description,
    ]);

const ofEveryOperation = (): string[][] =>
  Object.entries(commonOptions).map(([name, value]) => [
    code(`--${name}${value && ` ${value}`}`),
    "",
    commonOptionDescriptions[name as keyof typeof commonOptions],
  ]);
