import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getAsset, isSea } from "node:sea";

/** The package's folder, which is further up from dist/ than from the sources. */
const packageFolder: string = find(__dirname);

function find(folder: string): string {
  return existsSync(join(folder, "package.json")) || folder === dirname(folder) ? folder : find(dirname(folder));
}

/** A file of the package; the single-file executable contains those that the plugin needs. */
export const packageFile = (name: string): string =>
  isSea() ? getAsset(name, "utf8") : readFileSync(join(packageFolder, name), "utf8");

/** The package's version. */
export const version: string = read();

function read(): string {
  return isSea() || existsSync(join(packageFolder, "package.json"))
    ? JSON.parse(packageFile("package.json")).version
    : "0.0.0";
}
