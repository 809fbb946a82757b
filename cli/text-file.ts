import { readFile } from "node:fs/promises";
import { CommandError } from "./usage-error";

export async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, 1);
  }
}
