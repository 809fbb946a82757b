import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** The paths of the files that belong to a data file while it is open. */
export interface Files {
  data: string;
  /** SQLite's write-ahead log. */
  log: string;
  /** The number of commits, outside of SQLite's files. */
  commits: string;
}

/** SQLite keeps its log next to the file that a symbolic link leads to, and so does the emulator with its own. */
export function filesOf(path: string): Files {
  const data = existsSync(path) ? realpathSync(path) : path;
  return { data, log: `${data}-wal`, commits: `${data}-commits` };
}

/** Time in milliseconds after which the files are looked at again. It makes bursts of writes faster. */
const EVERY = 5;

/**
 * Notices that a file was deleted, replaced or truncated by another program. The returned function is called before
 * each commit, because writes to such a file succeed, but are lost when the emulator stops.
 *
 * The log is only looked at after a change in its folder: a write takes much longer if the times of the file were read
 * before. `isOverwritten` compares the contents of the data file, and is called only if they have changed.
 */
export function watched({ data, log, commits }: Files, isOverwritten: () => boolean): () => string | undefined {
  const folder = dirname(data);
  const timeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const known = [data, log, commits].map((path) => {
    const { dev, ino, size } = statSync(path);
    return { path, dev, ino, size };
  });
  let checked = 0;
  let [changed, written] = [timeOf(folder), timeOf(data)];
  const problem = (isWritten: boolean): string | undefined => {
    for (const file of known) {
      const now = statSync(file.path, { throwIfNoEntry: false });
      if (!now) return `${file.path} was deleted or moved`;
      if (now.ino !== file.ino || now.dev !== file.dev) return `${file.path} was replaced`;
      if (now.size < file.size) return `${file.path} was truncated`;
      file.size = now.size;
    }
    return isWritten && isOverwritten() ? `${data} was overwritten` : undefined;
  };
  return () => {
    if (performance.now() - checked < EVERY) return undefined;
    checked = performance.now();
    const [changedNow, writtenNow] = [timeOf(folder), timeOf(data)];
    if (changedNow === changed && writtenNow === written) return undefined;
    const found = problem(writtenNow !== written);
    if (found) {
      checked = 0;
      return `${found} while the emulator was using it`;
    }
    changed = changedNow;
    written = writtenNow;
    return undefined;
  };
}
