import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";

/** A new folder for the tests of a file or of a `describe`, which is deleted when they have ended. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cloudinfra-test-")));
  // Deleting the packages of several projects takes minutes if the disk is busy.
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }), 900_000);
  return folder;
}

/** Writes a file in a folder, and creates the folders in its path. */
export function writeIn(folder: string, file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
