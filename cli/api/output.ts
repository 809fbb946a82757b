import { writeFile } from "node:fs/promises";
import type { Operation } from "../../api";
import { entryOf } from "../../api/lists";
import type { Page } from "../../provider/client/options";
import { Failure } from "../misuse";
import { styled } from "./style";
import { recordOf, tableOf } from "./table";

type Row = Record<string, unknown>;

export interface Wanted {
  json: boolean;
  /** A file for the answer. */
  output?: string | undefined;
}

/** Writes an answer: bytes as they are, JSON to pipes, tables to people. */
export async function write(operation: Operation, answer: unknown, { json, output }: Wanted): Promise<void> {
  if (output !== undefined) return save(output, answer instanceof Uint8Array ? answer : jsonText(answer));
  if (answer instanceof Uint8Array) process.stdout.write(answer);
  else process.stdout.write(json || !process.stdout.isTTY ? jsonText(answer) : `${people(operation, answer)}\n`);
}

const jsonText = (answer: unknown): string => `${JSON.stringify(answer, undefined, 2)}\n`;

function people(operation: Operation, answer: unknown): string {
  const entry = entryOf(operation);
  if (entry) {
    const { data, page, pages, results } = answer as Page<Row>;
    const count = styled("dim", results === 1 ? "1 entry" : `${results} entries`);
    if (!data.length && page <= 1) return styled("dim", "No entries.");
    const part =
      pages > 1 && data.length < results ? styled("dim", ` · page ${page} of ${pages}, --all for every one`) : "";
    return data.length
      ? `${tableOf(entry, data)}\n\n${count}${part}`
      : `${styled("dim", "Nothing on this page:")} ${count}${part}`;
  }
  if (typeof answer !== "object" || answer === null) return String(answer);
  return Object.keys(answer).length ? recordOf(answer as Row) : `${styled("green", "✓")} ${operation.summary}`;
}

async function save(file: string, content: Uint8Array | string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new Failure(
      `--output ${file}: can't be written (${(error as NodeJS.ErrnoException).code}); the call was done`,
      2,
    );
  }
}
