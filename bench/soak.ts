import { setTimeout as sleep } from "node:timers/promises";
import { pluginProvider } from "../testing/native-provider";
import type { ProviderOf } from "../testing/resource-provider";
import { Child } from "./child";
import { liveUntil } from "./lives";
import { regularly } from "./regularly";
import { advance, control } from "./requests";
import { callOthers, startPlugin } from "./soak-native";
import { type Sample, trendResults, WARM_UP } from "./soak-verdict";
import { report } from "./trend";

/**
 * Resources per second that are created, updated and deleted as dynamic resources. The native plugin gets as many in
 * addition.
 */
const PER_SECOND = Number(process.env.PER_SECOND ?? 2);
/** Number of days after which the emulator removes events. */
const EVENT_RETENTION_DAYS = 90;

const faults = [
  { kind: "status", status: 503 },
  { kind: "status", status: 429, retryAfter: 1 },
  { kind: "html", status: 502 },
  { kind: "cut-before" },
  { kind: "cut-mid" },
  { kind: "cut-after" },
  { kind: "busy" },
  { kind: "delay", delay: 300 },
];

/**
 * Puts a steady load with faults on an emulator, a native plugin and a provider for dynamic resources, and checks that
 * their memory, handles and files do not grow.
 */
async function main(): Promise<void> {
  const seconds = 60 * Number(process.env.MINUTES ?? 30);
  const failures: string[] = [];
  const failed = ({ message }: Error) => void failures.push(message);
  const { child: emulator, url } = await Child.emulator();
  await using _emulator = emulator;
  await using plugin = await startPlugin(url, failed);
  const { child: dynamic } = await Child.start("dist/bench/soak-dynamic.js", [url, String(PER_SECOND)]);
  await using _dynamic = dynamic;
  const processes = { emulator, plugin: plugin.child, dynamic };

  const stop = new AbortController();
  const provider: ProviderOf = (kind) => pluginProvider(kind, async () => plugin.client);
  const load = [
    liveUntil(stop.signal, url, { prefix: "native", provider, perSecond: PER_SECOND }, failed),
    regularly(1000, stop.signal, () => disturb(url, seconds).catch(failed)),
    regularly(1000, stop.signal, () => callOthers(plugin.client).catch(failed)),
  ];
  const { samples, requests } = await watch(processes, seconds, url);
  stop.abort();
  await Promise.all(load);
  const codes = [await plugin.child.end("SIGINT"), await dynamic.end("SIGTERM"), await emulator.end("SIGTERM")];
  failures.push(...Object.values(processes).flatMap(({ errors }) => (errors ? [errors] : [])));
  for (const failure of failures) console.error(failure);
  report([
    { text: `${requests} requests to the emulator`, holds: requests > 0 },
    { text: `${failures.length} failures, uncaught errors and lines on stderr (allowed: 0)`, holds: !failures.length },
    { text: `exit codes ${codes} (allowed: 0)`, holds: codes.every((code) => code === 0) },
    ...Object.entries(samples).flatMap(([name, all]) => trendResults(name, all)),
  ]);
}

/**
 * Called each second. Injects a fault, such as an error response, into one of the next requests, and advances the
 * emulator's clock so that events reach the age at which the emulator removes them.
 */
async function disturb(url: string, seconds: number): Promise<void> {
  await advance(url, EVENT_RETENTION_DAYS / ((seconds * WARM_UP) / 2));
  await control(url, "faults", "DELETE");
  const fault = faults[Math.floor(Math.random() * faults.length)];
  await control(url, "faults", "POST", { ...fault, path: "/v4/**", nth: 1 + Math.floor(Math.random() * 20) });
}

/** Measures the processes for the given number of seconds, and prints a line each minute. */
async function watch(processes: Record<string, Child>, seconds: number, url: string) {
  const samples: Record<string, Sample[]> = {};
  const startedAt = performance.now();
  let requests = 0;
  for (let minute = 1, hours = 0; hours < seconds / 3600; ) {
    await sleep(Math.min(10_000, seconds * 50));
    requests += await takeRequests(url);
    hours = (performance.now() - startedAt) / 3_600_000;
    const now = [];
    for (const [name, child] of Object.entries(processes)) {
      const sample = { ...(await child.sample()), hours };
      samples[name] = [...(samples[name] ?? []), sample];
      now.push(`${name} ${shown(sample)}`);
    }
    if (hours * 60 >= minute) console.log(`minute ${minute++}: ${requests} requests; ${now.join("; ")}`);
  }
  return { samples, requests };
}

/** Counts the requests in the emulator's log and clears it, because the log grows until it has 10,000 entries. */
async function takeRequests(url: string): Promise<number> {
  const { counts } = (await control(url, "requests", "GET")) as { counts: Record<string, number> };
  await control(url, "requests", "DELETE");
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

const shown = ({ heap, resident, handles, files }: Sample): string =>
  `heap ${heap.toFixed(1)} MB, resident ${resident.toFixed(0)} MB, ${handles} handles, ${files} files`;

main()
  .catch((error: Error) => {
    console.error(`soak: ${error.stack}`);
    process.exitCode = 1;
  })
  // The server that receives the plugin's log messages never stops and would keep this process running, so the process
  // exits explicitly.
  .finally(() => process.exit());
