import type { TimeLimit } from "../provider/pulumi/time-limit";
import { nameIn } from "../stack/deployment";
import { CommandError, UsageError } from "../stack/errors";
import {
  libraries,
  migrated,
  otherType,
  type ProviderType,
  problemsOf,
  resourceName,
  resourcesOf,
} from "../stack/migration";
import { dynamicProblem, projectFileIn } from "../stack/project";
import { Pulumi } from "../stack/pulumi";
import { replaceState } from "../stack/replace";
import { PLUGIN_ENTRY } from "./doctor/plugin";
import { readProject } from "./doctor/project";
import { type MoveOptions, migrateToAccount } from "./migrate-account";
import { printMessage } from "./say";
import { withinLimit } from "./time-limit";
import { uninterrupted } from "./uninterrupted";

export interface MigrateOptions extends MoveOptions {
  to?: ProviderType;
  account: boolean;
  timeout: string;
}

/** Runs `cloudinfra migrate`: rewrites a stack's state for the other kind of resources, or for another account. */
export async function migrate({ to, account, providerName, timeout, ...options }: MigrateOptions): Promise<void> {
  if ((to === undefined) === !account)
    throw new UsageError(
      "migrate takes either --to, for dynamic resources or the native plugin, or --account, for the account of the address and token in use",
    );
  if (providerName !== undefined && !account) throw new UsageError("--provider-name requires --account");
  await withinLimit(timeout, (limit) =>
    to === undefined
      ? migrateToAccount(limit, { ...options, ...(providerName !== undefined && { providerName }) })
      : migrateTo(to, limit, options),
  );
}

/** Converts a stack's state between dynamic resources and the native plugin. */
async function migrateTo(
  to: ProviderType,
  limit: TimeLimit,
  { stack, project, backup, dryRun }: MoveOptions,
): Promise<void> {
  const pulumi = new Pulumi(project, stack, limit);
  const unsupported = to === "dynamic" ? dynamicProblem(await projectFileIn(pulumi.folder)) : undefined;
  if (unsupported !== undefined)
    throw new CommandError(`nothing was migrated: ${unsupported}; keep the resources of the native plugin`, 1);
  const before = await pulumi.export();
  const problems = problemsOf(before, to);
  if (problems.length)
    throw new CommandError(`nothing was migrated:\n${problems.map((line) => `  ${line}`).join("\n")}`, 1);
  const rows = resourcesOf(otherType(to), before);
  if (!rows.length)
    return printMessage(`The stack has no ${otherType(to)} resources of this package, so there is nothing to migrate.`);
  const after = migrated(before, to);
  const name = nameIn(before)?.stack ?? (await pulumi.name()).stack;
  const replacement = {
    before,
    after,
    stack: name,
    backup,
    command: "migrate",
    nothing: "nothing was migrated",
    warn: printMessage,
  };
  if (!dryRun) printMessage(await uninterrupted(() => replaceState(pulumi, replacement)));
  for (const { urn, id } of rows) printMessage(`${dryRun ? "would migrate" : "migrated"} ${resourceName(urn)} (${id})`);
  if (!dryRun) for (const line of await nextSteps(to, project)) printMessage(line);
}

const OTHER_STACKS =
  "Before you update another stack with the changed program, migrate that stack too: otherwise, the update would create its objects again and delete the existing ones.";

/** The changes of the project that have to follow those of its state. */
export async function nextSteps(to: ProviderType, folder: string): Promise<string[]> {
  const { project } = await readProject(folder, false);
  if (to === "native" && project && project.runtime !== "nodejs")
    return [
      'Declare them with the native plugin, as docs/guides/languages.md describes, and run "pulumi preview" before the next update: it shows no changes.',
      OTHER_STACKS,
    ];
  const hasEntry = project?.plugin !== undefined;
  return [
    ...(to === "native" && project && !hasEntry ? [`Add to Pulumi.yaml: ${PLUGIN_ENTRY}`] : []),
    `Import "${libraries[to]}" in the program, then run "pulumi preview": it shows no changes.`,
    ...(to === "dynamic" && hasEntry
      ? [
          "Then remove the plugin from Pulumi.yaml: with it, cloudinfra import writes declarations for the native plugin.",
        ]
      : []),
    "Do not run an update before: a program with the former import would create all objects again and delete these.",
    OTHER_STACKS,
  ];
}
