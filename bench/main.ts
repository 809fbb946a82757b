import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accountFigures } from "./account";
import { allStacksFigures } from "./all-stacks";
import { comparisons, comparisonTable, isRegression } from "./comparison";
import { dialectFigures } from "./dialect";
import { driftFigures } from "./drift";
import { type Figure, holds, inTurns, median, table } from "./figures";
import { installSizeFigure } from "./install-size";
import { loadFigures } from "./load";
import { pluginFigures } from "./plugin";

const root = join(__dirname, "../..");
const PULUMI = "@pulumi/pulumi";
const tsc = join(root, "node_modules/typescript-7/bin/tsc");

/**
 * Measures everything that has a limit, such as the start time of the emulator, in most cases together with a baseline.
 * The program exits with an error if a limit is exceeded.
 */
async function main(): Promise<void> {
  const rows = [
    await figure("tsc of the whole", 8_000, "tsc of an empty program", 1, checkAll, checkNothing),
    await figure("emulator ready", 200, "node that does nothing", 7, emulatorReady, bareNode),
    await figure("provider load", 250, "@pulumi/pulumi load", 7, load("./dist/provider"), load(PULUMI)),
    await figure(
      "SDK load after @pulumi/pulumi",
      100,
      "@pulumi/pulumi load",
      7,
      load("./dist/sdk", PULUMI),
      load(PULUMI),
    ),
    ...(await pluginFigures(bareNode)),
    ...(await driftFigures(bareNode)),
    ...(await allStacksFigures(bareNode)),
    ...(await accountFigures()),
    ...(await dialectFigures()),
    installSizeFigure(),
    ...(await loadFigures()),
  ];
  console.log(table(rows));
  if (!rows.every(holds)) process.exitCode = 1;
  compareWithLast(rows);
}

/** Writes the figures to the file FIGURES, and compares them with those of an earlier run in the file LAST. */
function compareWithLast(rows: readonly Figure[]): void {
  const { FIGURES, LAST } = process.env;
  if (FIGURES) writeFileSync(FIGURES, JSON.stringify(rows, null, 2));
  if (!LAST || !existsSync(LAST)) return;
  const compared = comparisons(rows, JSON.parse(readFileSync(LAST, "utf8")));
  console.log(`\n${comparisonTable(compared)}`);
  if (compared.some(isRegression)) process.exitCode = 1;
}

type Timed = () => Promise<number>;

async function figure(
  name: string,
  max: number,
  baseline: string,
  runs: number,
  own: Timed,
  other: Timed,
): Promise<Figure> {
  const { values, ...compared } = await inTurns(runs, own, other);
  return { name, value: median(values), unit: "ms", max, baseline, ...compared };
}

const checkAll: Timed = () => ended([tsc, "-p", "tsconfig.json", "--noEmit"]);
const checkNothing: Timed = () =>
  ended([tsc, "--noEmit", "--ignoreConfig", "--strict", "--skipLibCheck", "bench/empty.ts"]);
const bareNode: Timed = () => ended(["-e", ""]);

/** Milliseconds from the start of the emulator's process until it prints that it accepts requests. */
async function emulatorReady(): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["dist/cli/main.js", "emulator", "--port", "0"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const ms = performance.now() - startedAt;
  child.kill();
  await once(child, "exit");
  return ms;
}

/**
 * Milliseconds that `require` of a module takes in a new process. The module `before` is loaded first, and its time is
 * not included.
 */
const load =
  (module: string, before = "node:fs"): Timed =>
  async () => {
    const script = `require("${before}"); const t = performance.now(); require("${module}"); console.log(performance.now() - t)`;
    const child = spawn(process.execPath, ["-e", script], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    const [data] = (await once(child.stdout, "data")) as [Buffer];
    return Number(data);
  };

async function ended(args: string[]): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with code ${code}`);
  return performance.now() - startedAt;
}

main().catch((error: Error) => {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
});
