import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { create } from "tar";

/**
 * Writes a folder as a `.tar.gz` file that depends only on names, contents and the executable bits of its files: entries
 * are sorted, all have the given time, and none has an owner.
 */
export async function writeTarball(folder: string, file: string, time: Date, prefix = ""): Promise<void> {
  const files = filesIn(folder);
  for (const name of files) {
    const path = join(folder, name);
    chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
  await create({ file, cwd: folder, gzip: { level: 9 }, portable: true, noPax: true, mtime: time, prefix }, files);
}

/** Paths of all files in a folder, with slashes, in the order of their characters. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, "/"))
    .sort();
