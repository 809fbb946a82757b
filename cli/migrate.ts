import { nameIn } from "../provider/heads/adoption";
import { called, type Head, libraries, migrated, other, problemsOf, resourcesOf } from "../provider/heads/migration";
import type { TimeLimit } from "../provider/heads/time-limit";
import { Pulumi } from "./adopt/pulumi";
import { replaceState } from "./adopt/replace-state";
import { say } from "./say";
import { withinLimit } from "./time-limit";
import { CommandError } from "./usage-error";

export interface MigrateOptions {
  to: Head;
  stack?: string;
  project: string;
  backup?: string;
  dryRun: boolean;
  timeout: string;
}

/** Runs `cloudinfra migrate`: converts a stack's state between dynamic resources and the native plugin. */
export function migrate(options: MigrateOptions): Promise<void> {
  return withinLimit(options.timeout, (limit) => migrateWithin(limit, options));
}

async function migrateWithin(limit: TimeLimit, { to, stack, project, backup, dryRun }: MigrateOptions): Promise<void> {
  const pulumi = new Pulumi(project, stack, limit);
  const before = await pulumi.export();
  const problems = problemsOf(before, to);
  if (problems.length)
    throw new CommandError(`nothing was migrated:\n${problems.map((line) => `  ${line}`).join("\n")}`, 1);
  const rows = resourcesOf(other(to), before);
  if (!rows.length)
    return say(`The stack has no ${other(to)} resources of this package, so there is nothing to migrate.`);
  const after = migrated(before, to);
  const name = nameIn(before)?.stack ?? (await pulumi.name()).stack;
  const replacement = {
    before,
    after,
    stack: name,
    backup,
    command: "migrate",
    nothing: "nothing was migrated",
  };
  if (!dryRun) await replaceState(pulumi, replacement);
  for (const { urn, id } of rows) say(`${dryRun ? "would migrate" : "migrated"} ${called(urn)} (${id})`);
  if (!dryRun) say(`Import "${libraries[to]}" in the program, then run "pulumi preview": it shows no changes.`);
}
