import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { camel } from "../../api";
import type { Attempt, Attempts, PendingBoots } from "../engine/host";
import { pick } from "../engine/values";
import { cacheFolder } from "../pulumi/cache-folder";
import type { Messages } from "../pulumi/connection";
import { selectedAt } from "../pulumi/selection";
import { urnParts } from "../pulumi/urn";
import type { Secrets } from "./values";

/**
 * Records of create requests on disk, each kept until Pulumi has saved the new id in state, and of instances that a
 * change has shut down.
 */
export interface JournalRecords {
  /**
   * Records of the create requests for one resource. `account` distinguishes accounts that have stacks with the same
   * name. `warn` shows that they cannot be written.
   */
  attempts(account: string, urn: string, warn: Warn): Attempts;
  /**
   * Removes the record of an object, because the state contains its id. The resource may have had another name when the
   * object was created.
   */
  confirm(account: string, urn: string, id: string): void;
  /** The ids of the account's instances that a change has shut down, and that must be booted again. */
  pendingBoots(account: string, warn: Warn): PendingBoots;
  /** Removes the records of this process, because Pulumi has saved all responses. */
  close(): void;
}

type Warn = Messages["warn"];

interface Entry extends Attempt {
  /** Stands for the account and the resource class. */
  group?: string;
}

/**
 * Stores the create requests whose objects may be missing in state. If Pulumi or this plugin is killed before the
 * response is saved, the next create of the same resource finds the object by the record, and does not create a
 * duplicate. Likewise, the next update boots an instance that a killed update has shut down.
 */
export class Journal implements JournalRecords {
  readonly #folder: string;
  readonly #files = new Set<string>();
  /** The records of requests whose objects may be missing in state, by file: from interrupted runs, or of this process. */
  #earlier: Map<string, Entry> | undefined;
  /** Names of the records whose object was created. They are removed at the end, once Pulumi has saved the ids. */
  readonly #created = new Set<string>();
  #hasWarned = false;

  constructor(folder = cacheFolder("journal")) {
    this.#folder = folder;
    try {
      for (const name of readdirSync(folder)) this.#files.add(name);
    } catch {
      // The folder does not exist, so no create was interrupted.
    }
  }

  attempts(account: string, urn: string, warn: Warn): Attempts {
    const file = fileOf(account, urn);
    const group = groupOf(account, urn);
    const earlier = this.#records.get(file);
    let current = earlier;
    return {
      ...(earlier && { earlier, others: () => this.#others(file, group) }),
      begin: (attempt) => {
        current = { ...attempt, group };
        this.#write(file, current, warn);
      },
      lost: (until) => {
        if (!current) return;
        current = { ...current, until };
        this.#write(file, current, warn);
        this.#records.set(file, current);
      },
      created: (id, changing = []) => {
        this.#created.add(file);
        if (!current) return;
        const digests = Object.entries(current.digests ?? {}).filter(([key]) => !changing.includes(key));
        const changed = { ...current, ...(current.digests && { digests: Object.fromEntries(digests) }), id };
        this.#write(file, changed, warn);
      },
      rejected: () => this.#remove(file),
    };
  }

  confirm(account: string, urn: string, id: string): void {
    const group = groupOf(account, urn);
    for (const [file, record] of this.#records) if (record.id === id && record.group === group) this.#remove(file);
  }

  pendingBoots(account: string, warn: Warn): PendingBoots {
    const file = (computeId: number) => `${BOOT}${digest(account, String(computeId))}.json`;
    return {
      has: (computeId) => this.#files.has(file(computeId)),
      add: (computeId) => this.#write(file(computeId), { computeId }, warn),
      delete: (computeId) => {
        if (this.#files.has(file(computeId))) this.#remove(file(computeId));
      },
    };
  }

  close(): void {
    for (const file of this.#created) this.#remove(file);
  }

  /**
   * The inputs in records without an id of other resources in the group. The files are read again: one may belong to
   * another stack's update, which runs at the same time and has written the id since.
   */
  #others(file: string, group: string): Entry["match"][] {
    return [...this.#records.keys()].flatMap((name) => {
      const other = name === file ? undefined : this.#read(name);
      return other?.group === group && other.id === undefined ? [other.match] : [];
    });
  }

  get #records(): Map<string, Entry> {
    this.#earlier ??= new Map(
      [...this.#files]
        .filter((name) => !name.startsWith(BOOT))
        .flatMap((name) => {
          const record = this.#read(name);
          return record ? [[name, record] as const] : [];
        }),
    );
    return this.#earlier;
  }

  #read(file: string): Entry | undefined {
    try {
      return JSON.parse(readFileSync(join(this.#folder, file), "utf8")) as Entry;
    } catch {
      return undefined;
    }
  }

  /**
   * Writes a record completely or not at all, because this process can be killed at any time. The first error is shown
   * as a warning, because a create must not fail if the cache folder is read-only.
   */
  #write(file: string, record: object, warn: Warn): void {
    this.#records.delete(file);
    this.#files.add(file);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const draft = join(this.#folder, `${file}.new`);
      writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
      renameSync(draft, join(this.#folder, file));
    } catch (error) {
      this.#files.delete(file);
      if (!this.#hasWarned)
        warn(
          `the journal in ${this.#folder} cannot be written (${(error as Error).message}). If this update is interrupted, a new object may be missing in the state, or an instance may stay off. Set XDG_CACHE_HOME to a folder that can be written`,
        );
      this.#hasWarned = true;
    }
  }

  /** Errors are ignored, as in writing. The next create finds a record of an object that it knows. */
  #remove(file: string): void {
    this.#records.delete(file);
    this.#files.delete(file);
    this.#created.delete(file);
    try {
      rmSync(join(this.#folder, file), { force: true });
    } catch {}
  }
}

/** Removes inputs that the program marks as secret, because records are not encrypted. */
export function withoutSecrets(attempts: Attempts, secrets: Secrets): Attempts {
  const isPublic = (key: string): boolean => !selectedAt(secrets, [camel(key)]);
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

/** Start of the names of the files that record pending boots. */
const BOOT = "boot-";

/** Equal requests for another account or another resource class create other objects. */
const groupOf = (account: string, urn: string): string => digest(account, urnParts(urn).type);

const fileOf = (account: string, urn: string): string => `${digest(account, urn)}.json`;
