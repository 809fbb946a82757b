import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** A folder of this package in the user's own cache folder. */
export const cacheFolder = (name: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-cloudinfra", name);

/**
 * Keeps compiled code for the next start. Other users could replace it in Node's default, the folder for temporary
 * files.
 */
export const keepCompiledCode = (): void =>
  void enableCompileCache(process.env.NODE_COMPILE_CACHE || cacheFolder("compiled"));
