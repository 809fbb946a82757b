import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The package's folder, which is further up from dist/ than from the sources. */
export const packageFolder: string = find(__dirname);

function find(folder: string): string {
  return existsSync(join(folder, "package.json")) || folder === dirname(folder) ? folder : find(dirname(folder));
}

/** The package's version. */
export const version: string = read();

function read(): string {
  const file = join(packageFolder, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : "0.0.0";
}
