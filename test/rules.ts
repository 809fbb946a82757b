import { statements } from "../api";
import { link, table } from "../tools/generate/markdown";

/** The test files that prove each rule, limit or state, by its id. */
export type Proofs = ReadonlyMap<string, ReadonlySet<string>>;

/** The rules that can be tested and that no test has proved. */
export const unproved = (proofs: Proofs): string[] =>
  statements.filter(({ name, untestable }) => !untestable && !proofs.has(name)).map(({ name }) => name);

/** Generates docs/rules.md. */
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
          .filter((stated) => stated.section === section)
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
