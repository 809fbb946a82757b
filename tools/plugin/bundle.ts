import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

const dist = join(__dirname, "../..");
const outfile = join(dist, "plugin.js");

/** Omits zod's error messages in about 60 languages. Only the English ones are used. */
const english: Plugin = {
  name: "english",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/locales\/index\.cjs$/ }, ({ importer }) => ({
      path: join(importer, "../../locales/en.cjs"),
    }));
  },
};

/**
 * Bundles the native plugin into one file, because loading hundreds of files takes a third of its start time.
 * Identifiers are not minified, because the code by which esbuild restores the names of functions takes a seventh of
 * the start time.
 */
const bundle = build({
  entryPoints: [join(dist, "provider/plugin/main.js")],
  outfile,
  write: false,
  bundle: true,
  platform: "node",
  target: "node22",
  // Not bundled, because only gRPC's diagnostics load this module, which the plugin never uses.
  external: ["@grpc/proto-loader"],
  plugins: [english],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "error",
});

void bundle.then(({ outputFiles: [file] }) => {
  // The bundle is written only if it has changed, because tests may start the plugin while another build runs.
  if (file && !(existsSync(outfile) && readFileSync(outfile, "utf8") === file.text)) writeFileSync(outfile, file.text);
});
