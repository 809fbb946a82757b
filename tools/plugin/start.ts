// The main script of the executable. It can only load Node's own modules.
import { getRawAsset } from "node:sea";
import { Script } from "node:vm";

/** The bundle, wrapped as Node wraps modules. The cache is valid only for exactly this text. */
const text = Buffer.from(getRawAsset("plugin.js") as ArrayBuffer).toString("utf8");
const cachedData = Buffer.from(getRawAsset("plugin.cache") as ArrayBuffer);
new Script(text, { filename: "plugin.js", cachedData }).runInThisContext()({}, require, {}, "");
