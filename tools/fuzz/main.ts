import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { controlStorm } from "./control";

/**
 * Disabled checks of the API fuzzer Schemathesis. `positive_data_acceptance` requires that every request that matches
 * the schema succeeds, which the API does not guarantee.
 */
const EXCLUDED_CHECKS = ["positive_data_acceptance"];

/**
 * If fewer cases than this are requested, only Schemathesis's fuzzing phase runs. Its coverage phase takes thousands of
 * cases, and its stateful phase takes minutes.
 */
const SHORT = 5000;

/** Number of random requests to the emulator's control API (`/_emulator/…`) after each run of Schemathesis. */
const CONTROL = 300;

/**
 * Runs Schemathesis against the emulator until at least `wanted` cases have run. Fails if a response does not match the
 * OpenAPI description.
 */
async function main(wanted: number): Promise<void> {
  if (!Number.isSafeInteger(wanted) || wanted < 1) throw new Error("fuzz: CASES must be a whole number from 1");
  const command = installed();
  if (command === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "cloudinfra-fuzz-"));
  const options = { pace: "instant", seed: 1, data: join(folder, "account.db") } as const;
  let emulator = await startEmulator(options);
  let cases = 0;
  for (let seed = 1; cases < wanted; seed++) {
    await emulator.reset();
    const result = await run(command, emulator, seed, wanted < SHORT ? "fuzzing" : "coverage,fuzzing,stateful");
    const failures = await controlStorm(emulator, seed, CONTROL);
    for (const failure of failures) console.error(`fuzz: ${failure}`);
    // Restarts the emulator, to check that it can read its data file after all these requests.
    await emulator.close();
    emulator = await startEmulator(options);
    if (result === undefined || failures.length > 0) {
      console.error(`fuzz: failed with seed ${seed} after ${cases} good cases`);
      process.exitCode = 1;
      break;
    }
    cases += result + CONTROL;
  }
  await emulator.close();
  rmSync(folder, { recursive: true });
  if (!process.exitCode)
    console.log(
      `fuzz: ${cases} cases of ${wanted} wanted: no 5xx, no response violated the contract, every data file could be reopened`,
    );
}

/** The path of Schemathesis. Undefined on a CI server that cannot download it from PyPI: fuzzing is then skipped. */
function installed(): string | undefined {
  try {
    return execFileSync(join(__dirname, "../../../tools/fuzz/schemathesis.sh"), { encoding: "utf8" }).trim();
  } catch (error) {
    if (!process.env.CI) throw error;
    console.log("fuzz: skipped, since Schemathesis could not be installed from PyPI (see above)");
    return undefined;
  }
}

/** Runs Schemathesis, which prints failed cases. Returns the number of cases, or undefined if one has failed. */
async function run(
  command: string,
  { url, token }: Emulator,
  seed: number,
  phases: string,
): Promise<number | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "cloudinfra-fuzz-"));
  const report = join(folder, "report.json");
  const options = {
    header: `Authorization: Bearer ${token}`,
    phases,
    seed,
    "max-examples": phases.includes("coverage") ? 20 : 1,
    "exclude-checks": EXCLUDED_CHECKS.join(),
    // Excluded, because all requests to a cancelled account fail with 403.
    "exclude-path": "/v4/account/cancel",
    // Measures the time in which requests are generated: it would fail on a busy machine.
    "suppress-health-check": "too_slow",
    "generation-database": "none",
    "report-json-path": report,
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(command, ["run", `${new URL(url).origin}/openapi.json?catalogues=true`, "--no-color", ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  const [code] = await once(child, "close");
  if (code !== 0) console.error(Buffer.concat(output).toString());
  const cases = code === 0 ? JSON.parse(readFileSync(report, "utf8")).test_cases.generated : undefined;
  rmSync(folder, { recursive: true });
  return cases;
}

main(Number(process.argv[2] ?? 10_000)).catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
