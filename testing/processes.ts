import { readdir, readFile } from "node:fs/promises";

/**
 * Kills every process that has `NAME=value` in its environment. After `kill -9` of an engine its plugins live on with
 * no parent that leads to them; their environment still does. Where there is no /proc (macOS) nothing is found.
 */
export async function killMarked(mark: string): Promise<void> {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  await Promise.all(
    ids.map(async (id) => {
      const environment = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
      if (id !== process.pid && environment.split("\0").includes(mark)) kill(id);
    }),
  );
}

function kill(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // Gone in the meantime.
  }
}
