import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { fullPath, kebab, type NamedOperation, refusalsOf } from "../../api";
import type { Files } from "./mark";
import { code, link, table } from "./markdown";
import { areas } from "./operations";

/** Refused before any operation is reached, or by time alone: tested once for all of them. */
const ofTransport: ReadonlySet<number> = new Set([413, 415, 429, 503]);

/** What every operation is tested for, each by a request of its own. */
export const tested = ({ operation }: Pick<NamedOperation, "operation">): number[] =>
  [200, ...refusalsOf(operation).filter((status) => !ofTransport.has(status)), 405].sort();

/** Writes that the account's history does not tell of: the service has no action for them. */
export const silent = (): NamedOperation[] =>
  areas.flatMap(({ all }) => all).filter(({ operation: { method, event } }) => method !== "GET" && event === undefined);

/** docs/coverage.md: each operation with what calls it, does it and tests it. */
export function coverageFile(root: string): Files {
  if (!existsSync(join(root, "test/contract"))) return {};
  return {
    "docs/coverage.md": [
      "# Operations and their tests",
      `Written by \`make generate\` from the contract. What proves the documents' rules is in ${link("rules.md", "rules.md")}.`,
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
