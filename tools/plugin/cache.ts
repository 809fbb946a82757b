import { readFileSync, writeFileSync } from "node:fs";
import { Script } from "node:vm";

/**
 * Starts the plugin and saves the compiled code of V8, so that the next start is faster: `cache.js BUNDLE CACHE`.
 * Saving after the start includes the functions that the start has compiled.
 */
const [bundle = "", cache = ""] = process.argv.splice(2);
const script = new Script(readFileSync(bundle, "utf8"), { filename: "plugin.js" });
console.log = () => {
  writeFileSync(cache, script.createCachedData());
  process.exit();
};
script.runInThisContext()({}, require, {}, "");
