import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { shared } from "./shared";

/**
 * Preloaded by the processes that tests of the command start: replaces the modules in dist/ by mutated ones. If
 * `REACHED_IN` names a folder, the process writes a file there, with the mutants whose code it ran.
 */
const dist = join(__dirname, "../..");
const copies = join(dist, "mutants/compiled");

registerHooks({
  load(url, context, next) {
    const path = url.startsWith("file:") ? relative(dist, fileURLToPath(url)) : "..";
    // The emulator's bundle contains no mutants, so its modules are loaded instead.
    if (path === "provider/pulumi/bundle.js")
      return {
        format: "commonjs",
        source: 'exports.runBundle = () => require("../../cli/execute.js");',
        shortCircuit: true,
      };
    const copy = join(copies, path);
    if (path.startsWith("..") || !existsSync(copy)) return next(url, context);
    return { format: "commonjs", source: readFileSync(copy), shortCircuit: true };
  },
});

const folder = process.env.REACHED_IN;
if (folder) {
  // The command's modules are loaded synchronously, so before this runs.
  process.nextTick(() => {
    shared.currentTestId = "command";
  });
  process.on("exit", () => {
    mkdirSync(folder, { recursive: true });
    const { perTest, static: loading } = shared.mutantCoverage ?? { perTest: {}, static: {} };
    const ran = [Object.keys(perTest.command ?? {}), Object.keys(loading)];
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(ran));
  });
}
