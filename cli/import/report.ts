import { counted, shellWord } from "../../api";
import { type ImportResult, leftOut } from "../../import";
import { nextUpdate } from "../next-update";

interface ReportOptions {
  isDryRun: boolean;
  stack: string;
  /** The option that names the stack in commands, such as ` --stack prod`. Empty if it will be the selected one. */
  stackOption: string;
  /** Whether the states of other stacks were given, whose objects are left out too. */
  hasOthers: boolean;
  /**
   * Whether the import creates a new project and covers the whole account, without selected objects or filters. Only
   * then does the report list the kinds of objects that an import leaves out unless they are named.
   */
  isFirst: boolean;
  /** The folder of a new project, for the next commands. Undefined for an existing one. */
  newFolder: string | undefined;
}

/** Formats the result of an import: the imported objects, the next steps, and what was not imported. */
export function reportOf(
  result: ImportResult,
  { isDryRun, stack, stackOption, hasOthers, isFirst, newFolder }: ReportOptions,
): string {
  const { files, packages, resources, secrets, unread, held, matched } = result;
  const verb = isDryRun ? "would import" : "imported";
  const kinds = [...Map.groupBy(resources, ({ kind }) => kind)].map(([kind, group]) => `${kind} (${group.length})`);
  return [
    resources.length
      ? `${verb} ${counted(resources.length, "object")} into ${stack}: ${kinds.join(", ")}`
      : "nothing new to import",
    ...(isDryRun ? resources.map(({ kind, name, resource }) => `  ${kind} "${name}" (${resource.id})`) : []),
    ...(held ? [`${counted(held, "object")} already in the stack${hasOthers ? " or in another one" : ""}`] : []),
    ...(files.size ? [`${isDryRun ? "would write" : "wrote"} ${[...files.keys()].join(", ")}`] : []),
    ...(packages.length ? [`${isDryRun ? "would add" : "added"} to package.json: ${packages.join(", ")}`] : []),
    ...unloadedLines(result),
    ...resources.flatMap(({ kind, name, resource }) => {
      const change = nextUpdate(resource);
      return change === undefined ? [] : [`warning: ${kind} "${name}": ${change}`];
    }),
    ...(matched.length ? [isDryRun ? WOULD_MATCH : MATCHED] : []),
    ...matched.map(({ kind, name, id, file }) => `  ${kind} "${name}" (${id}): ${file}`),
    ...(unread.length ? ["Not imported:"] : []),
    ...unread.map(({ kind, reason, resources }) => `  ${resources.join(", ") || kind}: ${reason}`),
    ...(isFirst && resources.length ? [leftOutLine] : []),
    ...nextSteps(secrets, stackOption, isDryRun || !resources.length ? undefined : newFolder),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** The warning about files that the program does not load, with the file that has to import them. */
function unloadedLines({ unloaded, main }: ImportResult): string[] {
  if (!unloaded.length) return [];
  const pronoun = unloaded.length === 1 ? "it" : "them";
  const where = main === undefined ? "its main file, because the folder has no index.ts" : `${main}, its main file`;
  return [
    `warning: the program does not load ${unloaded.join(", ")}: import ${pronoun} in ${where}; otherwise, Pulumi would delete the objects`,
  ];
}

const WOULD_MATCH =
  "The project declares these resources already, so their declarations would not change. The objects were chosen by name: if one is not the object that the program means, give the declared resource another name first:";
const MATCHED =
  'The project declares these resources already, so their declarations did not change. The objects were chosen by name: if "pulumi preview" shows that one is not the object that the program means, restore the previous state, give the declared resource another name, and import again:';

/** Names the kinds whose objects an import of a whole account omits. */
export const leftOutLine = `Left out: ${Object.keys(leftOut).join(", ")}. To import such an object, name it, as in npx cloudinfra import account-contact/account. Instances that are nodes of Kubernetes clusters are left out too. node_modules/pulumi-cloudinfra/docs/import.md has the reasons.`;

/** The commands to run next: all of them in a new project, and otherwise those that set secrets. */
function nextSteps(secrets: ImportResult["secrets"], stackOption: string, newFolder: string | undefined): string[] {
  const commands = secrets.map(({ key }) => `  pulumi config set --secret ${key}${stackOption}`);
  const why = "The API does not return these secrets. Set each before the preview";
  if (newFolder === undefined) return commands.length ? [`${why}:`, ...commands] : [];
  return [
    `Next${commands.length ? `. ${why}; they are used only if Pulumi creates the objects again` : ""}:`,
    `  cd ${shellWord(newFolder)}`,
    "  npm install",
    ...commands,
    "  pulumi preview --expect-no-changes",
  ];
}

const WIDTH = 30;

/** Draws a progress bar if the output is a terminal and this is not CI. */
export function progressBar(
  out: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
): ((done: number, all: number) => void) | undefined {
  if (!out.isTTY || env.CI) return undefined;
  return (done, all) => {
    const filled = Math.round((WIDTH * done) / all);
    out.write(`\r[${"#".repeat(filled)}${" ".repeat(WIDTH - filled)}] ${done} of ${all} objects`);
    if (done === all) out.write("\r\u001b[K");
  };
}
