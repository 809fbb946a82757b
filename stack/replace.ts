import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { shellWord } from "../api";
import { containsSecretValue } from "../provider/engine/values";
import type { Deployment } from "./deployment";
import { CommandError } from "./errors";
import type { Pulumi } from "./pulumi";

export interface Replacement {
  /**
   * The stack's state when the command, such as `adopt`, read it. It is saved in the backup file, and compared with the
   * current state to detect concurrent changes.
   */
  before: Deployment;
  after: Deployment;
  /** Name of the stack without project and organization, for the name of the backup file. */
  stack: string;
  backup?: string | undefined;
  /** Name of the command, such as `adopt`, for the name of the backup file. */
  command: string;
  /** End of an error message, which says that the command had no effect: `nothing was adopted`. */
  nothing: string;
  /** Work that comes after the backup and before the change of the state. If it fails, the state is unchanged. */
  prepare?: () => Promise<void>;
}

/**
 * Replaces the state of a stack, and saves the previous state in a file. Returns a message with the name of the file.
 * Throws if the state has changed since the command has read it.
 */
export async function replaceState(pulumi: Pulumi, replacement: Replacement): Promise<string> {
  const { before, after, nothing, prepare } = replacement;
  if (!after.deployment.secrets_providers && containsSecretValue(after.deployment.resources))
    throw new CommandError(
      `the state of the stack has no "secrets_providers", without which Pulumi cannot encrypt secrets, so ${nothing}; ` +
        'run "pulumi refresh", which adds them, and run the command again',
      1,
    );
  const backup = await writeBackup(pulumi.folder, replacement);
  // Before the comparison, because it can wait for a reader of the output, and the stack can change in that time.
  await prepare?.();
  if (JSON.stringify(before) !== JSON.stringify(await pulumi.export()))
    throw new CommandError(
      `the stack was changed by another process at the same time, so ${nothing}; run the command again`,
      1,
    );
  await pulumi.import(after).catch((error: Error) => {
    throw new CommandError(`${error.message}\nThe previous state is saved in ${backup}; ${nothing}`, 1);
  });
  // With the organization, if the user has named one: without it, Pulumi would look in the user's default organization.
  const stack = pulumi.stack ?? (await pulumi.selected().catch(() => replacement.stack));
  const [folder, name, file] = [pulumi.folder, stack, backup].map(shellWord);
  const restore = `pulumi stack import --cwd ${folder} --stack ${name} --file ${file}`;
  return `The previous state is saved in ${backup}. To restore it, which also undoes all later updates of the state, run "${restore}".`;
}

/** Saves the previous state in a file that only the user can read. Returns the file's path. */
async function writeBackup(folder: string, { before, stack, backup, command, nothing }: Replacement): Promise<string> {
  // With milliseconds, because a script can run the command several times within a second.
  const time = new Date().toISOString().replace(/[-:.]/g, "");
  const file = resolve(backup ?? resolve(folder, `${stack}.before-${command}.${time}.json`));
  try {
    await writeFile(file, `${JSON.stringify(before, undefined, 4)}\n`, { mode: 0o600, flag: "wx" });
    return file;
  } catch (error) {
    throw new CommandError(
      `the backup ${file} cannot be written (${(error as NodeJS.ErrnoException).code}), so ${nothing}`,
      1,
    );
  }
}
