import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A new folder for the tests of a file or of a `describe`, which is deleted when they have ended. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cloudinfra-test-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
