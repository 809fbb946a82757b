import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, transformSync } from "esbuild";
import { cards, tokens } from "../../drawing";

const dist = join(__dirname, "../..");
const root = join(dist, "..");
const folder = join(dist, "console");

/** The licences of the bundled libraries require that their notices are kept. */
const notice = `/*! Preact and Preact Signals: MIT License, Copyright (c) 2015-present Jason Miller, Copyright (c) 2022-present Preact Team */`;

/** Bundles the emulator's console into a script and a style sheet, which the emulator serves as files. */
async function bundle(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [join(root, "console/main.tsx")],
    tsconfig: join(root, "console/tsconfig.json"),
    write: false,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    banner: { js: notice },
    legalComments: "none",
    logLevel: "error",
  });
  const style = `${tokens}${cards}${readFileSync(join(root, "console/style.css"), "utf8")}`;
  mkdirSync(folder, { recursive: true });
  save("console.js", outputFiles[0]?.text ?? "");
  save("console.css", transformSync(style, { loader: "css", minify: true }).code);
}

/** Writes a file only if it has changed, because an emulator may read it while another build runs. */
function save(name: string, text: string): void {
  const file = join(folder, name);
  if (!(existsSync(file) && readFileSync(file, "utf8") === text)) writeFileSync(file, text);
}

void bundle();
