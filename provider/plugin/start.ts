import "../pulumi/node-version";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire, getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { keepCompiledCode } from "../pulumi/cache-folder";

/**
 * Milliseconds after the start until the cache of compiled code is written, so that writing it does not delay the first
 * requests.
 */
const WRITE_AFTER_MS = 1_000;

const bundle = join(__dirname, "../../plugin.js");
/**
 * The bundle is read as Latin-1, which is faster than UTF-8. It contains only ASCII, because esbuild escapes all other
 * characters.
 */
const text = readFileSync(bundle, "latin1");
keepCompiledCode();
const directory = getCompileCacheDir();
const file = directory && join(directory, "pulumi-resource-cloudinfra.cache");

// Node's own compile cache lacks the functions that are compiled when they are first called, which are most functions
// of the bundle. Without this cache, a start takes a third longer.
const cachedData = file ? readCache(file) : undefined;
const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
  filename: bundle,
  ...(cachedData && { cachedData }),
});
script.runInThisContext()({}, createRequire(bundle), {}, bundle, dirname(bundle));
if (file && (!cachedData || script.cachedDataRejected)) setTimeout(() => writeCache(file), WRITE_AFTER_MS).unref();

/** The compiled code of this bundle. Undefined if the file belongs to another bundle or is damaged. */
function readCache(file: string): Buffer | undefined {
  try {
    const content = readFileSync(file);
    const data = content.subarray(0, -4);
    return content.readUInt32LE(data.length) === checksum(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the compiled code. Errors are ignored, because the plugin can run without a cache. */
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

/** A checksum of the compiled code and its source, because V8 compares only the length of the source. */
function checksum(data: Buffer): number {
  return crc32(data, crc32(text));
}
