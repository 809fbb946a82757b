import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DialectName, domainRecords, domains, instances, volumes } from "../api";
import { type Emulator, startEmulator } from "../emulator";
import { times, within } from "../emulator/accounts/account";
import { snapshot } from "../emulator/core/snapshot";
import { importAccount } from "../import";
import { withAdopted } from "../stack/edit";
import { type Figure, inTurns, median } from "./figures";
import { memoryOf } from "./process-memory";

const root = join(__dirname, "../..");
export const LATENCY = 50;
const RUNS = 3;

interface Size {
  /** Number of instances. A volume is attached to each instance. */
  instances: number;
  domains: number;
  /** Number of records in each domain. */
  records: number;
}

/** Measures requests, time and memory of `cloudinfra drift` for accounts with 10,000 and 301 objects. */
export async function driftFigures(bareNode: () => Promise<number>): Promise<Figure[]> {
  return [
    ...(await figuresOf({ instances: 1_000, domains: 20, records: 399 }, [130, 10_000, 300], bareNode)),
    ...(await figuresOf({ instances: 100, domains: 1, records: 100 }, [8, 1_000, 300], bareNode)),
    // With a dialect, a page of a list has 500 entries instead of 100.
    ...(await figuresOf({ instances: 1_000, domains: 20, records: 399 }, [30, 4_000, 300], bareNode, "linode")),
  ];
}

async function figuresOf(
  size: Size,
  [requests, ms, mb]: readonly [number, number, number],
  bareNode: () => Promise<number>,
  dialect?: DialectName,
): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-drift-"));
  try {
    const { load, state, count } = await accountOf(size, dialect);
    const file = join(folder, "state.json");
    writeFileSync(file, JSON.stringify(state));
    await using emulator = await startEmulator({ pace: "instant", load, latency: LATENCY, dialect });
    const run = () => check(["--state", file], emulator, { CLOUDINFRA_DIALECT: dialect ?? "" });
    const name = `drift of ${count} objects at ${LATENCY} ms${dialect ? `, ${dialect}` : ""}`;
    return await checkFigures(name, [requests, ms, mb], run, bareNode);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures requests, time and memory of a check several times. */
export async function checkFigures(
  name: string,
  [requests, ms, mb]: readonly [number, number, number],
  run: () => Promise<Check>,
  bareNode: () => Promise<number>,
): Promise<Figure[]> {
  const { values, ...compared } = await inTurns(RUNS, run, bareNode);
  const figure = (unit: "requests" | "ms" | "MB", max: number): Figure => {
    const value = median(values.map((one) => one[unit]));
    // Only the time is compared with a baseline: a Node.js process that does nothing, whose requests and memory are
    // not measured.
    const baseline = unit === "ms" ? { baseline: "node that does nothing" } : { baseline: "", other: 0 };
    return { name, value, unit, max, ...compared, ...baseline };
  };
  return [figure("requests", requests), figure("ms", ms), figure("MB", mb)];
}

/** An account, and the state of a stack that manages all of it. */
async function accountOf(size: Size, dialect: DialectName | undefined) {
  await using emulator = await startEmulator({ pace: "instant", seed: 1, dialect });
  await within(emulator.world, async ({ call }) => {
    await times(size.instances, async (i) => {
      await call(instances.create, { body: { region: "us-east", type: "g6-nanode-1", label: `web-${i}` } });
      await call(volumes.create, { body: { region: "us-east", label: `data-${i}` } });
    });
    await times(size.domains, async (i) => {
      const body = { domain: `a${i}.example`, type: "master" as const, soa_email: "a@a.example" };
      const { id: domainId } = await call(domains.create, { body });
      const record = { type: "A" as const, target: "192.0.2.1" };
      await times(size.records, (n) =>
        call(domainRecords.create, { path: { domainId }, body: { ...record, name: `w${n}` } }),
      );
    });
  });
  const { url, token } = emulator;
  const { resources } = await importAccount({ project: "shop", url, token, dialect });
  const state = withAdopted({ version: 3, deployment: {} }, { stack: "dev", project: "shop" }, {}, resources);
  return { load: snapshot(emulator.world), state, count: resources.length };
}

interface Check {
  requests: number;
  ms: number;
  MB: number;
}

/** Runs `cloudinfra drift` in a process of its own. */
export async function check(
  args: readonly string[],
  { url, token, requests }: Emulator,
  env: NodeJS.ProcessEnv,
): Promise<Check> {
  requests.clear();
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["dist/cli/main.js", "drift", ...args], {
    cwd: root,
    env: { ...process.env, CLOUDINFRA_URL: url, CLOUDINFRA_TOKEN: token, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let MB = 0;
  const timer = setInterval(async () => {
    const peak = await memoryOf(child.pid, "VmHWM").catch(() => 0);
    MB = Math.max(MB, peak);
  }, 20);
  const [code] = (await once(child, "exit")) as [number | null];
  const ms = performance.now() - startedAt;
  clearInterval(timer);
  if (code !== 0) throw new Error(`cloudinfra drift ended with code ${code}`);
  return { requests: requests.list().length, ms, MB };
}
