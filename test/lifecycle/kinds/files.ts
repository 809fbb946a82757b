import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const folder = mkdtempSync(join(tmpdir(), "cloudinfra-files-"));
process.once("exit", () => rmSync(folder, { recursive: true }));

export function file(name: string, data: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
}

const text = "disk image ".repeat(1000);

/**
 * Files with disk images: two files with the same content, a file that is already compressed with gzip, and a file with
 * other content.
 */
export const disk = {
  text,
  raw: file("golden.img", text),
  copy: file("copy.img", text),
  packed: file("golden.img.gz", gzipSync(text)),
  other: file("other.img", `${text}!`),
};
