import { camel, joined, kebab, sentence } from "../../../api";
import { fieldOf, type Kind, type ReadinessRule } from "../../../provider/engine/definition";
import { idFormat, isAction } from "../../../provider/engine/identity";
import { defaultTimeout } from "../../../provider/engine/time-limits";
import { methodsOf } from "../../../provider/functions/methods";
import { type Example, exampleOf } from "../examples";
import { PAGE_MARK } from "../mark";
import { apiPage, code, link, source, table } from "../markdown";
import { canReplace, declarableInputs } from "../policy";
import { deprecationOf, replacement } from "../schema";
import { wordsOf } from "../sentences";
import { type Documented, inputBlocks, outputsOf, outputsTable } from "./inputs";

export function pageOf(documented: Documented, examples: readonly Example[]): string {
  const { name, kind } = documented;
  return [
    `${PAGE_MARK}\n# ${name}`,
    sentence(kind.summary),
    ...deprecation(kind),
    about(name, kind),
    "## Example",
    ...exampleText(name, examples),
    "## Inputs",
    "Omitted inputs are managed only if they have a default. Nested fields change together with the input that contains them. Where several objects have the same fields, the first one lists them.",
    ...writeOnly(kind),
    inputBlocks(documented),
    "## Outputs",
    ...outputs(documented),
    ...methodsText(kind),
    "## Replacement",
    replacementText(name, kind),
    "## Readiness and timeouts",
    ...waits(name, kind),
    "## ID",
    `${code(idFormat(kind))}. Use ${code(`${name}.get("name", "${idFormat(kind)}")`)} to read an existing ${wordsOf(name)} without managing it. ${adoption(name, kind)}`,
  ]
    .join("\n\n")
    .concat("\n");
}

function deprecation(kind: Kind): string[] {
  const reason = deprecationOf(kind);
  return reason ? [`**Deprecated.** ${reason}`] : [];
}

const about = (name: string, kind: Kind): string =>
  [
    `API operations: ${link(String(kind.identity.area), `../${apiPage(String(kind.identity.area))}`)}`,
    link(`class ${name}`, source(`sdk/${kebab(name)}.ts`)),
  ].join(" · ");

const writeOnly = (kind: Kind): string[] =>
  Object.keys(kind.fields).some((key) => fieldOf(kind, key).change === "writeOnly")
    ? ["The API never returns write-only inputs. Each says when its value is used."]
    : [];

const adoption = (name: string, kind: Kind): string =>
  isAction(kind)
    ? "An action does not create an object that could be adopted."
    : `To manage an existing one, run ${code(`npx cloudinfra adopt ${name} NAME ID`)}: see ${link("Adopt existing objects", "../adopt.md")}.`;

/**
 * The example in each language, as tabs of the docs site; on a forge, the comments around them are invisible. The files
 * are also run or compiled by tests.
 */
function exampleText(name: string, examples: readonly Example[]): string[] {
  if (!examples.length) return [`Missing: write ${code(exampleOf(name))}.`];
  const blocks = examples.map(({ language, fence, text }) => `\`\`\`${fence} [${language}]\n${text}\n\`\`\``);
  return ["<!-- code-group -->", ...blocks, "<!-- end of code-group -->"];
}

/** The section about methods. A resource has a method for each SDK function that requires only its id. */
function methodsText(kind: Kind): string[] {
  const rows = methodsOf(kind).map(({ name, fn, id }) => [
    code(`${name}()`),
    code(`${fn.name}Output({ ${camel(id)} })`),
    sentence(fn.operation.summary),
  ]);
  return rows.length
    ? [
        "## Methods",
        "Each calls a function with the ID of the resource:",
        table(["Method", "Function", "Description"], rows),
      ]
    : [];
}

function outputs(documented: Documented): string[] {
  const shown = outputsTable(documented);
  const { volatile } = outputsOf(documented.kind);
  const names = volatile.map(({ path }) => code(path)).join(", ");
  return [
    shown ? "All inputs, and:" : "All inputs. There are no other outputs.",
    ...(shown ? [shown] : []),
    ...(names ? [`Not stored in state, because the service changes it on its own: ${names}.`] : []),
  ];
}

function replacementText(name: string, kind: Kind): string {
  const inputs = declarableInputs(kind).filter((key) => canReplace(kind, key));
  if (!inputs.length) return `No change of an input replaces the ${wordsOf(name)}.`;
  const words = wordsOf(name);
  const [order = `The new ${words} is created before the old one is deleted.`] = replacement(name, kind);
  const unless =
    kind.identity.autoname && !kind.delete?.replaceOrder ? ` Otherwise the new ${words} is created first.` : "";
  return `Changing ${joined(
    inputs.map((key) => code(camel(key))),
    "or",
  )} replaces the ${words}. ${order}${unless}`;
}

/** A sentence about what still exists after the resource is deleted. Undefined if the object is deleted completely. */
const afterDeletion = ({ delete: { run, retained } = {} }: Kind): string | undefined =>
  run === "none"
    ? "Deleting the resource does not delete the object: it only removes the resource from the state."
    : retained?.note;

const readinessWords: Record<ReadinessRule, string> = { ready: "ready", wait: "in progress", failed: "failed" };

function waits(name: string, kind: Kind): string[] {
  const rows = Object.entries(kind.readiness?.byStatus ?? {}).map(([status, meaning]) => [
    code(status),
    typeof meaning === "string" ? readinessWords[meaning] : "ready, unless the inputs require another status",
  ]);
  const operations = ["create", "update", "delete"] as const;
  const limits = operations.map((operation) => `${defaultTimeout(kind, operation) / 60_000} minutes`);
  const words = wordsOf(name);
  return [
    rows.length
      ? table(["Status", "Meaning"], rows)
      : kind.readiness
        ? ""
        : "The API returns no status that the provider waits for.",
    [
      ...(kind.checks?.onCreate ?? []).map((check) =>
        "warns" in check
          ? `The preview of a create warns ${check.warns}.`
          : `The preview rejects a create ${check.rejects}.`,
      ),
      ...(kind.readiness?.pending
        ? [`Create and update ${rows.length ? "also wait" : "wait"} for conditions that progress messages name.`]
        : []),
      ...(kind.delete?.pending ? [`Delete also waits until everything that belonged to the ${words} is deleted.`] : []),
      ...[afterDeletion(kind) ?? []].flat(),
    ].join(" "),
    `Default timeouts (${link("configurable", "../configuration.md#timeouts")}):`,
    table(
      operations.map(sentence).map((word) => word.slice(0, -1)),
      [limits],
    ),
  ].filter(Boolean);
}
