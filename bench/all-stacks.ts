import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firewalls, instances, volumes } from "../api";
import { startEmulator } from "../emulator";
import { times, within } from "../emulator/accounts/account";
import { snapshot } from "../emulator/core/snapshot";
import { importAccount } from "../import";
import type { Deployment } from "../stack/deployment";
import { withAdopted } from "../stack/edit";
import { run } from "../tools/run";
import { check, checkFigures, LATENCY } from "./drift";
import type { Figure } from "./figures";

const STACKS = 200;
const PARTS = { instances: 20, volumes: 20, firewalls: 10 };
const RESOURCES = PARTS.instances + PARTS.volumes + PARTS.firewalls;

/**
 * Measures `cloudinfra drift --all-stacks` for 200 stacks with 50 resources each in one account. The token is a secret in
 * the configuration of each stack.
 */
export async function allStacksFigures(bareNode: () => Promise<number>): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-all-stacks-"));
  try {
    const load = await account();
    await using emulator = await startEmulator({ pace: "instant", load, latency: LATENCY });
    const env = await backendOf(emulator, folder);
    return await checkFigures(
      `drift of ${STACKS} stacks with ${RESOURCES} resources at ${LATENCY} ms`,
      [130, 15_000, 400],
      () => check(["--all-stacks", "--cwd", folder], emulator, { ...env, CLOUDINFRA_URL: "", CLOUDINFRA_TOKEN: "" }),
      bareNode,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function account() {
  await using emulator = await startEmulator({ pace: "instant", seed: 1 });
  await within(emulator.world, async ({ call }) => {
    const rules = { inbound_policy: "DROP" as const, outbound_policy: "ACCEPT" as const };
    await times(STACKS * PARTS.instances, (i) =>
      call(instances.create, { body: { region: "us-east", type: "g6-nanode-1", label: `web-${i}` } }),
    );
    await times(STACKS * PARTS.volumes, (i) =>
      call(volumes.create, { body: { region: "us-east", label: `data-${i}` } }),
    );
    await times(STACKS * PARTS.firewalls, (i) => call(firewalls.create, { body: { label: `wall-${i}`, rules } }));
  });
  return snapshot(emulator.world);
}

/** Creates a backend in files whose stacks manage the account. Returns the environment in which Pulumi uses it. */
async function backendOf(
  { url, token }: { url: string; token: string },
  folder: string,
): Promise<Record<string, string>> {
  const stacks = join(folder, ".pulumi/stacks/shop");
  const env = { PULUMI_BACKEND_URL: `file://${folder}`, PULUMI_CONFIG_PASSPHRASE: "bench" };
  mkdirSync(stacks, { recursive: true });
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  const { resources } = await importAccount({ project: "shop", url, token });
  const byKind = [...Map.groupBy(resources, ({ kind }) => kind).values()];
  const config = {
    "cloudinfra:url": { value: url, secret: false },
    "cloudinfra:token": { value: token, secret: true },
  };
  const stateOf = (i: number, empty: Deployment): Deployment => {
    const own = byKind.flatMap((group) => group.filter((_, n) => n % STACKS === i));
    return withAdopted(empty, { stack: `s${i}`, project: "shop" }, config, own);
  };
  const pulumi = async (...args: string[]): Promise<string> => {
    const { code, output } = await run("pulumi", ["stack", ...args, "--stack", "s0"], { env, cwd: folder });
    if (code !== 0) throw new Error(`pulumi stack ${args[0]} failed: ${output.join("\n")}`);
    return output.join("\n");
  };
  // Pulumi encrypts the state of one stack. The others have its key, because it would take minutes to create them all.
  const file = join(folder, "state.json");
  await pulumi("init");
  writeFileSync(file, JSON.stringify(stateOf(0, JSON.parse(await pulumi("export")))));
  await pulumi("import", "--file", file);
  const checkpoint = JSON.parse(readFileSync(join(stacks, "s0.json"), "utf8"));
  const [, encrypted] = checkpoint.checkpoint.latest.resources;
  for (let i = 1; i < STACKS; i++) {
    const { resources = [] } = stateOf(i, { version: 3, deployment: {} }).deployment;
    const latest = {
      ...checkpoint.checkpoint.latest,
      resources: resources.map((row) =>
        row.type === encrypted.type ? { ...row, inputs: encrypted.inputs, outputs: encrypted.outputs } : row,
      ),
    };
    const own = { stack: `organization/shop/s${i}`, latest };
    writeFileSync(join(stacks, `s${i}.json`), JSON.stringify({ ...checkpoint, checkpoint: own }));
  }
  return env;
}
