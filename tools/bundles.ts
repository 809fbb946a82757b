import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

const dist = join(__dirname, "..");

/** Omits zod's error messages in about 60 languages. Only the English ones are used. */
const english: Plugin = {
  name: "english",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/locales\/index\.cjs$/ }, ({ importer }) => ({
      path: join(importer, "../../locales/en.cjs"),
    }));
  },
};

/** Omits the code that only other commands than `cloudinfra emulator` load. */
const onlyEmulator: Plugin = {
  name: "only emulator",
  setup({ onResolve }) {
    const listsCommands = new Set(["cli/program.js", "cli/drift/options.js"].map((file) => join(dist, file)));
    onResolve({ filter: /^\./ }, ({ importer, kind, path }) => {
      const isCommand = kind === "dynamic-import" && listsCommands.has(importer);
      return isCommand && path !== "./emulator.js" ? { path, external: true } : undefined;
    });
  },
};

/**
 * Bundles a program into one file, because loading hundreds of files takes a third of its start time. Identifiers are
 * not minified, because the code by which esbuild restores the names of functions takes a seventh of the start time.
 */
async function bundle(entry: string, outfile: string, options: BuildOptions = {}): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(dist, entry)],
    outfile: join(dist, outfile),
    bundle: true,
    platform: "node",
    target: "node22",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "error",
    ...options,
    write: false,
    plugins: [english, ...(options.plugins ?? [])],
  });
  // A bundle is written only if it has changed, because tests may start the program while another build runs.
  for (const { path, text } of outputFiles) {
    const [other] = /\P{ASCII}/u.exec(text) ?? [];
    if (other)
      throw new Error(`${path} contains ${other}, and the launcher reads it as Latin-1: write it as an escape`);
    if (!(existsSync(path) && readFileSync(path, "utf8") === text)) writeFileSync(path, text);
  }
}

// gRPC's module is not bundled, because only its diagnostics load it, which the plugin never uses.
void bundle("provider/plugin/main.js", "plugin.js", { external: ["@grpc/proto-loader"] });
// The emulator does not use fastify's schemas and test requests, so it never loads these packages.
const unused = ["@fastify/ajv-compiler", "@fastify/fast-json-stringify-compiler", "light-my-request"];
void bundle("cli/execute.js", "cli/emulator-bundle.js", { external: unused, plugins: [onlyEmulator] });
