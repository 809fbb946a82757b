import { entryOf, fieldsOf, filterableFields, metaOf, type Operation } from "../../api";
import { choicesOf, commonOptions, type Flag, flagsOf } from "../api/flags";
import { optionsOf } from "../api/help";
import { areas, isNamed, operationsOf } from "../api/names";

export type Candidate = [word: string, about: string];

/** The completion candidates for the last of the words that follow `cloudinfra api`. */
export function apiCandidates(words: readonly string[]): Candidate[] {
  const [areaName, operationName, ...rest] = words;
  if (operationName === undefined)
    return areas().map(({ name, value }) => [
      name,
      operationsOf(value)
        .map(({ name }) => name)
        .join(", "),
    ]);
  const foundArea = areas().find((area) => isNamed(area, areaName ?? ""));
  const operations = foundArea ? operationsOf(foundArea.value) : [];
  if (!rest.length) return operations.map(({ name, value }) => [name, value.summary]);
  const operation = operations.find(({ name }) => name === operationName);
  return operation ? candidatesAfter(operation.value, rest) : [];
}

/**
 * The completion candidates for the last word: the values of the flag before it or, if it does not follow such a flag,
 * the flags of the operation.
 */
function candidatesAfter(operation: Operation, words: readonly string[]): Candidate[] {
  const flags = flagsOf(operation);
  const before = words.at(-2) ?? "";
  const due = flags.find(({ name, value }) => value !== undefined && before === `--${name}`);
  if (due) return choicesOf(due).map((choice) => [choice, ""]);
  if (before.startsWith("--") && commonOptions[before.slice(2) as keyof typeof commonOptions])
    return choicesOfCommonOption(operation, before);
  const used = new Set(words.slice(0, -1));
  return [...flags.flatMap(candidatesFor), ...optionsOf(operation).map((name): Candidate => [`--${name}`, ""])].filter(
    ([word]) =>
      !used.has(word) || word === "--filter" || flags.some(({ name, repeats }) => repeats && `--${name}` === word),
  );
}

function candidatesFor({ name, value, schema }: Flag): Candidate[] {
  const description = metaOf(schema).description ?? "";
  const both: Candidate[] = [[`--${name}`, description]];
  return value === undefined ? [...both, [`--no-${name}`, description]] : both;
}

function choicesOfCommonOption(operation: Operation, option: string): Candidate[] {
  const entry = entryOf(operation);
  const fields = entry ? [...filterableFields(entry).keys()] : [];
  if (option === "--filter") return fields.map((field) => [`${field}=`, ""]);
  if (option === "--columns") return Object.keys(fieldsOf(entry ?? operation.result)).map((field) => [field, ""]);
  return option === "--order-by" ? ["id", ...fields].map((field) => [field, ""]) : [];
}
