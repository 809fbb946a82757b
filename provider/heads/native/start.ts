import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire, getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { keepCompiledCode } from "../cache-folder";

/** The cache is written when the plugin has been running for this time in milliseconds, so that it delays no start. */
const WRITE_AFTER_MS = 1_000;

const bundle = join(__dirname, "../../../plugin.js");
/** esbuild writes ASCII only. */
const text = readFileSync(bundle, "latin1");
keepCompiledCode();
const directory = getCompileCacheDir();
const file = directory && join(directory, "pulumi-resource-cloudinfra.cache");

// Node's own compile cache has no functions that are compiled at their first call, which are most of a bundle. Without
// them, a start takes a third longer.
const cachedData = file ? readCache(file) : undefined;
const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
  filename: bundle,
  ...(cachedData && { cachedData }),
});
script.runInThisContext()({}, createRequire(bundle), {}, bundle, dirname(bundle));
if (file && (!cachedData || script.cachedDataRejected)) setTimeout(() => writeCache(file), WRITE_AFTER_MS).unref();

/** The compiled code of this bundle; undefined if the file is of another bundle or damaged. */
function readCache(file: string): Buffer | undefined {
  try {
    const content = readFileSync(file);
    const data = content.subarray(0, -4);
    return content.readUInt32LE(data.length) === checksum(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** A cache folder that is read-only or full must not end the plugin. */
function writeCache(file: string): void {
  try {
    const data = script.createCachedData();
    const end = Buffer.alloc(4);
    end.writeUInt32LE(checksum(data));
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, Buffer.concat([data, end]), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {}
}

/** V8 itself compares only the length of the source. */
function checksum(data: Buffer): number {
  return crc32(data, crc32(text));
}
