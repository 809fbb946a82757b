import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

const dist = join(__dirname, "../..");
const outfile = join(dist, "plugin.js");

/** Replaces zod's error messages in 60 languages by the English ones, because only these are used. */
const english: Plugin = {
  name: "english",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/locales\/index\.cjs$/ }, ({ importer }) => ({
      path: join(importer, "../../locales/en.cjs"),
    }));
  },
};

/**
 * Bundles the native plugin to one file, because loading hundreds of files takes a third of the plugin's start. The
 * identifiers are not shortened: calls that restore the names of functions would take a seventh of the start.
 */
const bundle = build({
  entryPoints: [join(dist, "provider/heads/native/main.js")],
  outfile,
  write: false,
  bundle: true,
  platform: "node",
  target: "node22",
  // Only gRPC's diagnostics load this module, and the plugin does not use them.
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
