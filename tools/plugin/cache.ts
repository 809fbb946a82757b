import { readFileSync, writeFileSync } from "node:fs";
import { Script } from "node:vm";

/**
 * Starts the plugin and then saves V8's compiled code: `cache.js BUNDLE CACHE`. A cache from before the start would not
 * contain the functions that run during the start.
 */
const [bundle = "", cache = ""] = process.argv.splice(2);
const script = new Script(readFileSync(bundle, "utf8"), { filename: "plugin.js" });
console.log = () => {
  writeFileSync(cache, script.createCachedData());
  process.exit();
};
script.runInThisContext()({}, require, {}, "");
