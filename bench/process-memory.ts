import { readdir, readFile } from "node:fs/promises";

export type Role = "engine" | "program" | "provider";

/** Peak memory in MB of the processes that a Pulumi command runs: Pulumi's engine, the program and the provider. */
export type Memory = Partial<Record<Role, number>>;

/** Memory of a process in MB: its peak (VmHWM) or its current value (VmRSS). Throws if the process has ended. */
export async function memoryOf(id: number | string | undefined, field: "VmHWM" | "VmRSS"): Promise<number> {
  const status = await readFile(`/proc/${id}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / 1024;
}

/**
 * Measures at intervals the memory of the processes whose environment contains the text `mark`, such as `NAME=value`,
 * until `stop` is called. Works only on Linux; finds no processes on other systems.
 */
export function watchMemory(mark: string): { stop(): Memory } {
  const peaks = new Map<Role, number>();
  const roles = new Map<string, Role | "other">();
  const timer = setInterval(() => void look(), 200);

  async function look(): Promise<void> {
    const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
    await Promise.all(
      ids.map(async (id) => {
        const role = roles.get(id) ?? (await roleOf(id, mark));
        if (role) roles.set(id, role);
        if (!role || role === "other") return;
        const peak = await memoryOf(id, "VmHWM").catch(() => 0);
        peaks.set(role, Math.max(peaks.get(role) ?? 0, Math.round(peak)));
      }),
    );
  }

  return {
    stop() {
      clearInterval(timer);
      return Object.fromEntries(peaks);
    },
  };
}

/**
 * The role of a process, according to its command line. Undefined for a process that was just forked, because it still
 * has the command line of its parent.
 */
async function roleOf(id: string, mark: string): Promise<Role | "other" | undefined> {
  const environment = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
  if (!environment.split("\0").includes(mark)) return "other";
  const command = (await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")).split("\0").join(" ");
  if (/dynamic-provider|resource-cloudinfra|provider\/plugin/.test(command)) return "provider";
  if (/pulumi\/cmd\/run/.test(command)) return "program";
  if (/^\S*pulumi (?!-language)/.test(command)) return "engine";
}
