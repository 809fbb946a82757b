import { entryOf, fieldsOf, filterableFields, metaOf, type Operation } from "../../api";
import { choicesOf, type Flag, flagsOf, ours } from "../api/flags";
import { optionsOf } from "../api/help";
import { areas, isCalled, operationsOf } from "../api/names";

export type Candidate = [word: string, about: string];

/** The completion candidates for the last of the words that follow `cloudinfra api`. */
export function inApi(words: readonly string[]): Candidate[] {
  const [areaName, operationName, ...rest] = words;
  if (operationName === undefined)
    return areas().map(({ name, value }) => [
      name,
      operationsOf(value)
        .map(({ name }) => name)
        .join(", "),
    ]);
  const known = areas().find((area) => isCalled(area, areaName ?? ""));
  const operations = known ? operationsOf(known.value) : [];
  if (!rest.length) return operations.map(({ name, value }) => [name, value.summary]);
  const operation = operations.find(({ name }) => name === operationName);
  return operation ? behind(operation.value, rest) : [];
}

/**
 * The completion candidates for the last word: the values of the flag before it or, if it does not follow such a flag,
 * the flags of the operation.
 */
function behind(operation: Operation, words: readonly string[]): Candidate[] {
  const flags = flagsOf(operation);
  const before = words.at(-2) ?? "";
  const due = flags.find(({ name, value }) => value !== undefined && before === `--${name}`);
  if (due) return choicesOf(due).map((choice) => [choice, ""]);
  if (before.startsWith("--") && ours[before.slice(2) as keyof typeof ours]) return choicesOfOurs(operation, before);
  const used = new Set(words.slice(0, -1));
  return [...flags.flatMap(named), ...optionsOf(operation).map((name): Candidate => [`--${name}`, ""])].filter(
    ([word]) =>
      !used.has(word) || word === "--filter" || flags.some(({ name, repeats }) => repeats && `--${name}` === word),
  );
}

function named({ name, value, schema }: Flag): Candidate[] {
  const about = metaOf(schema).description ?? "";
  const both: Candidate[] = [[`--${name}`, about]];
  return value === undefined ? [...both, [`--no-${name}`, about]] : both;
}

function choicesOfOurs(operation: Operation, option: string): Candidate[] {
  const entry = entryOf(operation);
  const fields = entry ? [...filterableFields(entry).keys()] : [];
  if (option === "--filter") return fields.map((field) => [`${field}=`, ""]);
  if (option === "--columns") return Object.keys(fieldsOf(entry ?? operation.result)).map((field) => [field, ""]);
  return option === "--order-by" ? ["id", ...fields].map((field) => [field, ""]) : [];
}
