import { dirname } from "node:path";
import { functions } from "../provider/functions/functions";
import { kinds } from "../provider/kinds";
import { generate } from "./generate/files";

/** Writes what derives from the definitions; with --check it only names what is out of date and fails if anything is. */
async function main(): Promise<void> {
  const check = process.argv.includes("--check");
  const files = await generate(dirname(require.resolve("pulumi-cloudinfra/package.json")), kinds, { check, functions });
  for (const file of files) console.log(`${check ? "out of date" : "written"}: ${file}`);
  if (!check || !files.length) return;
  console.error('The definitions say otherwise than these files: run "make generate".');
  process.exitCode = 1;
}

void main();
