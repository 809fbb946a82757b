import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import type { Files } from "./files";
import { parsedSeal, type Seal, sealText } from "./seal";

/** Length of the file in bytes. It never changes, so that a full disk cannot prevent the emulator from writing it. */
const LENGTH = 128;

const textOf = (seal: Seal): string => `${sealText(seal).padEnd(LENGTH - 1)}\n`;

/** Reads the seal of the last commit from the file that records it. */
export function recordedCommit({ commits }: Files): Seal | "missing" | "damaged" {
  if (!existsSync(commits)) return "missing";
  const text = readFileSync(commits, "latin1");
  const seal = parsedSeal(text.trimEnd());
  return seal && textOf(seal) === text ? seal : "damaged";
}

/**
 * Compares the commits in the data file with those that were acknowledged. The log and the data file are not enough for
 * that: SQLite ignores everything after the first damaged page of its log, as if it had never been written.
 */
export function missingCommits(files: Files, { file, commit, chain, previous, open }: Seal): string | undefined {
  const { commits } = files;
  const recorded = recordedCommit(files);
  const unknown = "so commits may be missing";
  // A copy of the data file alone is complete if the emulator was stopped before.
  if (recorded === "missing") return open ? `${commits} is missing, ${unknown}` : undefined;
  if (recorded === "damaged") return `${commits} is damaged, ${unknown}`;
  if (recorded.file !== file) return `${commits} belongs to another data file, ${unknown}`;
  const lost = recorded.commit - commit;
  if (lost > 0) {
    const hint = open ? "" : `. If you restored an older copy on purpose, delete ${commits}`;
    return `the last ${lost === 1 ? "commit is" : `${lost} commits are`} missing: it has ${commit} of ${recorded.commit} commits${hint}`;
  }
  // The emulator can be killed after a commit and before it records it.
  if (lost < -1) return `${commits} records only ${recorded.commit} of its ${commit} commits, ${unknown}`;
  return recorded.chain === (lost === 0 ? chain : previous)
    ? undefined
    : `${commits} records other commits: the files are not of the same copy`;
}

/** Records commits. Like the commits themselves, the record is not synchronized with the disk. */
export class CommitRecord {
  readonly #handle: number;
  readonly #bytes = Buffer.alloc(LENGTH);
  #commit: number | undefined;

  constructor({ commits }: Files, seal: Seal) {
    if (!existsSync(commits)) {
      // Renamed when it is complete, because a killed emulator must not leave an incomplete record.
      writeFileSync(`${commits}.new`, textOf(seal), { mode: 0o600 });
      renameSync(`${commits}.new`, commits);
    }
    this.#handle = openSync(commits, "r+");
    this.write(seal);
  }

  write(seal: Seal): void {
    if (seal.commit === this.#commit) return;
    this.#bytes.write(textOf(seal), "latin1");
    writeSync(this.#handle, this.#bytes, 0, LENGTH, 0);
    this.#commit = seal.commit;
  }

  /** Synchronizes the record with the disk. */
  close(): void {
    fdatasyncSync(this.#handle);
    closeSync(this.#handle);
  }
}
