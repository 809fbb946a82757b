import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startEmulator } from "../../emulator";
import { Missing } from "../../tools/install";
import { run } from "../../tools/run";
import { type Client, clients } from "./clients";
import { compatibilityPage, type Result } from "./page";

interface Step {
  Action: string;
  Test?: string;
  Output?: string;
  Elapsed?: number;
}

/** Number of lines of a failed test's output to show. */
const LAST = 25;

const page = join(dirname(require.resolve("pulumi-cloudinfra/package.json")), "docs/compatibility.md");

/** Runs the tests of each client, one client after the other, and writes the page about them. */
async function main(): Promise<void> {
  const [only] = process.argv.slice(2);
  const results: Result[] = [];
  for (const client of clients)
    if (only === undefined || client.name.includes(only)) results.push({ client, ...(await tested(client)) });
  if (only === undefined) writeFileSync(page, compatibilityPage(results));
  const sum = (which: "passed" | "failed") => results.reduce((count, result) => count + result[which].length, 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  if (sum("failed") > 0) process.exitCode = 1;
}

/** Runs the tests of a client against a new emulator, and prints a line per test. */
async function tested({ name, version, at, install }: Client): Promise<{ passed: string[]; failed: string[] }> {
  const { command, env = {} } = await install();
  await using emulator = await startEmulator({ pace: "fast", dialect: "linode" });
  const passed: string[] = [];
  const failed: string[] = [];
  const printed = new Map<string, string[]>();
  const origin = emulator.url.slice(0, -"/v4".length);
  const { code, output } = await run(command[0], command.slice(1), {
    cwd: at,
    env: { ...env, CLIENTS_ORIGIN: origin, CLIENTS_TOKEN: emulator.token },
    line(text) {
      const { Action, Test = "", Output, Elapsed = 0 } = stepOf(text);
      const lines = printed.get(Test) ?? [];
      printed.set(Test, lines);
      if (Output !== undefined) lines.push(...Output.trimEnd().split("\n"));
      if (Test === "" || (Action !== "pass" && Action !== "fail")) return;
      (Action === "pass" ? passed : failed).push(Test);
      console.log(`${Action === "pass" ? "ok  " : "FAIL"} ${name} ${version} ${Test} (${Elapsed.toFixed(1)} s)`);
      if (Action === "fail") console.log(indented(lines));
    },
  });
  if (code !== 0 && failed.length === 0) {
    failed.push("the run to its end");
    console.log(`FAIL ${name} ${version} did not run to its end`);
    console.log(indented([...(printed.get("") ?? []), ...output]));
  }
  return { passed, failed };
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
