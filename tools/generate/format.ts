import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Formats generated code with Biome, as if it were in `file`. */
export async function formatted(root: string, file: string, text: string): Promise<string> {
  const biome = require.resolve("@biomejs/biome/bin/biome", { paths: [root] });
  const formatting = run(process.execPath, [biome, "format", `--stdin-file-path=${file}`], { cwd: root });
  formatting.child.stdin?.end(text);
  return (await formatting).stdout;
}
