import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const dist = join(__dirname, "../..");
const executable = join(dist, "plugin", "pulumi-resource-cloudinfra");

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

/**
 * Builds the native plugin as a single executable: a copy of the running Node.js binary with the bundled plugin inside.
 */
function main(): void {
  const work = mkdtempSync(join(tmpdir(), "plugin-"));
  const file = (name: string): string => join(work, name);
  const bundle = readFileSync(join(dist, "plugin.js"), "utf8");
  writeFileSync(file("plugin.js"), `(function (exports, require, module, __dirname) {${bundle}\n})`);
  run([join(__dirname, "cache.js"), file("plugin.js"), file("plugin.cache")]);
  const assets = {
    "plugin.js": file("plugin.js"),
    "plugin.cache": file("plugin.cache"),
    "package.json": join(dist, "../package.json"),
    "schema.json": join(dist, "../schema.json"),
  };
  const config = {
    main: join(__dirname, "start.js"),
    output: file("blob"),
    assets,
    execArgv,
    // The plugin ignores NODE_OPTIONS, which are meant for the user's programs.
    execArgvExtension: "none",
    disableExperimentalSEAWarning: true,
  };
  writeFileSync(file("sea.json"), JSON.stringify(config));
  run(["--experimental-sea-config", file("sea.json")]);
  mkdirSync(join(dist, "plugin"), { recursive: true });
  copyFileSync(process.execPath, file("executable"));
  chmodSync(file("executable"), 0o755);
  strip(file("executable"));
  run([
    require.resolve("postject/dist/cli.js"),
    file("executable"),
    "NODE_SEA_BLOB",
    file("blob"),
    "--sentinel-fuse",
    FUSE,
  ]);
  copyFileSync(file("executable"), executable);
  rmSync(work, { recursive: true });
  console.log(`${executable}: ${(statSync(executable).size / 1e6).toFixed(1)} MB`);
}

const run = (args: string[]): void =>
  void execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });

/** Removes debug symbols, which are a seventh of the binary. If the program `strip` is missing, they are kept. */
function strip(file: string): void {
  try {
    execFileSync("strip", [file]);
  } catch (error) {
    console.warn(`the executable keeps its debug symbols: ${(error as Error).message}`);
  }
}

main();
