import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { fullPath, kebab, type NamedOperation, names, refusalsOf, type Stated, sections, statements } from "../../api";
import type { Files } from "./files";
import { code, link, table } from "./markdown";
import { areas } from "./operations";
import { type NamedTest, testNames } from "./test-names";

/** Refused before any operation is reached, or by time alone: tested once for all of them. */
const ofTransport: ReadonlySet<number> = new Set([413, 415, 429, 503]);

/** What every operation is tested for, each by a request of its own. */
export const tested = ({ operation }: Pick<NamedOperation, "operation">): number[] =>
  [200, ...refusalsOf(operation).filter((status) => !ofTransport.has(status)), 405].sort();

/** Writes that the account's history does not tell of: the service has no action for them. */
export const silent = (): NamedOperation[] =>
  areas.flatMap(({ all }) => all).filter(({ operation: { method, event } }) => method !== "GET" && event === undefined);

/** The tests that name each rule and limit. */
export const testsOf = (tests: readonly NamedTest[], stated: Stated): NamedTest[] =>
  tests.filter(({ name }) => names(name, stated));

/** docs/coverage.md: each operation and each rule with what calls it, does it and tests it. */
export function coverageFile(root: string): Files {
  if (!existsSync(join(root, "test/contract"))) return {};
  const tests = testNames(root, "test/contract");
  return {
    "docs/coverage.md": [
      "# What is there, and what tests it",
      "Written by `make generate` from the contract, the list of rules in `api/schema/documents.ts` and the names of the tests in " +
        "`test/contract/`; a test fails when something in it is missing.",
      "## Operations",
      `${areas.flatMap(({ all }) => all).length} operations. ${link("matrix.test.ts", "../test/contract/matrix.test.ts")} calls each of them by its plan, and ` +
        "then again in every way that the contract refuses: the statuses in the last column were seen. " +
        "413, 415, 429 and 503 have tests of their own.",
      ...areas.flatMap(({ area, all }) => [
        `### ${area}`,
        aboutArea(root, area),
        table(
          ["Operation", "Client", "Command", "Tested"],
          all.map((one) => [
            code(`${one.operation.method} ${fullPath(one.operation)}`),
            code(`api.${one.name}`),
            code(`cloudinfra api ${kebab(one.area)} ${kebab(one.key)}`),
            tested(one).join(" "),
          ]),
        ),
      ]),
      "## Writes without an event",
      "The service's list of actions has none for them.",
      silent()
        .map(({ name }) => code(name))
        .join(", "),
      "## Rules, limits and states",
      `${statements.length} of them. A test names what it holds the service to, as \`${statements[0]?.name}\`.`,
      ...sections.flatMap(({ place, kind }) => [`### ${place}`, aboutSection(place, kind, tests)]),
      "",
    ]
      .join("\n\n")
      .replace(/\n+$/, "\n"),
  };
}

const heads = { rule: "Rule", limit: "Limit", state: "State" };

/** What a section states, a line each: its number, or its name where it has none. */
function aboutSection(place: string, kind: keyof typeof heads, tests: readonly NamedTest[]): string {
  const rows = statements
    .filter((stated) => stated.place === place)
    .map((stated, at) => [
      String(at + 1),
      stated.title,
      stated.untestable ? `none: ${stated.untestable}` : filesOf(testsOf(tests, stated)),
    ]);
  return table([heads[kind], "About", "Tests"], rows);
}

function aboutArea(root: string, area: string): string {
  const name = kebab(area);
  const files = [`api/{*/,}${name}.ts`, `emulator/areas/{*/,}${name}.ts`, `test/contract/{*/,}${name}.test.ts`].flatMap(
    (pattern) => globSync(pattern, { cwd: root }),
  );
  return files.map((file) => link(file, `../${file}`)).join(" · ");
}

/** The files that the tests are in, with how many of them. */
function filesOf(tests: readonly NamedTest[]): string {
  const counts = new Map<string, number>();
  for (const { file } of tests) counts.set(file, (counts.get(file) ?? 0) + 1);
  return [...counts]
    .map(
      ([file, count]) => `${link(file.replace("test/contract/", ""), `../${file}`)}${count > 1 ? ` (${count})` : ""}`,
    )
    .join(", ");
}
