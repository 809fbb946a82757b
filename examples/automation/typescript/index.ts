// Updates a stack for each tenant, several at a time. All stacks use one token, which has one rate limit.
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { Volume } from "pulumi-cloudinfra/native";

function numberIn(variable: string, otherwise: number): number {
  const number = Number(process.env[variable] || otherwise);
  if (!(number >= 1)) throw new Error(`${variable} must be at least 1 (given ${process.env[variable]})`);
  return number;
}

const stacks = numberIn("STACKS", 50);
/** Each update runs the Pulumi CLI and the plugin, which together need about 250 MB. */
const parallel = numberIn("PARALLEL", 5);
/** Requests per second of all updates together. The service allows 1,600 in two minutes; the rest is for other programs. */
const requestsPerSecond = numberIn("REQUESTS_PER_SECOND", 12);

/** The queue of the stacks that are not updated yet. */
const waiting = Array.from({ length: stacks }, (_, index) => `tenant-${index + 1}`);
const failed: string[] = [];

async function update(tenant: string): Promise<void> {
  const program = async (): Promise<void> => {
    new Volume("data", { label: tenant, region: "us-east", size: 20 });
  };
  const stack = await LocalWorkspace.createOrSelectStack(
    { stackName: tenant, projectName: "tenants", program },
    { workDir: import.meta.dirname },
  );
  // The plugins of parallel updates are separate processes, so each of them gets its share of the rate.
  await stack.setConfig("cloudinfra:rateLimit", { value: String(requestsPerSecond / parallel) });
  const { summary } = await stack.up();
  console.log(`${tenant}: ${summary.result} ${JSON.stringify(summary.resourceChanges)}`);
}

async function worker(): Promise<void> {
  for (let tenant = waiting.shift(); tenant !== undefined; tenant = waiting.shift())
    try {
      await update(tenant);
    } catch (error) {
      failed.push(tenant);
      console.error(`${tenant}: ${(error as Error).message}`);
    }
}

await Promise.all(Array.from({ length: parallel }, worker));
console.log(`${stacks - failed.length} of ${stacks} stacks are up to date`);
process.exitCode = failed.length > 0 ? 1 : 0;
