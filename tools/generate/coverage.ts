import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { errorStatusesOf, fullPath, kebab, type NamedOperation } from "../../api";
import type { Kind } from "../../provider/engine/definition";
import { withoutKind } from "./kind-calls";
import type { Files } from "./mark";
import { code, link, table } from "./markdown";
import { areas } from "./operations";

/**
 * Error statuses that do not depend on the operation, such as 429. One test covers each of them, instead of a test for
 * each operation.
 */
const ofTransport: ReadonlySet<number> = new Set([413, 415, 429, 503]);

/** The HTTP statuses that the operation's own tests check. */
export const tested = ({ operation }: Pick<NamedOperation, "operation">): number[] =>
  [200, ...errorStatusesOf(operation).filter((status) => !ofTransport.has(status)), 405].sort();

/**
 * Write operations after which the account's event log has no new entry, because the service does not define an event
 * action for them.
 */
export const silent = (): NamedOperation[] =>
  areas.flatMap(({ all }) => all).filter(({ operation: { method, event } }) => method !== "GET" && event === undefined);

/**
 * Generates docs/coverage.md: all API operations, each with its call in the client and the CLI, and the HTTP statuses
 * that tests check.
 */
export function coverageFile(root: string, kinds: Record<string, Kind>): Files {
  if (!existsSync(join(root, "test/contract"))) return {};
  return {
    "docs/coverage.md": [
      "# Operations and their tests",
      `Written by \`make generate\` from the contract. ${link("rules.md", "rules.md")} lists the tests of the documents' rules.`,
      `${areas.flatMap(({ all }) => all).length} operations. ${link("matrix.test.ts", "../test/contract/matrix.test.ts")} calls each of them with valid input, and ` +
        "then with every kind of invalid request: the last column lists the statuses that it checks. " +
        "413, 415, 429 and 503 have separate tests.",
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
      "## Writes that no kind calls",
      "Programs cannot declare their effect; the client and the command have them. Every read is a function: see " +
        `${link("functions.md", "functions.md")}.`,
      withoutKind(root, kinds)
        .map(({ name }) => code(name))
        .join(", "),
      "## Writes without an event",
      "The service's list of actions does not include them.",
      silent()
        .map(({ name }) => code(name))
        .join(", "),
      "",
    ]
      .join("\n\n")
      .replace(/\n+$/, "\n"),
  };
}

function aboutArea(root: string, area: string): string {
  const name = kebab(area);
  const files = [`api/{*/,}${name}.ts`, `emulator/areas/{*/,}${name}.ts`, `test/contract/{*/,}${name}.test.ts`].flatMap(
    (pattern) => globSync(pattern, { cwd: root }),
  );
  return files.map((file) => link(file, `../${file}`)).join(" · ");
}
