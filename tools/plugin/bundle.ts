import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

const dist = join(__dirname, "../..");
const outfile = join(dist, "plugin.js");

/** Of zod's messages in 60 languages, only the English ones are used. */
const english: Plugin = {
  name: "english",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/locales\/index\.cjs$/ }, ({ importer }) => ({
      path: join(importer, "../../locales/en.cjs"),
    }));
  },
};

/** Bundles the native plugin into one file: loading hundreds of files takes a third of its start. */
const bundle = build({
  entryPoints: [join(dist, "provider/heads/native/main.js")],
  outfile,
  write: false,
  bundle: true,
  platform: "node",
  target: "node22",
  // gRPC's diagnostics load it, which the plugin does not use.
  external: ["@grpc/proto-loader"],
  plugins: [english],
  minify: true,
  keepNames: true,
  legalComments: "none",
  logLevel: "error",
});

void bundle.then(({ outputFiles: [file] }) => {
  // Tests may start the plugin while another build runs.
  if (file && !(existsSync(outfile) && readFileSync(outfile, "utf8") === file.text)) writeFileSync(outfile, file.text);
});
