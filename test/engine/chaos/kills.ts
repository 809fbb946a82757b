import { rm } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import type { EngineStack, Running } from "../../../testing/engine";
import { killMarked, marked } from "../../../testing/processes";

/** Kills the process of the engine, the process of the provider, or all processes of the update. */
export async function killUpdate(
  stack: EngineStack,
  update: Running,
  victim: "engine" | "provider" | "both",
): Promise<void> {
  const mark = `PULUMI_TEST_STACK=${stack.home}`;
  if (victim === "engine") update.kill("SIGKILL");
  else if (victim === "both") await killMarked(mark);
  else for (const provider of ["pulumi-resource-cloudinfra", "dynamic-provider"]) await killMarked(mark, provider);
}

/**
 * Runs `pulumi cancel` after an update was killed, so that the next update can run. Before, removes the file with
 * attributes of the state: a killed engine can leave it empty, and Pulumi cannot read an empty one but works without
 * it.
 */
export async function cancel(stack: EngineStack): Promise<void> {
  await rm(join(stack.home, "state/.pulumi/stacks/test/test.json.attrs"), { force: true });
  await stack.run(["cancel", "--yes"]);
}

/** Waits until no dynamic provider runs whose engine was killed. It completes the changes in progress first. */
export async function orphansEnded(stack: EngineStack): Promise<void> {
  const mark = `PULUMI_TEST_STACK=${stack.home}`;
  await vi.waitUntil(async () => !(await marked(mark, "dynamic-provider")).length, { timeout: 120_000, interval: 500 });
}
