import { existsSync } from "node:fs";
import { join } from "node:path";
import { holdsSecret, joined, kebab, sentence } from "../../../api";
import type { Kind } from "../../../provider/engine/definition";
import { exampleOf, examplesOf } from "../examples";
import { type Files, PAGE_MARK } from "../mark";
import { code, link, table } from "../markdown";
import { namesIn } from "../schema";
import { changesTable } from "./changes";
import { outputsOf } from "./inputs";
import { pageOf } from "./page";

/** Generates docs/resources/: a page for each resource class, and an index. */
export function resourceFiles(root: string, kinds: Record<string, Kind>): Files {
  const sorted = Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = namesIn(kinds);
  const pages = sorted.map(([name, kind]) => [
    `docs/resources/${kebab(name)}.md`,
    pageOf({ name, kind, names }, examplesOf(root, name)),
  ]);
  return { "docs/resources/README.md": indexOf(sorted), ...Object.fromEntries(pages) };
}

export const missingExamples = (root: string, kinds: Record<string, Kind>): string[] =>
  Object.keys(kinds).flatMap((name) =>
    existsSync(join(root, exampleOf(name)))
      ? []
      : [
          `${name} has no example: write ${exampleOf(name)}, a small program that imports "pulumi-cloudinfra" and declares one`,
        ],
  );

/** The text below the overview table of changes. */
const aboutChanges = (sorted: readonly (readonly [string, Kind])[]): string[] => [
  "An input in two columns can do either, as the page of its kind explains. For inputs with \\*, the preview announces side effects: a reboot, replaced nodes, deleted backups.",
  `A replacement creates the new object and then deletes the old one. Where the program sets a label, which must be unique, the old object is deleted first; the same applies to ${joined(deletedFirst(sorted), "and")}. \`deleteBeforeReplace\` overrides this.`,
  "Changing a write-only input has no effect on an existing object; the preview prints a warning.",
  "`ignoreChanges` and `replaceOnChanges` work for the inputs in the first two columns.",
  'The id is the API\'s own, with the ids of the parents first. `Volume.get("data", "640144")` reads an object without managing it; `npx cloudinfra adopt Volume data 640144` [adds it to the stack](../adopt.md).',
];

const deletedFirst = (sorted: readonly (readonly [string, Kind])[]): string[] =>
  sorted.flatMap(([name, kind]) => (kind.delete?.replaceOrder === "deleteFirst" ? [code(name)] : []));

/** A Markdown table of the secret outputs of each resource class, except those that are also inputs. */
const secretsTable = (sorted: readonly (readonly [string, Kind])[]): string =>
  table(
    ["Kind", "Secret outputs"],
    sorted.flatMap(([name, kind]) => {
      const secret = outputsOf(kind).stored.filter(({ field }) => holdsSecret(field));
      return secret.length
        ? [[link(code(name), `${kebab(name)}.md`), secret.map(({ path }) => code(path)).join(", ")]]
        : [];
    }),
  );

const indexOf = (sorted: readonly (readonly [string, Kind])[]): string =>
  [
    `${PAGE_MARK}\n# Resources`,
    `${sorted.length} kinds. Each page lists the inputs with their constraints and the effect of changing them, the outputs, waits and timeouts, and has an example.`,
    table(
      ["Kind", "Description"],
      sorted.map(([name, kind]) => [link(code(name), `${kebab(name)}.md`), sentence(kind.summary)]),
    ),
    "## Effects of changes",
    changesTable(sorted),
    ...aboutChanges(sorted),
    "## Secret outputs",
    "Pulumi encrypts these outputs in the state and prints them as `[secret]`: see [Keep secrets secret](../guides/secrets.md#read-secret-outputs).",
    secretsTable(sorted),
  ]
    .join("\n\n")
    .concat("\n");
