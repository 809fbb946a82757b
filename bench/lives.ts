import type { Host } from "../provider/engine/host";
import { connectionFor } from "../provider/pulumi/connection";
import type { KindName } from "../provider/resources";
import { type Inputs, Managed } from "../testing/provider";
import type { ProviderOf } from "../testing/resource-provider";
import { regularly } from "./regularly";

/** Settings for a load of resources that are created, updated and deleted. */
export interface Lives {
  /** Prefix of the names of the objects. Two loads on the same account need different prefixes. */
  prefix: string;
  provider: ProviderOf;
  /**
   * Whether the first update of each resource gets a time limit so short that it can fail. Possible only with dynamic
   * resources, whose time limits are set on the API connection. The native plugin gets them from Pulumi instead.
   */
  hasLimits?: boolean;
  perSecond: number;
}

/**
 * Creates, updates and deletes a single resource. Throws an error if a preview or refresh after its creation shows a
 * difference.
 */
type Life = (lives: Lives, host: Host, label: string) => Promise<void>;

const life =
  <K extends KindName>(kind: K, first: (label: string) => Inputs<K>, second: (label: string) => Inputs<K>): Life =>
  async ({ provider, prefix, hasLimits }, host, label) => {
    const resource = new Managed<K>(kind, host, `${prefix}-${kind}`, provider);
    await resource.up(first(label));
    const { op } = await resource.preview(first(label));
    if (op !== "same") throw new Error(`${kind} ${label}: a preview after its creation says ${op}`);
    const drift = await resource.refresh();
    if (drift !== "same") throw new Error(`${kind} ${label} has ${drift}`);
    if (hasLimits) {
      resource.reconnect({ ...host, limits: { update: "2ms" } });
      // This update may fail, because its time limit is too short or because an injected fault leaves no time for a
      // retry. The next update then completes it.
      await resource.up(second(label)).catch(() => {});
      resource.reconnect(host);
    }
    await resource.up(second(label));
    await resource.refresh();
    await resource.destroy();
  };

const region = "us-east";
const pools = (count: number) => ({ main: { type: "g6-standard-1", count } });

const all: readonly Life[] = [
  life(
    "Volume",
    (label) => ({ label, region, size: 20 }),
    (label) => ({ label: `${label}-b`, region, size: 40, tags: ["more"] }),
  ),
  life(
    "Domain",
    (label) => ({ domain: `${label}.example`, type: "master", soaEmail: "a@example.org" }),
    (label) => ({ domain: `${label}.example`, type: "master", soaEmail: "b@example.org", tags: ["more"] }),
  ),
  life(
    "Firewall",
    (label) => ({ label, rules: { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" } }),
    (label) => ({ label, rules: { inboundPolicy: "ACCEPT", outboundPolicy: "DROP" }, tags: ["more"] }),
  ),
  life(
    "NodeBalancer",
    (label) => ({ label, region }),
    (label) => ({ label: `${label}-b`, region, clientConnThrottle: 10 }),
  ),
  life(
    "Instance",
    (label) => ({ label, region, type: "g6-nanode-1", image: "compute/debian11", rootPass: "Correct-Horse-42" }),
    (label) => ({ label, region, type: "g6-standard-1", image: "compute/debian11", rootPass: "Correct-Horse-42" }),
  ),
  life(
    "LkeCluster",
    (label) => ({ label, region, k8sVersion: "1.21", pools: pools(1) }),
    (label) => ({ label, region, k8sVersion: "1.21", pools: pools(2) }),
  ),
  life(
    "OAuthClient",
    (label) => ({ label, redirectUri: "https://shop.example.org/a" }),
    (label) => ({ label, redirectUri: "https://shop.example.org/b" }),
  ),
];

/** Maximum number of resources that exist at the same time. */
const MAX_PARALLEL = 16;

/**
 * Creates, updates and deletes resources at a steady rate until the signal is aborted, then waits for those in
 * progress. `failed` receives their errors.
 */
export async function liveUntil(
  signal: AbortSignal,
  url: string,
  lives: Lives,
  failed: (error: Error) => void,
): Promise<void> {
  const config = { "cloudinfra:url": url, "cloudinfra:token": "emulator" };
  const { host, close } = connectionFor(config, { warn: () => {}, progress: () => {} });
  const running = new Set<Promise<void>>();
  let count = 0;
  await regularly(1000 / lives.perSecond, signal, async () => {
    const nth = count++;
    const one = (all[nth % all.length] as Life)(lives, host, `${lives.prefix}-${nth}`)
      .catch(failed)
      .finally(() => running.delete(one));
    running.add(one);
    if (running.size >= MAX_PARALLEL) await Promise.race(running);
  });
  await Promise.all(running);
  await close();
}
