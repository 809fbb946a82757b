import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { finished } from "../cli/command";
import { newFolder } from "../folder";
import { isNightly } from "../nightly";

const root = join(__dirname, "../..");
const project = join(newFolder(), "tenants");

/** 50 stacks take minutes, so `make nightly` runs them. */
const { stacks, timeout } = isNightly ? { stacks: 50, timeout: 3_600_000 } : { stacks: 3, timeout: 600_000 };

/** Sends requests with the token until the rate limit rejects one. */
async function useUp({ url, token }: Emulator): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const send = async (): Promise<number> => {
    const response = await fetch(`${url}/regions`, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  for (let sent = 0; sent < 1_600; sent += 50) await Promise.all(Array.from({ length: 50 }, send));
  expect(await send()).toBe(429);
}

test("the program with the Automation API updates stacks in parallel, and stays within the rate limit of their token", {
  timeout,
}, async () => {
  await using emulator = await startEmulator({ pace: "fast", rateLimits: true });
  cpSync(join(root, "examples/automation/typescript"), project, { recursive: true });
  mkdirSync(join(project, "node_modules"));
  mkdirSync(join(project, "state"));
  symlinkSync(join(root, "node_modules/@pulumi"), join(project, "node_modules/@pulumi"));
  symlinkSync(root, join(project, "node_modules/pulumi-cloudinfra"));
  const env = {
    ...process.env,
    PULUMI_BACKEND_URL: `file://${join(project, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    CLOUDINFRA_URL: emulator.url,
    CLOUDINFRA_TOKEN: emulator.token,
    STACKS: `${stacks}`,
    PARALLEL: "2",
    REQUESTS_PER_SECOND: "10",
  };
  // Before the long run, another program has used up the limit of the current two minutes.
  if (isNightly) await useUp(emulator);
  emulator.requests.clear();
  const { code, stdout, stderr } = await finished(spawn(process.execPath, ["index.ts"], { cwd: project, env }));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.trim().split("\n").at(-1)).toBe(`${stacks} of ${stacks} stacks are up to date`);
  const requests = emulator.requests.list();
  const labels = requests.flatMap(({ operation, status, body }) =>
    operation === "volumes.create" && status === 200 ? [(body as { label: string }).label] : [],
  );
  const tenants = Array.from({ length: stacks }, (_, index) => `tenant-${index + 1}`);
  expect(labels.sort()).toEqual(tenants.sort());
  // Each of the two processes that run at a time can send a request before a response shows that the limit is used up.
  expect(requests.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(2);
  for (const tenant of tenants)
    expect(readFileSync(join(project, `Pulumi.${tenant}.yaml`), "utf8")).toContain('cloudinfra:rateLimit: "5"');
});
