import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** A folder of this package in the user's own cache folder. */
export const cacheFolder = (name: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-cloudinfra", name);

/**
 * Caches compiled code in the user's own folder for the next start. Node's default is the folder for temporary files,
 * where other users could replace the cached code.
 */
export const keepCompiledCode = (): void =>
  void enableCompileCache(process.env.NODE_COMPILE_CACHE || cacheFolder("compiled"));
