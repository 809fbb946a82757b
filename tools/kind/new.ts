import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { kinds } from "../../provider/resources";
import { copiesFor, INDEX } from "./copies";

const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));
const [kind = "", like = ""] = process.argv.slice(2);

/** Writes the files of a new kind as copies of those of another: `make new-kind KIND=Backup LIKE=Volume`. */
try {
  const { files, missing } = copiesFor(root, kind, like, Object.keys(kinds));
  for (const [path, text] of files) writeFileSync(join(root, path), text);
  console.log(`Copied from ${like}. Now write the ${kind} in:`);
  for (const path of files.keys()) if (path !== INDEX) console.log(`  ${path}`);
  for (const path of missing) console.log(`  ${path} (new: ${like} has none)`);
  console.log(
    "Then describe it in CHANGELOG.md, also in tools/generate/equivalents.ts if other providers have it, and in the guide of its area in docs/guides/, and run:\n" +
      `  make format generate && make kind KIND=${kind}\n` +
      "  make sdks  # converts the example to other languages; needs Go, and takes minutes the first time\n" +
      "If it has rules of a firewall, policies/rules/no-public-ssh.ts must read them.\n" +
      "Its classes, pages, schema and lists, such as the index of the tests, are generated.",
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
