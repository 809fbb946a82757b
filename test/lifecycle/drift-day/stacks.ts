import type { Host } from "../../../provider/engine/host";
import { hostOf } from "../../../provider/pulumi/connection";
import type { KindName } from "../../../provider/resources";
import { type Inputs, Managed, type State } from "../../../testing/provider";
import { exported } from "../exported";
import type { DisturbedAccount } from "./account";

/** A property that people change by hand. */
interface Property {
  declared: unknown;
  /** A value for the n-th change. It differs from those of the changes before. */
  value(n: number): unknown;
  send(value: unknown): Promise<unknown>;
}

export interface Resource {
  stack: string;
  address: string;
  container: string | undefined;
  /** By path in findings. */
  properties: Readonly<Record<string, Property>>;
  remove(): Promise<unknown>;
}

interface InProgram extends Resource {
  kind: KindName;
  name: string;
  state(): State | undefined;
  refresh(): Promise<unknown>;
  update(): Promise<unknown>;
}

const noMessages = { warn: () => {}, progress: () => {} };
export const STACKS = ["prod", "staging", "dev"];
/** The TTLs that the service supports, from the documents. */
const TTLS = [300, 3600, 7200, 14400, 28800, 57600, 172800, 345600, 604800];

const property = <T>(declared: T, value: (n: number) => T, send: (value: T) => Promise<unknown>): Property => ({
  declared,
  value,
  send: (sent) => send(sent as T),
});
const ttl = (n: number): number => TTLS[n % TTLS.length] as number;

