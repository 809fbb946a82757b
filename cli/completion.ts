import type { Command } from "commander" with { "resolution-mode": "import" };
import { suggestion } from "../api";
import { UsageError } from "../stack/errors";
import { adoptable } from "./completion/adopt";
import { apiCandidates, type Candidate } from "./completion/api";
import { scripts } from "./completion/scripts";

/**
 * Prints the completion script of a shell. The script runs `cloudinfra` to get candidates, so users do not have to
 * install it again after an upgrade.
 */
export function completion(shell: string): string {
  const script = scripts[shell];
  if (!script)
    throw new UsageError(`completion is not available for "${shell}"${suggestion(shell, Object.keys(scripts))}`);
  return script;
}

/** Prints the candidates for the last word, one per line. Descriptions follow after a tab. */
export function candidates(program: Command, words: readonly string[]): string {
  const [name = "", ...rest] = words[0] === "--" ? words.slice(1) : words;
  const typed = rest.at(-1) ?? name;
  const found = rest.length ? candidatesIn(program, name, rest) : commandsOf(program);
  return found
    .filter(([word]) => word.startsWith(typed))
    .map(([word, description]) => `${word}\t${description.replace(/\s+/g, " ")}\n`)
    .join("");
}

const commandsOf = (program: Command): Candidate[] =>
  program
    .createHelp()
    .visibleCommands(program)
    .map((command) => [command.name(), command.description()]);

function candidatesIn(program: Command, name: string, words: readonly string[]): Candidate[] {
  if (name === "api") return apiCandidates(words);
  if (name === "completion")
    return words.length === 1 ? Object.keys(scripts).map((shell) => [shell, `for ${shell}`]) : [];
  if (name === "adopt" && words.length === 1 && !words[0]?.startsWith("-")) return adoptable();
  const command = program.commands.find((one) => one.name() === name);
  return command ? command.options.map((option): Candidate => [option.long ?? "", option.description]) : [];
}
