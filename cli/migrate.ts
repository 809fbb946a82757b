import { nameIn } from "../provider/heads/adoption";
import { called, type Head, migrated, other, problemsOf, resourcesOf } from "../provider/heads/migration";
import { Pulumi } from "./adopt/pulumi";
import { replaceState } from "./adopt/replace-state";
import { CommandError } from "./usage-error";

export interface MigrateOptions {
  to: Head;
  stack?: string;
  project: string;
  backup?: string;
  dryRun: boolean;
}

/** The module that a program imports for each head. */
const modules = { dynamic: "pulumi-cloudinfra", native: "pulumi-cloudinfra/native" };

/** Runs `cloudinfra migrate`: rewrites a stack's state as if the other head had created its resources. */
export async function migrate({ to, stack, project, backup, dryRun }: MigrateOptions): Promise<void> {
  const pulumi = new Pulumi(project, stack);
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
    project,
    backup,
    command: "migrate",
    nothing: "nothing was migrated",
  };
  const saved = dryRun ? undefined : await replaceState(pulumi, replacement);
  for (const { urn, id } of rows) say(`${dryRun ? "would migrate" : "migrated"} ${called(urn)} (${id})`);
  if (saved === undefined) return;
  say(`The previous state is saved in ${saved}. To restore it, run "pulumi stack import --file" with that file.`);
  say(`Import "${modules[to]}" in the program, then run "pulumi preview": it shows no changes.`);
}

const say = (message: string): void => void process.stderr.write(`${message}\n`);
