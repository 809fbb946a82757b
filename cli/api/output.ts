import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { entryOf, type Operation } from "../../api";
import type { Page } from "../../provider/client/options";
import { CommandError } from "../../stack/errors";
import { jsonOf } from "./json";
import type { OutputFile } from "./output-file";
import type { Picker } from "./pick";
import { styled } from "./style";
import { recordOf, tableOf } from "./table";

type Row = Record<string, unknown>;

export interface OutputOptions {
  json: boolean;
  pick?: Picker | undefined;
  /** The file to which the response is written. Defaults to the standard output. */
  file?: OutputFile | undefined;
}

/**
 * Writes a response. Binary data is written unchanged. Otherwise, writes the parts that `--jq` or `--columns` select
 * or, without these options, JSON to pipes and tables to terminals.
 */
export async function write(operation: Operation, result: unknown, { json, pick, file }: OutputOptions): Promise<void> {
  if (pick && operation.method !== "GET") await requireMatch(result, pick, file);
  if (file) await save(file, result, pick);
  else if (!json && !pick && !(result instanceof Uint8Array) && process.stdout.isTTY)
    await print([`${tableText(operation, result)}\n`]);
  else await print(partsOf(result, pick));
}

/** Throws if a filter does not match. Writes the whole response then, because some secrets are returned only once. */
async function requireMatch(result: unknown, pick: Picker, file?: OutputFile): Promise<void> {
  try {
    void [...pick(result)];
  } catch (error) {
    if (file) await save(file, result);
    else await print(jsonOf(result));
    throw error;
  }
}

function partsOf(result: unknown, pick?: Picker): Iterable<Uint8Array | string> {
  if (result instanceof Uint8Array) return [result];
  return pick ? pick(result) : jsonOf(result);
}

const print = (parts: Iterable<Uint8Array | string>): Promise<void> =>
  pipeline(Readable.from(parts), process.stdout, { end: false });

/** Writes a response to a file. If that fails, the response is printed, because some secrets are returned only once. */
async function save(file: OutputFile, result: unknown, pick?: Picker): Promise<void> {
  // A filter may not match the response, and then the file keeps its contents.
  const parts = pick ? [...pick(result)] : undefined;
  try {
    await file.write(parts ?? partsOf(result));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const problem = `--output ${file.path}: cannot be written (${code}). The call itself succeeded`;
    // Binary data can be read again, and would garble a terminal.
    if (result instanceof Uint8Array) throw new CommandError(problem, 2);
    await print(parts ?? partsOf(result));
    throw new CommandError(`${problem}; its response is printed instead`, 2);
  }
}

function tableText(operation: Operation, result: unknown): string {
  const entry = entryOf(operation);
  if (entry) {
    const { data, page, pages, results } = result as Page<Row>;
    const count = styled("dim", results === 1 ? "1 entry" : `${results} entries`);
    if (!data.length && page <= 1) return styled("dim", "No entries.");
    const part =
      pages > 1 && data.length < results ? styled("dim", ` · page ${page} of ${pages}, --all for every one`) : "";
    return data.length
      ? `${tableOf(entry, data)}\n\n${count}${part}`
      : `${styled("dim", "Nothing on this page:")} ${count}${part}`;
  }
  if (typeof result !== "object" || result === null) return String(result);
  return Object.keys(result).length ? recordOf(result as Row) : `${styled("green", "✓")} done`;
}
