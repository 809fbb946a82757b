import { readdir, readFile } from "node:fs/promises";

/**
 * Kills every process whose environment contains `NAME=value`. After `kill -9` of an engine, its plugins continue to
 * run, and only the environment identifies them. On systems without /proc, such as macOS, no process is found.
 * `command` restricts the search to processes whose command line contains this text.
 */
export async function killMarked(mark: string, command = ""): Promise<void> {
  for (const id of await marked(mark, command)) kill(id);
}

/** The ids of the processes that {@link killMarked} would kill. */
export async function marked(mark: string, command = ""): Promise<number[]> {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const isMarked = await Promise.all(
    ids.map(async (id) => {
      const environment = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
      const words = command && (await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => ""));
      return id !== process.pid && environment.split("\0").includes(mark) && words.includes(command);
    }),
  );
  return ids.filter((_, i) => isMarked[i]);
}

function kill(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // The process ended before the signal was sent.
  }
}
