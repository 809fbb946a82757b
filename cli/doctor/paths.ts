import { statSync } from "node:fs";

export function typeAt(path: string): "file" | "folder" | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : undefined;
  } catch {
    return undefined;
  }
}
