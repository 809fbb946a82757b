import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type Snapshot, startEmulator } from "../emulator";
import { importAccount } from "../import";
import { connect } from "../provider/client";
import { withAdopted } from "../provider/heads/adoption";
import { type Figure, median } from "./figures";

const root = join(__dirname, "../..");
const LATENCY = 50;
const RUNS = 3;

interface Size {
  /** Each with a volume. */
  instances: number;
  domains: number;
  /** In each domain. */
  records: number;
}

/** Measures requests, time and memory of `cloudinfra drift` for accounts of the sizes in the docs. */
export async function driftFigures(bareNode: () => Promise<number>): Promise<Figure[]> {
  return [
    ...(await figuresOf({ instances: 1_000, domains: 20, records: 399 }, [130, 10_000, 300], bareNode)),
    ...(await figuresOf({ instances: 100, domains: 1, records: 100 }, [8, 1_000, 300], bareNode)),
  ];
}

async function figuresOf(
  size: Size,
  [requests, ms, mb]: readonly [number, number, number],
  bareNode: () => Promise<number>,
): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-drift-"));
  try {
    const { load, state, count } = await accountOf(size);
    const file = join(folder, "state.json");
    writeFileSync(file, JSON.stringify(state));
    await using emulator = await startEmulator({ pace: "instant", load, latency: LATENCY });
    const [checks, others]: [Check[], number[]] = [[], []];
    for (let run = 0; run < RUNS; run++) {
      checks.push(await check(file, emulator));
      others.push(await bareNode());
    }
    const figure = (unit: "requests" | "ms" | "MB", most: number): Figure => {
      const value = median(checks.map((one) => one[unit]));
      const name = `drift of ${count} objects at ${LATENCY} ms`;
      return { name, value, unit, most, baseline: "node that does nothing", other: median(others), runs: RUNS };
    };
    return [figure("requests", requests), figure("ms", ms), figure("MB", mb)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An account, and the state of a stack that manages all of it. */
async function accountOf({ instances, domains, records }: Size) {
  await using emulator = await startEmulator({ pace: "instant", seed: 1 });
  const { api, close } = connect(emulator);
  for (let i = 0; i < instances; i++) {
    const label = `web-${i}`;
    await api.instances.create({ body: { region: "us-east", type: "g6-nanode-1", label } });
    await api.volumes.create({ body: { region: "us-east", label: `data-${i}` } });
  }
  for (let i = 0; i < domains; i++) {
    const body = { domain: `a${i}.example`, type: "master" as const, soa_email: "a@a.example" };
    const { id: domainId } = await api.domains.create({ body });
    for (let n = 0; n < records; n++)
      await api.domainRecords.create({ path: { domainId }, body: { type: "A", name: `w${n}`, target: "192.0.2.1" } });
  }
  await close();
  const { url, token } = emulator;
  const { resources } = await importAccount({ project: "shop", url, token });
  const state = withAdopted({ version: 3, deployment: {} }, { stack: "dev", project: "shop" }, {}, resources);
  const load = (await (await fetch(new URL("/_emulator/state", url))).json()) as Snapshot;
  return { load, state, count: resources.length };
}

interface Check {
  requests: number;
  ms: number;
  MB: number;
}

async function check(file: string, { url, token, requests }: Emulator): Promise<Check> {
  requests.clear();
  const began = performance.now();
  const child = spawn(process.execPath, ["dist/cli/main.js", "drift", "--state", file], {
    cwd: root,
    env: { ...process.env, CLOUDINFRA_URL: url, CLOUDINFRA_TOKEN: token },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let kilobytes = 0;
  const timer = setInterval(() => {
    kilobytes = Math.max(kilobytes, peakOf(child.pid));
  }, 20);
  const [code] = (await once(child, "exit")) as [number | null];
  const ms = performance.now() - began;
  clearInterval(timer);
  if (code !== 0) throw new Error(`cloudinfra drift ended with code ${code}`);
  return { requests: requests.list().length, ms, MB: kilobytes / 1024 };
}

/** The most memory that a process has had, in KB; 0 once it has ended. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
