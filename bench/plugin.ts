import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmulator } from "../emulator";
import { connectPlugin } from "../testing/native-plugin";
import { type Figure, inTurns, median } from "./figures";
import { memoryOf } from "./process-memory";

const root = join(__dirname, "../..");
const RUNS = 9;

/** The ways to start the native plugin. The executable exists after `make plugin`. */
const plugins = [
  { name: "npm", file: join(root, "pulumi-resource-cloudinfra"), max: 150 },
  { name: "executable", file: join(root, "dist/plugin/pulumi-resource-cloudinfra"), max: 150 },
];

/**
 * Measures the native plugin: the time from its start to the response to Configure, which checks the token, and its
 * memory after that.
 */
export async function pluginFigures(bareNode: () => Promise<number>): Promise<Figure[]> {
  await using emulator = await startEmulator({ pace: "instant" });
  const config = { url: emulator.url, token: emulator.token };
  const figures: Figure[] = [];
  for (const { name, file, max } of plugins.filter(({ file }) => existsSync(file))) {
    // The first start compiles the plugin and caches the compiled code after a second, so later starts are faster.
    await start(file, config, 2_000);
    const { values, ...compared } = await inTurns(RUNS, () => start(file, config), bareNode);
    const value = median(values.map(({ ms }) => ms));
    const baseline = "node that does nothing";
    figures.push({ name: `plugin (${name}) configured`, value, unit: "ms", max, baseline, ...compared });
    const memory = median(values.map(({ mb }) => mb));
    figures.push({
      name: `plugin (${name}) memory`,
      value: memory,
      unit: "MB",
      max: 120,
      baseline: "",
      other: 0,
      runs: RUNS,
    });
  }
  return figures;
}

async function start(
  file: string,
  config: { url: string; token: string },
  endAfterMs = 0,
): Promise<{ ms: number; mb: number }> {
  const startedAt = performance.now();
  const child = spawn(file, { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  const client = await connectPlugin(String(port), config);
  const ms = performance.now() - startedAt;
  const mb = await memoryOf(child.pid, "VmRSS");
  client.close();
  await sleep(endAfterMs);
  child.kill("SIGINT");
  await once(child, "exit");
  return { ms, mb };
}
