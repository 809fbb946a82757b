import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** `make kill` does it a hundred times. */
test("what an emulator under load has acknowledged outlives kill -9", async () => {
  const env = { ...process.env, COUNT: "3" };
  const { stdout } = await promisify(execFile)(process.execPath, [join(__dirname, "../../dist/bench/kill.js")], {
    env,
  });
  expect(stdout).toMatch(/^3 kills, [1-9]\d* changes acknowledged, 0 lost, the file opened each time$/m);
});
