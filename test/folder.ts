import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A new folder for the tests of a file or of a `describe`, which is deleted when they have ended. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cloudinfra-test-")));
  // Deleting the packages of several projects takes minutes if the disk is busy.
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }), 900_000);
  return folder;
}
