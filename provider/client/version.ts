import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The package's version; read from its package.json, which lies further up from dist/ than from the sources. */
export const version: string = read(__dirname);

function read(folder: string): string {
  const file = join(folder, "package.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")).version;
  return folder === dirname(folder) ? "0.0.0" : read(dirname(folder));
}
