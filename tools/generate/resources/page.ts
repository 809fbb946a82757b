import { camel, kebab, sentence } from "../../../api";
import type { Kind, Readying } from "../../../provider/engine/definition";
import { defaultTimeout } from "../../../provider/engine/host";
import { idForm, isAction } from "../../../provider/engine/identity";
import { PAGE_MARK } from "../mark";
import { anchor, code, link, source, table } from "../markdown";
import { canReplace } from "../policy";
import { replacement } from "../schema";
import { wordsOf } from "../sentences";
import { sinceOf } from "../shape";
import { type Documented, inputsTable, outputsOf, outputsTable } from "./inputs";

/** Where a kind's example lies. */
export const exampleOf = (name: string): string => `examples/resources/${kebab(name)}.ts`;

/** A kind's page. */
export function pageOf(documented: Documented, example: string | undefined): string {
  const { name, kind } = documented;
  return [
    `${PAGE_MARK}\n# ${name}`,
    sentence(kind.summary),
    about(name, kind),
    "## Example",
    ...exampleText(name, example),
    "## Inputs",
    "Those in **bold** must be stated, in an object where that is stated. What is absent is left alone; what lies in an object or a list changes with it; of several with the same fields the first has them below it.",
    inputsTable(documented),
    "## Outputs",
    ...outputs(documented),
    "## What a replacement does",
    replacementText(name, kind),
    "## Waits",
    ...waits(name, kind),
    "## Id",
    `${code(idForm(kind))}. ${code(`${name}.get("name", "${idForm(kind)}")`)} reads an existing one without managing it. ${adoption(name, kind)}`,
  ]
    .join("\n\n")
    .concat("\n");
}

const about = (name: string, kind: Kind): string =>
  [
    `Since ${sinceOf(kind)}`,
    `documents: ${kind.source}`,
    `operations: ${link(String(kind.identity.area), `../api.md${anchor(String(kind.identity.area))}`)}`,
    link(`class ${name}`, source(`sdk/${kebab(name)}.ts`)),
  ].join(" · ");

const adoption = (name: string, kind: Kind): string =>
  isAction(kind)
    ? "It is an action, so there is no object to adopt."
    : `${code(`npx cloudinfra adopt ${name} NAME ID`)} brings an existing one under code: ${link("adopt existing objects", "../adopt.md")}.`;

/** The example itself, not a copy by hand: the tests run the file. */
function exampleText(name: string, example: string | undefined): string[] {
  const file = exampleOf(name);
  if (example === undefined) return [`None yet: ${code(file)} is to be written.`];
  return [
    `${link(code(file), `../../${file}`)}, which the tests run:`,
    `<!-- begin: ${file} -->`,
    `\`\`\`ts\n${example.trimEnd()}\n\`\`\``,
    `<!-- end: ${file} -->`,
  ];
}

function outputs(documented: Documented): string[] {
  const shown = outputsTable(documented);
  const { moving } = outputsOf(documented.kind);
  const names = moving.map(({ path }) => code(path)).join(", ");
  return [
    shown ? "All inputs, and:" : "All inputs; there is nothing beside them.",
    ...(shown ? [shown] : []),
    ...(names ? [`Not kept in state, since it moves by itself: ${names}.`] : []),
  ];
}

function replacementText(name: string, kind: Kind): string {
  const inputs = Object.keys(kind.fields).filter((key) => canReplace(kind, key));
  if (!inputs.length) return "No change of an input replaces it.";
  const words = wordsOf(name);
  const [order = `The new ${words} is there before the old one goes.`] = replacement(name, kind);
  const unless =
    kind.identity.autoname && kind.delete?.replaceOrder !== "deleteFirst"
      ? ` Without one the new ${words} is there before the old one goes.`
      : "";
  return `It comes from a change of ${inputs.map((key) => code(camel(key))).join(", ")}. ${order}${unless}`;
}

/** Whether deleting the resource leaves the object. */
const isLasting = ({ delete: { run, stays } = {} }: Kind): boolean => run === "none" || stays === true;

const staying = (kind: Kind): string =>
  `What it is about was there before and stays: a deletion ${kind.delete?.run === "none" ? "only forgets it" : "takes back what was set"}.`;

const fates: Record<Readying, string> = { ready: "ready", wait: "waited out", failed: "failed" };

function waits(name: string, kind: Kind): string[] {
  const rows = Object.entries(kind.readiness?.byStatus ?? {}).map(([status, fate]) => [
    code(status),
    typeof fate === "string" ? fates[fate] : "ready, or waited out where the inputs ask for more",
  ]);
  const operations = ["create", "update", "delete"] as const;
  const limits = operations.map((operation) => `${defaultTimeout(kind, operation) / 60_000} minutes`);
  const words = wordsOf(name);
  return [
    rows.length ? table(["Status", "Meaning"], rows) : "There is no status to wait for.",
    [
      ...(kind.checks?.onCreate ? ["A preview says what the creation does besides."] : []),
      ...(kind.readiness?.pending
        ? ["A creation or an update also waits for what no status tells; its message says what is missing."]
        : []),
      ...(kind.delete?.remains ? [`A deletion also waits until what belonged to the ${words} is gone.`] : []),
      ...(isLasting(kind) ? [staying(kind)] : []),
    ].join(" "),
    `Time limits, unless ${link("the configuration", "../configuration.md")} says otherwise:`,
    table(
      operations.map(sentence).map((word) => word.slice(0, -1)),
      [limits],
    ),
  ].filter(Boolean);
}
