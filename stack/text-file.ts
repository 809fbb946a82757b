import { createReadStream } from "node:fs";
import { CommandError } from "./errors";

const MEBIBYTE = 1024 * 1024;
/** Maximum size of a state, a report or a snapshot, which is more than a hundred thousand resources have. */
export const MOST_STATE = 256 * MEBIBYTE;
/** Maximum size of a file that people write. */
export const MOST_WRITTEN = 10 * MEBIBYTE;

/** Why a file was not read: the reason as the end of a sentence, and the code of the system's error if there is one. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";

  constructor(
    reason: string,
    readonly code?: string | undefined,
  ) {
    super(reason);
  }
}

/**
 * Reads a file, or the standard input if the name is `-`. Throws a `FileProblem` if it is larger than `most` bytes,
 * because reading from a device or a pipe might never end. `limit` is that size in words.
 */
export async function bytesWithin(file: string, most: number, limit = `${most / MEBIBYTE} MiB`): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of file === "-" ? process.stdin : createReadStream(file)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > most) break;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new FileProblem(`cannot be read (${code})`, code);
  }
  if (length > most) throw new FileProblem(`must be at most ${limit}`);
  return Buffer.concat(chunks);
}

/** The text of a file that a command requires. */
export async function textOf(file: string, most = MOST_STATE): Promise<string> {
  try {
    return (await bytesWithin(file, most)).toString();
  } catch (error) {
    throw error instanceof FileProblem ? new CommandError(`${file} ${error.message}`, 1) : error;
  }
}

/** The text of a file that people write. Undefined if the file does not exist. */
export const textIfThere = (file: string): Promise<string | undefined> =>
  bytesWithin(file, MOST_WRITTEN).then(String, (error: Error) => {
    if (!(error instanceof FileProblem)) throw error;
    if (error.code === "ENOENT") return undefined;
    throw new CommandError(`${file} ${error.message}`, 1);
  });
