import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Runs one of the benchmark programs `kill`, `load` and `soak` for a short time. */
const run = (program: string, settings: NodeJS.ProcessEnv) =>
  promisify(execFile)(process.execPath, [join(__dirname, `../../dist/bench/${program}.js`)], {
    env: { ...process.env, ...settings },
  });

test("a killed emulator under load loses no acknowledged write", async () => {
  const { stdout } = await run("kill", { COUNT: "2" });
  expect(stdout).toMatch(/^2 kills, [1-9]\d* changes acknowledged, 0 lost, the file opened each time$/m);
});

test("an emulator that is killed under a steady load of 64 clients loses no acknowledged write", async () => {
  const { stdout, stderr } = await run("endurance", { MINUTES: "0.02" });
  expect(stdout).toMatch(/^ok {3}\d+ requests, kills: 1; of [1-9]\d* acknowledged writes, 0 were lost/m);
  expect(stderr).toBe("");
});

test("emulator, native plugin and dynamic provider have no failure under a mixed load with faults", async () => {
  const { stdout, stderr } = await run("soak", { MINUTES: "0.03", PER_SECOND: "3" });
  expect(stderr).toBe("");
  expect(stdout).toContain("ok   0 failures, uncaught errors and lines on stderr");
  expect(stdout).not.toContain("FAIL");
});
