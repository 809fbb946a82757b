import { createReadStream } from "node:fs";
import { isObject } from "../../api";
import { UsageError } from "../usage-error";

/**
 * Maximum size of a file in bytes, which is more than any request body has. Without a maximum, reading from a device or
 * pipe might never end.
 */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file, or the standard input if the name is `-`. `limit` is the maximum size in the words of the error
 * message.
 */
export async function bytesOf(file: string, most = MOST_BYTES, limit = `${most} bytes long`): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of file === "-" ? process.stdin : createReadStream(file)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > most) break;
    }
  } catch (error) {
    throw new UsageError(`--file ${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (length > most) throw new UsageError(`--file ${file}: must be at most ${limit}`);
  return Buffer.concat(chunks);
}

/** Parses a file as JSON or YAML. Error messages do not quote the file, because it may contain secrets. */
export async function bodyOf(file: string): Promise<Record<string, unknown>> {
  const body = await parsed(file, (await bytesOf(file)).toString());
  if (!isObject(body)) throw new UsageError(`--file ${file}: must contain an object with the fields of the body`);
  return body;
}

async function parsed(file: string, text: string): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(text, { prettyErrors: true, logLevel: "silent" });
    const [error] = document.errors;
    if (!error) return document.toJS();
    if (error.code === "RESOURCE_EXHAUSTION") throw new UsageError(`--file ${file}: is nested too deeply`);
    const [at] = error.linePos ?? [];
    throw new UsageError(
      `--file ${file}: is neither JSON nor YAML${at ? `, at line ${at.line}, column ${at.col}` : ""}`,
    );
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const isBomb = error.message.startsWith("Excessive");
    throw new UsageError(
      `--file ${file}: ${isBomb ? "its aliases expand to too many values" : "has an alias without an anchor"}`,
    );
  }
}
