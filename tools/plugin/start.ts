// The main script of the single executable. Such a script can load only Node's built-in modules, so the plugin is
// loaded as an asset.
import { getRawAsset } from "node:sea";
import { Script } from "node:vm";

const asset = (name: string): Buffer => Buffer.from(getRawAsset(name) as ArrayBuffer);

/** Undefined if the executable has no such asset. Node lists the assets only since versions 22.20 and 24.8. */
function optionalAsset(name: string): Buffer | undefined {
  try {
    return asset(name);
  } catch {
    return undefined;
  }
}

/**
 * The bundled plugin, as a function with the parameters of a CommonJS module. V8's compiled code is valid only if this
 * text is exactly the same as when the code was written. Executables that were built on another platform have none.
 */
const text = asset("plugin.js").toString("utf8");
const cachedData = optionalAsset("plugin.cache");
new Script(text, { filename: "plugin.js", ...(cachedData && { cachedData }) }).runInThisContext()({}, require, {}, "");
