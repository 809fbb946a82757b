import { stat } from "node:fs/promises";

/** Throws an error for folders, and for devices and pipes, from which reading might never end or even begin. */
export async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && !found.isFile()) throw new Error(`${path} is not a file`);
}
