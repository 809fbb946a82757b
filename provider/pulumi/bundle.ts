import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire, getCompileCacheDir } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/**
 * Milliseconds after the start until the cache of compiled code is written, so that writing it does not delay the first
 * requests.
 */
const WRITE_AFTER_MS = 1_000;

/**
 * Runs a program that is bundled into one file, and returns what it exports. Stores its compiled code for the next start
 * in the folder of Node's own compile cache, which lacks the functions that are compiled when they are first called. These are
 * most functions of a bundle: without this cache, a start takes a third longer.
 */
export function runBundle(bundle: string): unknown {
  // Latin-1 is read faster than UTF-8. A bundle contains only ASCII, because esbuild escapes all other characters.
  const text = readFileSync(bundle, "latin1");
  const directory = getCompileCacheDir();
  const file = directory && join(directory, `${basename(bundle)}.cache`);
  const cachedData = file ? readCache(file, text) : undefined;
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: bundle,
    ...(cachedData && { cachedData }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(bundle), module, bundle, dirname(bundle));
  if (file && (!cachedData || script.cachedDataRejected))
    setTimeout(() => writeCache(file, text, script), WRITE_AFTER_MS).unref();
  return module.exports;
}

/** The compiled code of this bundle. Undefined if the file belongs to another bundle or is damaged. */
function readCache(file: string, text: string): Buffer | undefined {
  try {
    const content = readFileSync(file);
    const data = content.subarray(0, -4);
    return content.readUInt32LE(data.length) === checksum(data, text) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the compiled code. Errors are ignored, because the program can run without a cache. */
function writeCache(file: string, text: string, script: Script): void {
  try {
    const data = script.createCachedData();
    const end = Buffer.alloc(4);
    end.writeUInt32LE(checksum(data, text));
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, Buffer.concat([data, end]), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {}
}

/** A checksum of the compiled code and its source, because V8 compares only the length of the source. */
const checksum = (data: Buffer, text: string): number => crc32(data, crc32(text));
