import { dirname } from "node:path";
import { functions } from "../provider/functions/functions";
import { kinds } from "../provider/resources";
import { generate, RenamedTypesError } from "./generate/files";
import { missingExamples } from "./generate/resources/files";

/**
 * Generates the SDK, the package schema, the client and the docs. With `--check`, writes nothing, prints the files that
 * are out of date, and exits with an error if there are any.
 */
async function main(): Promise<void> {
  const check = process.argv.includes("--check");
  const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));
  const files = await generate(root, kinds, { check, functions });
  for (const file of files) console.log(`${check ? "out of date" : "written"}: ${file}`);
  const problems = [
    ...(check && files.length ? ['These files differ from the definitions: run "make generate".'] : []),
    ...missingExamples(root, kinds),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length) process.exitCode = 1;
}

main().catch((error) => {
  console.error(error instanceof RenamedTypesError ? error.message : error);
  process.exitCode = 1;
});