/** Three stacks with nine resources each, in one account. */
export async function deployStacks({ api, connected, time, undisturbed }: DisturbedAccount) {
  let host: Host;
  const programs = new Map(STACKS.map((stack) => [stack, programOf(stack)]));
  const all = [...programs.values()].flat();

  /** Runs a Pulumi command with the resources of a stack. */
  const command = (stack: string, work: (one: InProgram) => Promise<unknown>): Promise<void> =>
    undisturbed(async () => {
      host = hostOf(connected(), time, noMessages);
      for (const one of programs.get(stack) ?? []) await work(one);
    });
  for (const stack of STACKS) await command(stack, (one) => one.update());

  return {
    resources: all as readonly Resource[],
    update: (stack: string) =>
      command(stack, async (one) => {
        await one.refresh();
        await one.update();
      }),
    refresh: (stack: string) => command(stack, (one) => one.refresh()),
    /** The output of `pulumi stack export` for each stack. */
    states: () =>
      STACKS.map((stack) =>
        exported(
          (programs.get(stack) ?? []).flatMap(({ kind, name, state }) => {
            const saved = state();
            return saved ? [{ kind, name, id: saved.id, inputs: saved.inputs, outs: saved.outs }] : [];
          }),
          { stack },
        ),
      ),
  };

  function programOf(stack: string): InProgram[] {
    function resource<K extends KindName>(
      kind: K,
      name: string,
      inputs: () => Inputs<K>,
      properties: (id: () => number) => Resource["properties"],
      remove: (id: number) => Promise<unknown>,
      container?: InProgram,
    ): InProgram {
      let managed: Managed<K> | undefined;
      const provider = (): Managed<K> => {
        managed ??= new Managed(kind, host, name);
        managed.reconnect(host);
        return managed;
      };
      const id = () => Number(managed?.id.split("/").at(-1));
      return {
        stack,
        kind,
        name,
        address: `shop/${stack}/${kind}/${name}`,
        container: container?.address,
        properties: properties(id),
        remove: () => remove(id()),
        state: () => managed?.state,
        refresh: async () => managed?.state && (await provider().refresh()),
        update: () => provider().up(inputs()),
      };
    }
    const label = (n: number): string => `by-hand-${n}`;
    const zone = resource(
      "Domain",
      "zone",
      () => ({
        domain: `${stack}.example.com`,
        type: "master",
        soaEmail: "admin@example.com",
        ttlSec: 86_400,
        description: "shop",
      }),
      (domainId) => {
        const path = () => ({ domainId: domainId() });
        return {
          "/soaEmail": property(
            "admin@example.com",
            (n) => `hand-${n}@example.com`,
            (soa_email) => api.domains.update({ path: path(), body: { soa_email } }),
          ),
          "/ttlSec": property(86_400, ttl, (ttl_sec) => api.domains.update({ path: path(), body: { ttl_sec } })),
          "/description": property("shop", label, (description) =>
            api.domains.update({ path: path(), body: { description } }),
          ),
        };
      },
      (domainId) => api.domains.delete({ path: { domainId } }),
    );
    const zoneId = () => Number(zone.state()?.id);
    const records = [1, 2, 3].map((number) =>
      resource(
        "DomainRecord",
        `www-${number}`,
        () => ({ domainId: zoneId(), type: "A", name: `www-${number}`, target: `192.0.2.${number}`, ttlSec: 86_400 }),
        (recordId) => {
          const path = () => ({ domainId: zoneId(), recordId: recordId() });
          return {
            "/target": property(
              `192.0.2.${number}`,
              (n) => `198.51.${n % 100}.${n % 250}`,
              (target) => api.domainRecords.update({ path: path(), body: { target } }),
            ),
            "/ttlSec": property(86_400, ttl, (ttl_sec) =>
              api.domainRecords.update({ path: path(), body: { ttl_sec } }),
            ),
          };
        },
        (recordId) => api.domainRecords.delete({ path: { domainId: zoneId(), recordId } }),
        zone,
      ),
    );
    const volumes = [1, 2, 3].map((number) =>
      resource(
        "Volume",
        `data-${number}`,
        () => ({ region: "us-east", size: 20, label: `${stack}-data-${number}` }),
        (volumeId) => ({
          "/label": property(`${stack}-data-${number}`, label, (label) =>
            api.volumes.update({ path: { volumeId: volumeId() }, body: { label } }),
          ),
        }),
        (volumeId) => api.volumes.delete({ path: { volumeId } }),
      ),
    );
    const balancer = resource(
      "NodeBalancer",
      "front",
      () => ({ region: "us-east", label: `${stack}-front`, clientConnThrottle: 0 }),
      (nodeBalancerId) => {
        const path = () => ({ nodeBalancerId: nodeBalancerId() });
        return {
          "/label": property(`${stack}-front`, label, (label) =>
            api.nodeBalancers.update({ path: path(), body: { label } }),
          ),
          "/clientConnThrottle": property(
            0,
            (n) => 1 + (n % 20),
            (client_conn_throttle) => api.nodeBalancers.update({ path: path(), body: { client_conn_throttle } }),
          ),
        };
      },
      (nodeBalancerId) => api.nodeBalancers.delete({ path: { nodeBalancerId } }),
    );
    const rules = () => ({ inbound: [], outbound: [], outbound_policy: "ACCEPT" as const });
    const firewall = resource(
      "Firewall",
      "edge",
      () => ({
        label: `${stack}-edge`,
        rules: { inbound: [], outbound: [], inboundPolicy: "DROP", outboundPolicy: "ACCEPT" },
      }),
      (firewallId) => {
        const path = () => ({ firewallId: firewallId() });
        return {
          "/label": property(`${stack}-edge`, label, (label) =>
            api.firewalls.update({ path: path(), body: { label } }),
          ),
          "/rules/inboundPolicy": property<"ACCEPT" | "DROP">(
            "DROP",
            () => "ACCEPT",
            (inbound_policy) => api.firewalls.updateRules({ path: path(), body: { ...rules(), inbound_policy } }),
          ),
        };
      },
      (firewallId) => api.firewalls.delete({ path: { firewallId } }),
    );
    return [zone, ...records, ...volumes, balancer, firewall];
  }
}

export type Stacks = Awaited<ReturnType<typeof deployStacks>>;
