import { isKindName, noKindMessage } from "../../account/kinds";
import type { Kind } from "../../provider/engine/definition";
import { idOf, isAction, pathOf } from "../../provider/engine/identity";
import { aliasProblem } from "../../provider/pulumi/yaml";
import { kinds } from "../../provider/resources";
import type { Named } from "../../stack/edit";
import { UsageError } from "../../stack/errors";
import { objectKeys } from "../../stack/holders";
import { MAX_INPUT_BYTES } from "../../stack/text-file";
import { bytesOf } from "../api/file";

/** An object to adopt. Its id has the same format as in state. */
export interface AdoptionRequest extends Named {
  id: string;
  /** Line number in the file that lists the objects, for error messages. */
  line?: number | undefined;
}

/** A line or entry of the list that cannot be adopted, and the reason. */
export interface Problem {
  line?: number | undefined;
  message: string;
}

type AdoptionEntry = { [K in keyof AdoptionRequest]: K extends "line" ? AdoptionRequest[K] : string };

const fields = ["kind", "name", "id"] as const;

/** The single object that the command line specifies. */
export const requestFor = (kind: string, name: string, id: string): AdoptionRequest[] => valid([{ kind, name, id }]);

/** The objects that a file lists. The file is JSON or YAML, or has a line with kind, name and id for each object. */
export async function requestsInFile(file: string): Promise<AdoptionRequest[]> {
  const text = await textOf(file);
  const begin = text.split("\n").find((line) => line.trim() && !line.trimStart().startsWith("#"));
  if (!begin) throw new UsageError(`--file ${file}: must list at least one object`);
  const read = /^\s*[[{-]/.test(begin) ? await structured(text) : lines(text);
  if (!read.entries.length && !read.problems.length)
    throw new UsageError(`--file ${file}: must list at least one object`);
  return valid(read.entries, read.problems, file);
}

/**
 * The error message with the problems of all lines in the file or, without a file, of the single object on the command
 * line.
 */
export function problemMessage(problems: readonly Problem[], file: string | undefined): string {
  if (file === undefined) return problems.map(({ message }) => message).join("\n");
  const sorted = [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return [
    `--file ${file}: nothing was adopted, because ${problems.length === 1 ? "one line cannot" : `${problems.length} lines cannot`} be adopted:`,
    ...sorted.map(({ line, message }) => `  line ${line}: ${message}`),
  ].join("\n");
}

function valid(entries: readonly AdoptionEntry[], problems: Problem[] = [], file?: string): AdoptionRequest[] {
  const found = [...problems];
  const observed = new Map<string, number | undefined>();
  const requests = entries.flatMap(({ kind, name, id, line }): AdoptionRequest[] => {
    const addProblem = (message: string): [] => {
      found.push({ line, message });
      return [];
    };
    if (!isKindName(kind)) return addProblem(noKindMessage(kind));
    const definition: Kind = kinds[kind];
    if (isAction(definition))
      return addProblem(
        `${kind} is an action, which does not create an object to adopt: declare it in the program, and the next update runs it`,
      );
    if (!/^[^\p{C}\p{Z}][^\p{C}]*$/u.test(name) || name.includes("::"))
      return addProblem(`"${name}" is not a valid name: it must not be empty or contain "::" or control characters`);
    let path: ReturnType<typeof pathOf>;
    try {
      path = pathOf(definition, id);
    } catch (error) {
      return addProblem((error as Error).message);
    }
    const canonical = idOf(definition, path);
    for (const [key, what] of [
      [`name ${kind} ${name}`, `the name "${name}"`],
      ...objectKeys(definition, path).map((key) => [`object ${key}`, `${kind} ${canonical}`] as const),
    ] as const) {
      if (observed.has(key)) return addProblem(`${what} is already on line ${observed.get(key)}`);
      observed.set(key, line);
    }
    return [{ kind, name, id: canonical, line }];
  });
  if (found.length) throw new UsageError(problemMessage(found, file));
  return requests;
}

interface Read {
  entries: AdoptionEntry[];
  problems: Problem[];
}

/**
 * Splits lines such as `Volume, data, 640144`, which are separated by commas, tabs or spaces. A name that contains a
 * separator must be in quotes.
 */
function lines(text: string): Read {
  const read: Read = { entries: [], problems: [] };
  for (const [i, raw] of text.split("\n").entries()) {
    const [line, content] = [i + 1, raw.trim()];
    if (!content || content.startsWith("#") || /^kind[,\s]+name[,\s]+id$/i.test(content)) continue;
    const found = /^([^",\s]+)(?:\s*,\s*|\s+)(?:"([^"]*)"|([^",\s]+))(?:\s*,\s*|\s+)("?)(\S.*)\4$/.exec(content);
    if (!found) read.problems.push({ line, message: 'must be kind, name and id, such as "Volume, data, 640144"' });
    else {
      const [, kind = "", quoted, bare = "", , id = ""] = found;
      read.entries.push({ kind, name: quoted ?? bare, id, line });
    }
  }
  return read;
}

/** Reads a list of objects with the fields `kind`, `name` and `id`. */
async function structured(text: string): Promise<Read> {
  const { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } = await import("yaml");
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error) {
    const { line, col } = counter.linePos(error.pos[0]);
    return { entries: [], problems: [{ line, message: `is neither JSON nor YAML (column ${col})` }] };
  }
  const { contents } = document;
  const items = isSeq(contents) ? contents.items : [];
  const read: Read = { entries: [], problems: [] };
  if (!isSeq(contents))
    read.problems.push({
      line: 1,
      message: "must begin a list: the file must contain a JSON or YAML list of objects with kind, name and id",
    });
  for (const item of items) {
    const { range } = item as { range?: [number, number, number] };
    const { line } = counter.linePos(range?.[0] ?? 0);
    const [object, broken] = isMap(item) ? resolved(() => item.toJS(document)) : [];
    const problem = broken ?? problemOf(object);
    if (problem) read.problems.push({ line, message: problem });
    else {
      // A number is read as it is written: the tag 1.10 is another one than 1.1.
      const textAt = (field: string): string => {
        const found = isMap(item) ? item.get(field, true) : undefined;
        const node = isAlias(found) ? found.resolve(document) : found;
        const source = isScalar(node) && typeof node.value === "number" ? node.source : undefined;
        return source ?? String((object as Record<string, unknown>)[field]);
      };
      read.entries.push({ kind: textAt("kind"), name: textAt("name"), id: textAt("id"), line });
    }
  }
  return read;
}

/** The result of resolving the aliases of an entry, or the reason why they cannot be resolved. */
function resolved(resolve: () => unknown): [object: unknown, problem?: string | undefined] {
  try {
    return [resolve()];
  } catch (error) {
    const problem = aliasProblem(error);
    if (problem === undefined) throw error;
    return [undefined, problem];
  }
}

function problemOf(object: unknown): string | undefined {
  if (typeof object !== "object" || object === null) return "must be an object with kind, name and id";
  const missing = fields.find(
    (field) => !["string", "number"].includes(typeof (object as Record<string, unknown>)[field]),
  );
  if (missing) return `${missing} is required and must be a string`;
  const unknownKey = Object.keys(object).find((key) => !fields.some((field) => field === key));
  return unknownKey && `"${unknownKey}" is not a known field; expected kind, name and id`;
}

async function textOf(file: string): Promise<string> {
  const bytes = await bytesOf(file, MAX_INPUT_BYTES, `${MAX_INPUT_BYTES / 2 ** 20} MiB`);
  return bytes
    .toString()
    .replaceAll("\r\n", "\n")
    .replace(/^\ufeff/, "");
}
