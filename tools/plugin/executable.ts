import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const dist = join(__dirname, "../..");

/**
 * Marker in the Node.js binary that postject changes when it adds an application, as Node's documentation of single
 * executable applications requires.
 */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/**
 * Enlarges V8's space for new objects. This shortens the start by a fifth, because the start creates many objects and
 * few can be freed.
 */
const execArgv = ["--min-semi-space-size=16", "--max-semi-space-size=32"];

/** Makes V8 compile the same code in each run. The compiled code is valid without these flags. */
const deterministic = ["--predictable", "--random-seed=1"];

export interface Executable {
  /** The Node.js binary that becomes the executable, which may be for another platform. */
  node: string;
  /** A Node.js binary of the same version that runs on this machine, because the format of the bundle can change. */
  generator: string;
  file: string;
  /** Whether V8's compiled code of the bundle is added. It is valid only on the platform that has compiled it. */
  isCompiled: boolean;
  /** Changes the copy of the Node.js binary before the plugin is added. */
  prepare?: (file: string) => void;
}

/** Writes the native plugin as a single executable: a copy of a Node.js binary with the bundled plugin inside. */
export function writeExecutable({ node, generator, file, isCompiled, prepare }: Executable): void {
  const work = mkdtempSync(join(tmpdir(), "plugin-"));
  try {
    const temporary = (name: string): string => join(work, name);
    const run = (args: string[]): void => void execFileSync(generator, args, { cwd: work, stdio: "pipe" });
    const bundle = readFileSync(join(dist, "plugin.js"), "utf8");
    writeFileSync(temporary("plugin.js"), `(function (exports, require, module, __dirname) {${bundle}\n})`);
    const assets: Record<string, string> = {
      "plugin.js": temporary("plugin.js"),
      "package.json": join(dist, "../package.json"),
      "schema.json": join(dist, "../schema.json"),
    };
    if (isCompiled) {
      run([...deterministic, join(__dirname, "cache.js"), temporary("plugin.js"), temporary("plugin.cache")]);
      assets["plugin.cache"] = temporary("plugin.cache");
    }
    // Node stores the path of the main script in the bundle, so it is relative.
    copyFileSync(join(__dirname, "start.js"), temporary("start.js"));
    const config = {
      main: "start.js",
      output: "blob",
      assets,
      execArgv,
      // The plugin ignores NODE_OPTIONS, which are meant for the user's programs.
      execArgvExtension: "none",
      disableExperimentalSEAWarning: true,
    };
    writeFileSync(temporary("sea.json"), JSON.stringify(config));
    run(["--experimental-sea-config", "sea.json"]);
    copyFileSync(node, temporary("executable"));
    chmodSync(temporary("executable"), 0o755);
    prepare?.(temporary("executable"));
    run([
      require.resolve("postject/dist/cli.js"),
      temporary("executable"),
      "NODE_SEA_BLOB",
      temporary("blob"),
      "--sentinel-fuse",
      FUSE,
      "--macho-segment-name",
      "NODE_SEA",
    ]);
    copyFileSync(temporary("executable"), `${file}.new`);
    renameSync(`${file}.new`, file);
  } finally {
    rmSync(work, { recursive: true });
  }
}
