// The main script of the single executable. Such a script can load only Node's built-in modules, so the plugin is
// loaded as an asset.
import { getRawAsset } from "node:sea";
import { Script } from "node:vm";

/**
 * The bundled plugin, as a function with the parameters of a CommonJS module. V8's code cache is valid only if this
 * text is exactly the same as when the cache was written.
 */
const text = Buffer.from(getRawAsset("plugin.js") as ArrayBuffer).toString("utf8");
const cachedData = Buffer.from(getRawAsset("plugin.cache") as ArrayBuffer);
new Script(text, { filename: "plugin.js", cachedData }).runInThisContext()({}, require, {}, "");
