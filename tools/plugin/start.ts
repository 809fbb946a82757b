// The main script of the single executable. Such a script can load only Node's built-in modules, so the plugin is
// loaded as an asset.
import { getAssetKeys, getRawAsset } from "node:sea";
import { Script } from "node:vm";

const asset = (name: string): Buffer => Buffer.from(getRawAsset(name) as ArrayBuffer);

/**
 * The bundled plugin, as a function with the parameters of a CommonJS module. V8's compiled code is valid only if this
 * text is exactly the same as when the code was written. Executables that were built on another platform have none.
 */
const text = asset("plugin.js").toString("utf8");
const compiled = getAssetKeys().includes("plugin.cache") ? { cachedData: asset("plugin.cache") } : {};
new Script(text, { filename: "plugin.js", ...compiled }).runInThisContext()({}, require, {}, "");
