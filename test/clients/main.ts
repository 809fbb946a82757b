import { dirname, join } from "node:path";
import { startEmulator } from "../../emulator";
import { go, Missing, python } from "./install";
import { run } from "./run";
import { startShim } from "./shim";

const folder = join(dirname(require.resolve("pulumi-cloudinfra/package.json")), "test/clients");

interface Client {
  name: string;
  /** The folder with the programs that test this API client. */
  at: string;
  /** Installs the API client, and returns the command that runs its tests. */
  install(at: string): Promise<readonly [command: string, ...args: string[]]>;
}

/**
 * The published API clients to test against the emulator. Each test command prints its results in the format of `go
 * test -json`: one JSON object per line.
 */
const clients: readonly Client[] = [
  {
    name: "linode_api4",
    at: join(folder, "python"),
    install: async (at) => [await python(at), "-B", "-u", join(at, "run.py")],
  },
  {
    name: "linodego",
    at: join(folder, "go"),
    install: async (at) => [await go(at), "test", "-json", "-count=1", "./..."],
  },
];

interface Step {
  Action: string;
  Test?: string;
  Output?: string;
  Elapsed?: number;
}

/** Number of lines of a failed test's output to show. */
const LAST = 25;

const counts = { passed: 0, failed: 0 };

async function main(): Promise<void> {
  const ready = [];
  for (const client of clients) ready.push({ ...client, command: await client.install(client.at) });
  await Promise.all(ready.map(({ name, at, command }) => tested(name, at, command)));
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  if (counts.failed > 0) process.exitCode = 1;
}

/** Runs the tests of a client against a new emulator, and prints a line per test. */
async function tested(name: string, cwd: string, [command, ...args]: readonly [string, ...string[]]): Promise<void> {
  await using emulator = await startEmulator({ pace: "fast" });
  await using shim = await startShim(emulator.url.slice(0, -"/v4".length));
  let failed = 0;
  const printed = new Map<string, string[]>();
  const env = { CLIENTS_ORIGIN: shim.origin, CLIENTS_TOKEN: emulator.token };
  const { code, output } = await run(command, args, {
    cwd,
    env,
    line(text) {
      const { Action, Test = "", Output, Elapsed = 0 } = stepOf(text);
      const lines = printed.get(Test) ?? [];
      printed.set(Test, lines);
      if (Output !== undefined) lines.push(...Output.trimEnd().split("\n"));
      if (Test === "" || (Action !== "pass" && Action !== "fail")) return;
      counts[Action === "pass" ? "passed" : "failed"]++;
      console.log(`${Action === "pass" ? "ok  " : "FAIL"} ${name} ${Test} (${Elapsed.toFixed(1)} s)`);
      if (Action !== "fail") return;
      failed++;
      console.log(indented(lines));
    },
  });
  if (code === 0 || failed > 0) return;
  counts.failed++;
  console.log(`FAIL ${name} did not run to its end`);
  console.log(indented([...(printed.get("") ?? []), ...output]));
}

function stepOf(line: string): Step {
  try {
    return JSON.parse(line);
  } catch {
    return { Action: "output", Output: line };
  }
}

const indented = (lines: readonly string[]): string =>
  lines
    .slice(-LAST)
    .map((line) => `     ${line}`)
    .join("\n");

main().catch((error) => {
  if (!(error instanceof Missing)) throw error;
  console.error(`clients: ${error.message}`);
  process.exitCode = 1;
});
