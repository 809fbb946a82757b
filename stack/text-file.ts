import { isUtf8 } from "node:buffer";
import { constants, createReadStream, type Stats } from "node:fs";
import { access, chmod, chown, lstat, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CommandError } from "./errors";

const MEBIBYTE = 1024 * 1024;
/** Maximum size of a state, a report or a snapshot, which is more than a hundred thousand resources have. */
export const MAX_STATE_BYTES = 256 * MEBIBYTE;
/** Maximum size of a file that people write. */
export const MAX_INPUT_BYTES = 10 * MEBIBYTE;

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
 * Reads a file, or the standard input if the name is `-`. Throws a `FileProblem` if it is larger than `maxBytes` bytes,
 * because reading from a device or a pipe might never end. `limit` is that size in words.
 */
export async function readBytes(file: string, maxBytes: number, limit = `${maxBytes / MEBIBYTE} MiB`): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of file === "-" ? process.stdin : createReadStream(file)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new FileProblem(`cannot be read (${code})`, code);
  }
  if (length > maxBytes) throw new FileProblem(`must be at most ${limit}`);
  return Buffer.concat(chunks);
}

/** The text of a file that a command requires. */
export const readText = async (file: string, maxBytes = MAX_STATE_BYTES): Promise<string> =>
  (await requiredBytes(file, maxBytes)).toString();

/** The bytes of a file that a command requires. */
export async function requiredBytes(file: string, maxBytes: number): Promise<Buffer> {
  try {
    return await readBytes(file, maxBytes);
  } catch (error) {
    throw error instanceof FileProblem ? new CommandError(`${file} ${error.message}`, 1) : error;
  }
}

/** The first byte that is not UTF-8, and its position. Undefined if there is none. */
export function utf8Problem(bytes: Buffer): string | undefined {
  if (isUtf8(bytes)) return undefined;
  const differing = Buffer.from(bytes.toString()).findIndex((byte, i) => byte !== bytes[i]);
  // The bytes before can end with the begin of a character, which is where the problem is.
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, differing), { stream: true });
  const byte = bytes[Buffer.byteLength(before)] ?? 0;
  const lines = before.replace("\uFEFF", "").split("\n");
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}: the byte 0x${byte.toString(16).toUpperCase()} is not UTF-8`;
}

/** The text of a file that people write. Undefined if the file does not exist. */
export const textIfExists = (file: string): Promise<string | undefined> =>
  readBytes(file, MAX_INPUT_BYTES).then(String, (error: Error) => {
    if (!(error instanceof FileProblem)) throw error;
    if (error.code === "ENOENT") return undefined;
    throw new CommandError(`${file} ${error.message}`, 1);
  });

/**
 * Writes a file as a whole, so that neither a kill nor a full disk leaves a part of it. A device or a pipe is written
 * directly, and so is the file to which `/dev/stdout` leads, because others write to it too. A file that cannot be
 * replaced is written directly as well, while its new text is also in a file next to it if the folder allows that.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  // A link, for example of a package manager, stays a link.
  const target = await realpath(file).catch(() => file);
  const known = await stat(target)
    .catch(() => lstat(target))
    .catch(() => undefined);
  if (/^\/(?:dev|proc)\//.test(resolve(file)) || known?.isFile() === false) return writeFile(file, text);
  const part = `${target}.${process.pid}.part`;
  const removePart = (): Promise<void> => rm(part, { force: true }).catch(() => {});
  // A killed command can have left one: in containers, the ids of processes are the same each time.
  await removePart();
  try {
    if (known) await access(target, constants.W_OK);
    // Until it has the file's own mode, others cannot read the part.
    await writeFile(part, text, { flag: "wx", ...(known && { mode: 0o600 }) });
    if (known) await copyAccess(known, part);
    await rename(part, target);
  } catch (error) {
    const isWritable = known && cannotReplace.has((error as NodeJS.ErrnoException).code ?? "");
    if (isWritable) await writeFile(target, text);
    await removePart();
    if (!isWritable) throw error;
  }
}

/** Gives a file the owner, the group and the mode of another. */
async function copyAccess({ uid, gid, mode }: Stats, file: string): Promise<void> {
  const own = await stat(file);
  if (own.uid !== uid || own.gid !== gid) await chown(file, uid, gid);
  await chmod(file, mode);
}

/**
 * The errors for a file that can be written but not replaced: in a folder that is read-only, mounted by itself, or of an
 * owner or a group that this user cannot give to files, or that its container does not know.
 */
const cannotReplace: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS", "EBUSY", "EXDEV", "EINVAL"]);
