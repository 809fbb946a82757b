import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { camel } from "../../api";
import type { Attempt, Attempts, PendingBoots } from "../engine/host";
import { pick } from "../engine/values";
import { cacheFolder } from "../pulumi/cache-folder";
import { urnParts } from "../pulumi/urn";
import type { Secrets } from "./values";

/**
 * Records of create requests on disk, each kept until Pulumi has saved the new id in state, and of instances that a
 * change has shut down.
 */
export interface JournalRecords {
  /**
   * Records of the create requests for one resource. `account` distinguishes accounts that have stacks with the same
   * name.
   */
  attempts(account: string, urn: string): Attempts;
  /** Removes the record of a resource, because the state contains the id of its object. */
  confirm(account: string, urn: string, id: string): void;
  /** The ids of the account's instances that a change has shut down, and that must be booted again. */
  pendingBoots(account: string): PendingBoots;
  /** Removes the records of this process, because Pulumi has saved all responses. */
  close(): void;
}

interface Entry extends Attempt {
  /** The account and the resource class. Equal requests for different classes create different objects. */
  group?: string;
}

/**
 * Stores the create requests whose objects may be missing in state. If Pulumi or this plugin is killed before the
 * response is saved, the next create of the same resource finds the object by the record, and does not create a
 * duplicate. Likewise, the next update boots an instance that a killed update has shut down.
 */
export class Journal implements JournalRecords {
  readonly #folder: string;
  readonly #entries = new Set<string>();
  /** Names of the records that this process has written, and that are therefore not from an interrupted run. */
  readonly #written = new Set<string>();
  /** Names of the records whose object was created. They are removed at the end, once Pulumi has saved the ids. */
  readonly #created = new Set<string>();

  constructor(folder = cacheFolder("journal")) {
    this.#folder = folder;
    try {
      for (const name of readdirSync(folder)) this.#entries.add(name);
    } catch {
      // The folder does not exist, so no create was interrupted.
    }
  }

  attempts(account: string, urn: string): Attempts {
    const file = fileOf(account, urn);
    const group = digest(account, urnParts(urn).type);
    const earlier = this.#written.has(file) ? undefined : this.#read(file);
    let current = earlier;
    return {
      ...(earlier && { earlier, others: () => this.#others(file, group) }),
      begin: (attempt) => {
        current = { ...attempt, group };
        this.#write(file, current);
      },
      created: (id) => {
        this.#created.add(file);
        if (current) this.#write(file, { ...current, id });
      },
      rejected: () => this.#remove(file),
    };
  }

  confirm(account: string, urn: string, id: string): void {
    const file = fileOf(account, urn);
    if (!this.#written.has(file) && this.#read(file)?.id === id) this.#remove(file);
  }

  pendingBoots(account: string): PendingBoots {
    const file = (computeId: number) => `boot-${digest(account, String(computeId))}.json`;
    return {
      has: (computeId) => this.#entries.has(file(computeId)),
      add: (computeId) => this.#write(file(computeId), { computeId }),
      delete: (computeId) => {
        if (this.#entries.has(file(computeId))) this.#remove(file(computeId));
      },
    };
  }

  close(): void {
    for (const file of this.#created) this.#remove(file);
  }

  /** The inputs in earlier records without an id of other resources in the group. */
  #others(file: string, group: string): Entry["match"][] {
    const names = [...this.#entries].filter((name) => name !== file && !this.#written.has(name));
    return names.flatMap((name) => {
      const other = this.#read(name);
      return other?.group === group && other.id === undefined ? [other.match] : [];
    });
  }

  #read(file: string): Entry | undefined {
    if (!this.#entries.has(file)) return undefined;
    try {
      return JSON.parse(readFileSync(join(this.#folder, file), "utf8")) as Entry;
    } catch {
      return undefined;
    }
  }

  /**
   * Writes a record completely or not at all, because this process can be killed at any time. Errors are ignored,
   * because a create must not fail if the cache folder is read-only.
   */
  #write(file: string, record: object): void {
    this.#entries.add(file);
    this.#written.add(file);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const draft = join(this.#folder, `${file}.new`);
      writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
      renameSync(draft, join(this.#folder, file));
    } catch {
      this.#entries.delete(file);
    }
  }

  /** Errors are ignored, as in writing. The next create finds a record of an object that it knows. */
  #remove(file: string): void {
    this.#entries.delete(file);
    this.#created.delete(file);
    try {
      rmSync(join(this.#folder, file), { force: true });
    } catch {}
  }
}

/** Removes inputs that the program marks as secret, because records are not encrypted. */
export function withoutSecrets(attempts: Attempts, secrets: Secrets): Attempts {
  const isPublic = (key: string): boolean => secrets !== true && secrets[camel(key)] === undefined;
  return {
    ...attempts,
    begin({ match, ...attempt }) {
      const secret = Object.keys(match).filter((key) => !isPublic(key));
      attempts.begin({
        ...attempt,
        ...(secret.length && { secret }),
        match: pick(match, Object.keys(match).filter(isPublic)),
      });
    },
  };
}

const digest = (...parts: string[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

const fileOf = (account: string, urn: string): string => `${digest(account, urn)}.json`;
