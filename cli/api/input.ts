import { z } from "zod";
import {
  fieldsOf,
  holdsSecret,
  Id,
  type Operation,
  type Problem,
  pathText,
  problemsOf,
  suggestion,
  withoutAbsent,
} from "../../api";
import { isWhole } from "../../provider/client/flat-input";
import { UsageError } from "../../stack/errors";
import { bodyOf, bytesOf } from "./file";
import { type Flag, flagsOf } from "./flags";
import { InvalidValueError, parseValues } from "./values";

type Row = Record<string, unknown>;

/** The parsed command line: the values of each flag in order, the arguments, and the file with the body. */
export interface ParsedArguments {
  flags: Texts;
  words: readonly string[];
  file?: string | undefined;
}

/** Builds the input of an operation from the command line. Throws a usage error that lists all invalid values. */
export async function inputOf(operation: Operation, { flags, words, file }: ParsedArguments): Promise<Row> {
  const isWholeBody = isWhole(operation.body);
  if (isWholeBody && file === undefined)
    throw new UsageError("--file is required: set it to the file with the body, or to - for standard input");
  const texts = new Map([...flags, ...positional(operation, flags, words)]);
  const parts: RequestParts = {
    path: {},
    query: {},
    body: isWholeBody || file === undefined ? {} : await bodyOf(file),
  };
  const invalid = fill(parts, texts);
  const bytes = isWholeBody ? await bytesOf(file as string) : undefined;
  const rest = problemsIn(operation, bytes ? { ...parts, body: bytes } : parts).flatMap((problem) => {
    const [flag, nestedPath] = flagAt(operation, problem);
    if (flag && invalid.has(flag.name)) return [];
    return [`${flag ? flagText(flag, texts) : ""}${problemText(operation, problem, flag ? nestedPath : problem.path)}`];
  });
  const problems = [...invalid.values(), ...rest];
  if (problems.length)
    throw new UsageError(problems.length > 1 ? `\n${problems.map((line) => `  ${line}`).join("\n")}` : problems.join());
  return { ...parts.path, ...parts.query, ...(bytes ? { body: bytes } : parts.body) };
}

type Texts = ReadonlyMap<Flag, readonly string[]>;
type RequestParts = Record<Flag["part"], Row>;

/** Assigns the values of flags to fields. Returns an error for each value that cannot be parsed. */
function fill(parts: RequestParts, texts: Texts): Map<string, string> {
  const invalid = new Map<string, string>();
  for (const [flag, values] of texts) {
    try {
      assign(parts[flag.part], flag.path, parseValues(flag, values));
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      invalid.set(flag.name, `${flagText(flag, texts)}: ${error.message}`);
    }
  }
  return invalid;
}

interface Found extends Problem {
  part: Flag["part"];
}

function problemsIn({ path, params = {}, query, body }: Operation, sent: Record<Flag["part"], unknown>) {
  const parts = body ? { ...sent, body: withoutAbsent(body, sent.body) } : sent;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const ids = z.strictObject(Object.fromEntries(names.map((name) => [name, params[name] ?? Id])) as z.core.$ZodShape);
  const schemas = { path: ids, query, body };
  return (Object.keys(schemas) as Flag["part"][]).flatMap((part): Found[] => {
    const result = z.safeParse(schemas[part] ?? z.strictObject({}), parts[part], { reportInput: true });
    return result.success ? [] : problemsOf(result.error.issues).map((problem) => ({ ...problem, part }));
  });
}

/**
 * Finds the flag that sets the field at a path, and the rest of the path inside the flag's value. For
 * `rules.inbound.3.ports`, these are `--rules.inbound` and `3.ports`.
 */
function flagAt(operation: Operation, { part, path }: Found): [flag: Flag | undefined, inside: Problem["path"]] {
  const coversPath = (flag: Flag) => flag.part === part && flag.path.every((name, i) => path[i] === name);
  const flag = flagsOf(operation)
    .filter(coversPath)
    .sort((a, b) => b.path.length - a.path.length)[0];
  return [flag, flag ? path.slice(flag.path.length) : path];
}

/**
 * The error message for a problem. It begins with the location, if needed: the path in the file or inside the flag's
 * value.
 */
function problemText(operation: Operation, { path, reason, part }: Found, nestedPath: Problem["path"]): string {
  if (!path.length) return `--file: ${reason}`;
  if (!nestedPath.length) return `: ${reason}`;
  const isWholePath = nestedPath.length === path.length;
  const known =
    isWholePath && path.length === 1 && reason === "is not a known field"
      ? fieldsOf(operation[part as "body"] as z.core.$ZodType)
      : {};
  const like = Object.keys(known).length ? `${suggestion(String(path[0]), Object.keys(known))}` : "";
  return `${isWholePath ? `--file: ${pathText(nestedPath)}` : ` at ${pathText(nestedPath)}`}: ${reason}${like}`;
}

/** The flag with its value for error messages. Secret values are omitted. */
function flagText(flag: Flag, texts: Texts): string {
  const { name, schema, value } = flag;
  const values = texts.get(flag);
  if (!values || value === undefined || holdsSecret(schema)) return `--${name}`;
  const text = values.join(", ");
  return `--${name} ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}

/** Assigns positional arguments in order to the path parameters that are not set by flags. */
function positional(operation: Operation, flags: Texts, words: readonly string[]): [Flag, string[]][] {
  const open = flagsOf(operation).filter(
    (flag) => flag.part === "path" && ![...flags.keys()].some(({ name }) => name === flag.name),
  );
  if (words.length > open.length) {
    const names = open.map(({ name }) => `<${name}>`).join(" ");
    const takes = names ? `takes only ${names}` : "takes no further arguments";
    throw new UsageError(
      `unexpected argument "${words[open.length]}": the command ${takes}. Other fields are flags; see --help`,
    );
  }
  return words.map((word, i) => [open[i] as Flag, [word]]);
}

function assign(into: Row, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (!rest.length) into[name] = value;
  else {
    const inner = into[name];
    const record = typeof inner === "object" && inner !== null ? (inner as Row) : {};
    into[name] = record;
    assign(record, rest, value);
  }
}

export const unknownFlag = (flag: string, known: readonly string[]): string =>
  known.includes(flag.slice(2))
    ? `${flag} does not take a value${known.includes(`no-${flag.slice(2)}`) ? `; for false, use --no-${flag.slice(2)}` : ""}`
    : `unknown flag ${flag}${suggestion(flag.replace(/^--?/, ""), known).replace(/"(\S+)"/, "--$1")}`;
