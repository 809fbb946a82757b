import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { copiesFor, INDEX } from "./copies";
import { filesOf, namesOf } from "./names";

const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));
const [kind = "", like = "", of = ""] = process.argv.slice(2);

/**
 * Writes the files of a new kind as copies of those of another: `make new-kind KIND=Backup LIKE=Volume`. With `OF=Domain`,
 * it is a second kind over the objects of `Domain`.
 */
try {
  const { files, missing } = copiesFor(root, kind, like, of);
  for (const [path, text] of files) writeFileSync(join(root, path), text);
  console.log(`Copied from ${like}. Write the ${kind} in these files, and delete each comment "Decide:" in them:`);
  for (const path of files.keys()) if (path !== INDEX) console.log(`  ${path}`);
  for (const path of missing)
    console.log(
      `  ${path} (not copied, because ${like} has no such file of its own; write it, or add to the file of related kinds)`,
    );
  console.log(
    "Names of objects in the example, and names of resources of one kind, differ from those in other examples.\n" +
      "Add a line to CHANGELOG.md, under the last release. While you write the behaviour test:\n" +
      `  make test ARGS="${filesOf(namesOf(kind)).behaviour}"\n` +
      "Then run:\n" +
      `  make format generate && make kind KIND=${kind}\n` +
      "Its classes, pages, schema and lists, such as the index of the tests, are generated.\n" +
      "If it has rules of a firewall, policies/rules/no-public-ssh.ts must read them.\n" +
      "When the example is finished, convert it to other languages, which a unit test requires:\n" +
      "  make sdks  # needs Go, and takes minutes the first time",
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
