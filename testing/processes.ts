import { readdir, readFile } from "node:fs/promises";

/**
 * Kills every process whose environment contains `NAME=value`. After `kill -9` of an engine, its plugins continue to
 * run, and only the environment identifies them. On systems without /proc, such as macOS, no process is found.
 * `command` restricts the search to processes whose command line contains this text.
 */
export async function killMarked(mark: string, command = ""): Promise<void> {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  await Promise.all(
    ids.map(async (id) => {
      const environment = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
      const words = command && (await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => ""));
      if (id !== process.pid && environment.split("\0").includes(mark) && words.includes(command)) kill(id);
    }),
  );
}

function kill(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // The process ended before the signal was sent.
  }
}
