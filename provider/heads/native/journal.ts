import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { camel } from "../../../api";
import type { Attempt, Attempts } from "../../engine/host";
import type { Secrets } from "./values";

/** The folder of the journal, in the user's cache. */
export const journalFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-cloudinfra", "journal");

/** Records of creates until the engine has saved their responses. */
export interface Records {
  /** The create request of one resource; `account` distinguishes services whose stacks have the same name. */
  attempts(account: string, urn: string): Attempts;
  /** The state contains the resource with this id. */
  confirm(account: string, urn: string, id: string): void;
  /** The engine has saved all responses. */
  close(): void;
}

/**
 * Creates whose objects may be missing from state: if the engine or this plugin is killed before the engine has saved a
 * response, the next create of the same resource finds the object here and does not create a duplicate.
 */
export class Journal implements Records {
  readonly #folder: string;
  /** Names of the entries' files that this process knows. */
  readonly #entries = new Set<string>();
  /** Entries of this process, whose results its engine receives. */
  readonly #own = new Set<string>();
  /** Entries whose objects have ids. */
  readonly #answered = new Set<string>();

  constructor(folder = journalFolder()) {
    this.#folder = folder;
    try {
      for (const name of readdirSync(folder)) this.#entries.add(name);
    } catch {
      // Without the folder, no create request was interrupted so far.
    }
  }

  attempts(account: string, urn: string): Attempts {
    const file = fileOf(account, urn);
    const earlier = this.#own.has(file) ? undefined : this.#read(file);
    let current = earlier;
    return {
      ...(earlier && { earlier }),
      begin: (attempt) => {
        current = attempt;
        this.#write(file, attempt);
      },
      created: (id) => {
        this.#answered.add(file);
        if (current) this.#write(file, { ...current, id });
      },
      refused: () => this.#remove(file),
    };
  }

  confirm(account: string, urn: string, id: string): void {
    const file = fileOf(account, urn);
    if (!this.#own.has(file) && this.#read(file)?.id === id) this.#remove(file);
  }

  close(): void {
    for (const file of this.#answered) this.#remove(file);
  }

  #read(file: string): Attempt | undefined {
    if (!this.#entries.has(file)) return undefined;
    try {
      return JSON.parse(readFileSync(join(this.#folder, file), "utf8")) as Attempt;
    } catch {
      return undefined;
    }
  }

  /** A read-only cache folder must not fail a create. */
  #write(file: string, attempt: Attempt): void {
    this.#entries.add(file);
    this.#own.add(file);
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(this.#folder, file), JSON.stringify(attempt), { mode: 0o600 });
    } catch {
      this.#entries.delete(file);
    }
  }

  #remove(file: string): void {
    this.#entries.delete(file);
    this.#answered.delete(file);
    rmSync(join(this.#folder, file), { force: true });
  }
}

/** Entries are not encrypted, so they do not contain inputs that the program marks as secret. */
export function withoutSecrets(attempts: Attempts, secrets: Secrets): Attempts {
  const isOpen = (key: string): boolean => secrets !== true && secrets[camel(key)] === undefined;
  return {
    ...attempts,
    begin: ({ match, ...attempt }) =>
      attempts.begin({ ...attempt, match: Object.fromEntries(Object.entries(match).filter(([key]) => isOpen(key))) }),
  };
}

const fileOf = (account: string, urn: string): string =>
  `${createHash("sha256")
    .update(JSON.stringify([account, urn]))
    .digest("hex")}.json`;
