import { readdir, readFile } from "node:fs/promises";

/**
 * Kills every process that has `NAME=value` in its environment. After `kill -9` of an engine, its plugins continue to
 * run without their parent, and only their environment identifies them. Without /proc (macOS), no process is found.
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
    // The process exited in the meantime.
  }
}
