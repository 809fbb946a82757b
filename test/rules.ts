import { statements } from "../api";
import { link, table } from "../tools/generate/markdown";

/** For each rule of the API documentation (by its name), the files with passed tests that cover it. */
export type Proofs = ReadonlyMap<string, ReadonlySet<string>>;

/** The names of rules that no test covers, without those that cannot be tested. */
export const unproved = (proofs: Proofs): string[] =>
  statements.filter(({ name, untestable }) => !untestable && !proofs.has(name)).map(({ name }) => name);

/** The text of docs/rules.md, which lists each rule of the API documentation with the tests that cover it. */
export function rulesPage(proofs: Proofs): string {
  const sections = new Set(statements.map(({ section }) => section));
  return `${[
    "# Rules and their tests",
    `The ${statements.length} rules, limits and states of the service's documents that \`api/schema/documents/\` lists, and the files whose ` +
      'tests prove them by `proves("…")`. A run of the whole contract tier fails where a rule has no test that passes, or where this page ' +
      'is out of date; `make test ARGS="--project contract -u"` writes it.',
    ...[...sections].flatMap((section) => [
      `## ${section}`,
      table(
        ["Name", "About", "Tests"],
        statements
          .filter((declared) => declared.section === section)
          .map(({ name, title, untestable }) => [
            name.slice(`${section} · `.length),
            title,
            untestable ? `none: ${untestable}` : filesIn(proofs.get(name)),
          ]),
      ),
    ]),
  ].join("\n\n")}\n`;
}

const filesIn = (files: Iterable<string> = []): string =>
  [...files]
    .sort()
    .map((file) => link(file.replace("test/contract/", ""), `../${file}`))
    .join(", ");
