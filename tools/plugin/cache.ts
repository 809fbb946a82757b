import { readFileSync, writeFileSync } from "node:fs";
import { Script } from "node:vm";

/**
 * Starts the plugin and saves the code that V8 has compiled by then: `cache.js BUNDLE CACHE`. A cache made before the
 * start would not contain the functions that run during it.
 */
const [bundle = "", cache = ""] = process.argv.splice(2);
const script = new Script(readFileSync(bundle, "utf8"), { filename: "plugin.js" });
console.log = () => {
  writeFileSync(cache, script.createCachedData());
  process.exit();
};
script.runInThisContext()({}, require, {}, "");
