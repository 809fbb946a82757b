import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { textIfExists } from "../../stack/text-file";

/** A package that the project's program can load. */
export interface Installed {
  version: string;
  folder: string;
}

export async function installedIn(folder: string, name: string): Promise<Installed | undefined> {
  try {
    const file = createRequire(join(folder, "package.json")).resolve(`${name}/package.json`);
    return { version: String(JSON.parse((await textIfExists(file)) ?? "{}").version), folder: dirname(file) };
  } catch {
    return undefined;
  }
}
