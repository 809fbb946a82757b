import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { getAsset, isSea } from "node:sea";

/** The root folder of the package: the closest folder above this file that contains a package.json. */
export const packageFolder: string = find(__dirname);

function find(folder: string): string {
  return existsSync(join(folder, "package.json")) || folder === dirname(folder) ? folder : find(dirname(folder));
}

/**
 * Reads a file of the package. In the single-file executable of the plugin, which contains the files that it needs,
 * reads the embedded file.
 */
export const packageFile = (name: string): string =>
  isSea() ? getAsset(name, "utf8") : readFileSync(join(packageFolder, name), "utf8");

export const version: string = read();

function read(): string {
  return isSea() || existsSync(join(packageFolder, "package.json"))
    ? JSON.parse(packageFile("package.json")).version
    : "0.0.0";
}
