import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { entryOf, holdsSecret, type Operation } from "../../api";
import type { Page } from "../../provider/client/options";
import { CommandError } from "../../stack/errors";
import { jsonOf } from "./json";
import type { Picker } from "./pick";
import { styled } from "./style";
import { recordOf, tableOf } from "./table";

type Row = Record<string, unknown>;

export interface OutputOptions {
  json: boolean;
  /** The file to which the response is written. Defaults to the standard output. */
  output?: string | undefined;
}

/**
 * Writes a response. Binary data is written unchanged. Otherwise, writes the parts that `--jq` or `--columns` select
 * or, without these options, JSON to pipes and tables to terminals.
 */
export async function write(
  operation: Operation,
  result: unknown,
  { json, output }: OutputOptions,
  pick?: Picker,
): Promise<void> {
  const asTable = output === undefined && !json && process.stdout.isTTY;
  const parts = (): Iterable<Uint8Array | string> => {
    if (result instanceof Uint8Array) return [result];
    if (pick) return pick(result);
    return asTable ? [`${tableText(operation, result)}\n`] : jsonOf(result);
  };
  if (output !== undefined) await save(output, parts(), holdsSecret(operation.result));
  else await pipeline(Readable.from(parts()), process.stdout, { end: false });
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
  return Object.keys(result).length ? recordOf(result as Row) : `${styled("green", "✓")} ${operation.summary}`;
}

/** Writes a file. Only the owner can read a file with secrets, even if the file existed before. */
async function save(file: string, parts: Iterable<Uint8Array | string>, isSecret: boolean): Promise<void> {
  try {
    await using handle = await open(file, "w", isSecret ? 0o600 : 0o666);
    if (isSecret && (await handle.stat()).isFile()) await handle.chmod(0o600);
    for (const part of parts) await handle.writeFile(part);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CommandError(`--output ${file}: cannot be written (${code}). The call itself succeeded`, 2);
  }
}
