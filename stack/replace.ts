import { rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { shellWord } from "../api";
import { containsSecretValue } from "../provider/engine/values";
import { recordedAccounts } from "./account";
import { type Deployment, rowsIn } from "./deployment";
import { CommandError, UnknownOutcomeError } from "./errors";
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
  /** Receives the warning that Pulumi has reported a failure although it has changed the state. */
  warn: (message: string) => void;
  /** Work that comes after the backup and before the change of the state. If it fails, the state is unchanged. */
  prepare?: () => Promise<void>;
}

/**
 * Replaces the state of a stack, and saves the previous state in a file. Returns a message with the name of the file.
 * Throws if the state has changed since the command has read it, and an `UnknownOutcomeError` if it is not known whether
 * the state was replaced.
 */
export async function replaceState(pulumi: Pulumi, replacement: Replacement): Promise<string> {
  const { after, nothing, prepare } = replacement;
  if (!after.deployment.secrets_providers && containsSecretValue(after.deployment.resources))
    throw new CommandError(
      `the state of the stack has no "secrets_providers", without which Pulumi cannot encrypt secrets, so ${nothing}; ` +
        'run "pulumi refresh", which adds them, and run the command again',
      1,
    );
  const backup = await writeBackup(pulumi.folder, replacement);
  try {
    // Before the comparison, because it can wait for a reader of the output, and the stack can change in that time.
    await prepare?.();
    if (!isUnchanged(replacement, await pulumi.export()))
      throw new CommandError(
        `the stack was changed by another process at the same time, so ${nothing}; run the command again`,
        1,
      );
  } catch (error) {
    // Nothing was changed, and a backup with the name that the user chose would be in the way of the next attempt.
    await rm(backup, { force: true }).catch(() => {});
    throw error;
  }
  await pulumi.import(after).catch((failure: Error) => requireReplaced(pulumi, replacement, failure, backup));
  // With the organization, if the user has named one: without it, Pulumi would look in the user's default organization.
  const stack = pulumi.stack ?? (await pulumi.selected().catch(() => replacement.stack));
  const [folder, name, file] = [pulumi.folder, stack, backup].map(shellWord);
  const restore = `pulumi stack import --cwd ${folder} --stack ${name} --file ${file}`;
  return `The previous state is saved in ${backup}. To restore it, which also undoes all later updates of the state, run "${restore}".`;
}

const isUnchanged = ({ before }: Replacement, now: Deployment): boolean =>
  JSON.stringify(before) === JSON.stringify(now);

/**
 * Throws the failure of a change unless the state has the change: Pulumi also fails if the backend has stored the state
 * and then only the result was lost.
 */
async function requireReplaced(
  pulumi: Pulumi,
  replacement: Replacement,
  { message }: Error,
  backup: string,
): Promise<void> {
  const { nothing, warn } = replacement;
  const saved = `The previous state is saved in ${backup}`;
  const unknown = (reason: string): UnknownOutcomeError =>
    new UnknownOutcomeError(
      `${message}\nIt is not known whether the state of the stack was changed, because ${reason}\n` +
        `${saved}. Before the next update, run the command again${replacement.backup === undefined ? "" : ", with another file for --backup"}: it completes what is missing`,
    );
  const now = await pulumi.exportUninterrupted().catch((error: Error) => {
    throw unknown(`it cannot be read: ${error.message}`);
  });
  if (isUnchanged(replacement, now)) throw new CommandError(`${message}\n${saved}; ${nothing}`, 1);
  if (!isReplaced(replacement, now)) throw unknown("it is neither the previous state nor the new one");
  warn(`warning: ${message}\nThe state of the stack has the change nevertheless.`);
}

/** Whether a state has all resources that the change has added, with the accounts that it has recorded. */
function isReplaced({ before, after }: Replacement, now: Deployment): boolean {
  const wanted = identitiesIn(after);
  const hasAll = (state: Deployment): boolean => {
    const existing = new Set(identitiesIn(state));
    return wanted.every((one) => existing.has(one));
  };
  return hasAll(now) && !hasAll(before);
}

/** The resources of a state without their properties, because Pulumi writes these in another form. */
function identitiesIn(state: Deployment): string[] {
  const rows = rowsIn(state);
  const accountOf = recordedAccounts(rows);
  return rows.map((row) => JSON.stringify([row.urn, row.id, accountOf(row)]));
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
    const { code } = error as NodeJS.ErrnoException;
    // A part of the backup, for example on a full disk, would be in the way of the next attempt.
    if (code !== "EEXIST") await rm(file, { force: true }).catch(() => {});
    throw new CommandError(`the backup ${file} cannot be written (${code}), so ${nothing}`, 1);
  }
}
