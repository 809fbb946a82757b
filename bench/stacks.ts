import { readFile, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { benchmarkPage } from "./benchmark-page";
import { type Measured, measure, type Returned } from "./measure";
import { dynamic, instant, serviceTime } from "./providers";
import type { Row } from "./results";
import { full, type Limits, type Scenario, short } from "./scenarios";

const docs = join(__dirname, "../../docs");

/**
 * Measures scenarios and prints each result when it is available. With `full`, also writes docs/benchmarks.md, which
 * keeps the earlier results of scenarios that are not measured.
 */
async function main([set = "short", pattern = ""]: string[]): Promise<void> {
  const all = set === "full" ? full : short;
  const named = all.filter(({ name }) => name === pattern);
  const scenarios = named.length ? named : all.filter(({ name }) => name.includes(pattern));
  const rows: Row[] = [];
  const returned: Returned = {};
  for (const scenario of scenarios) rows.push(...(await measureAll(scenario, returned)));
  if (set === "full") await publish(rows);
  if (rows.some(({ over }) => over.length)) process.exitCode = 1;
}

async function publish(rows: readonly Row[]): Promise<void> {
  const file = join(docs, "benchmarks.json");
  const earlier: Row[] = JSON.parse(await readFile(file, "utf8").catch(() => "[]"));
  const results = full.flatMap(({ name }) => {
    const measured = rows.filter(({ scenario }) => scenario === name);
    return measured.length ? measured : earlier.filter(({ scenario }) => scenario === name);
  });
  await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`);
  for (const [name, text] of Object.entries(benchmarkPage(results))) await writeFile(join(docs, name), text);
}

/**
 * Measures this project's provider first, because the providers that send no requests return the inputs and outputs
 * that it has returned.
 */
async function measureAll(scenario: Scenario, returned: Returned): Promise<Row[]> {
  const usual = scenario.service.rateLimits ? [dynamic, instant] : [dynamic, instant, serviceTime];
  const measured: Measured[] = [];
  const { providers = usual } = scenario;
  for (const provider of providers) for await (const row of measure(scenario, provider, returned)) measured.push(row);
  const floorOf = ({ step }: Measured, provider: string): number | undefined =>
    measured.find((row) => row.step === step && row.provider === provider)?.seconds;
  const rows = measured.map((row): Row => {
    const [service, atOnce] = [floorOf(row, serviceTime.name), floorOf(row, instant.name)];
    const compared = {
      ...row,
      date: new Date().toISOString().slice(0, 10),
      machine: machine(),
      ...(service && { timesService: row.seconds / service }),
      ...(atOnce && { timesInstant: row.seconds / atOnce }),
    };
    return {
      ...compared,
      over: row.provider === providers[0]?.name ? exceeded(compared, scenario.limits?.[row.step]) : [],
    };
  });
  for (const row of rows) console.log(line(row));
  return rows;
}

const exceeded = (row: Omit<Row, "over">, limits: Limits = {}): string[] =>
  (Object.keys(limits) as (keyof Limits)[]).flatMap((name) => {
    const [value = 0, max = 0] = [name === "memory" ? row.memory.provider : row[name], limits[name]];
    return value > max ? [`${name} ${rounded(value)} > ${max}`] : [];
  });

function line({ scenario, provider, step, seconds, calls, rejected, inFlight, ...row }: Row): string {
  const { engine = 0, program = 0, provider: own = 0 } = row.memory;
  return [
    scenario.padEnd(27),
    step.padEnd(19),
    provider.padEnd(21),
    `${seconds.toFixed(1)} s`.padStart(8),
    row.timesService ? `${row.timesService.toFixed(2)} × service` : "",
    row.timesInstant ? `${row.timesInstant.toFixed(2)} × instant` : "",
    `${calls} calls`,
    rejected ? `${rejected} rate limited` : "",
    `${inFlight} in flight`,
    `${engine}+${program}+${own} MB`,
    `${Math.round(row.stateBytes / 1024)} KB of state`,
    row.over.length ? `OVER: ${row.over.join(", ")}` : "",
  ]
    .filter(Boolean)
    .join("  ");
}

const rounded = (value: number): string => String(Math.round(value * 100) / 100);

const machine = (): string => {
  const [cpu] = cpus();
  return `${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version.slice(1)}`;
};

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
});
