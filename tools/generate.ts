import { dirname } from "node:path";
import { functions } from "../provider/functions/functions";
import { kinds } from "../provider/resources";
import { generate } from "./generate/files";
import { missingExamples } from "./generate/resources/files";

/** Writes what derives from the definitions; with --check it only names what is out of date and fails if anything is. */
async function main(): Promise<void> {
  const check = process.argv.includes("--check");
  const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));
  const files = await generate(root, kinds, { check, functions });
  for (const file of files) console.log(`${check ? "out of date" : "written"}: ${file}`);
  const problems = [
    ...(check && files.length ? ['The definitions say otherwise than these files: run "make generate".'] : []),
    ...missingExamples(root, kinds),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length) process.exitCode = 1;
}

void main();
