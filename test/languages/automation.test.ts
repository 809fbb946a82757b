import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { execute, type Machine, machine, root, sdk } from "./machine";

let prepared: Machine;
beforeAll(async () => {
  prepared = await machine();
});
afterAll(() => prepared[Symbol.dispose]());

test("the Go program with the Automation API updates stacks in parallel, and divides the rate limit among them", async () => {
  await using emulator = await startEmulator({ pace: "fast", rateLimits: true });
  const project = join(prepared.folder, "tenants");
  cpSync(join(root, "examples/automation/go"), project, { recursive: true });
  const modules = join(project, "go.mod");
  writeFileSync(modules, readFileSync(modules, "utf8").replace("=> ../sdks/go", `=> ${sdk("go")}`));
  mkdirSync(join(project, "state"));
  const env = {
    ...process.env,
    ...prepared.env,
    PULUMI_BACKEND_URL: `file://${join(project, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    CLOUDINFRA_URL: emulator.url,
    CLOUDINFRA_TOKEN: emulator.token,
    STACKS: "4",
    PARALLEL: "2",
    REQUESTS_PER_SECOND: "10",
  };
  const { stdout } = await execute("go", ["run", "."], { cwd: project, env });
  expect(stdout.trim().split("\n").at(-1)).toBe("4 of 4 stacks are up to date");
  const requests = emulator.requests.list();
  expect(requests.filter(({ operation }) => operation === "volumes.create")).toHaveLength(4);
  expect(requests.filter(({ status }) => status === 429)).toEqual([]);
  expect(readFileSync(join(project, "Pulumi.tenant-4.yaml"), "utf8")).toContain('cloudinfra:rateLimit: "5"');
});
