import fc from "fast-check";
import { type Operation, operations, type Result, type Sent } from "../../../api";
import { type Account, within } from "../../../emulator/accounts/account";
import type { World } from "../../../emulator/core/world";

/** An object to create: its resource class, and random numbers from which its inputs are derived. */
export interface Step {
  kind: keyof typeof makers;
  label: string;
  picks: [number, number, number];
}

interface Making {
  call: Account["call"];
  settle(): void;
  created: Map<string, number[]>;
}

/**
 * The id of an object of this class that was created before, or undefined if there is none. The random number `pick`
 * selects it.
 */
const one = ({ created }: Making, kind: string, pick: number): number | undefined => {
  const ids = created.get(kind) ?? [];
  return ids[pick % (ids.length || 1)];
};

const regions = ["us-east", "eu-central"] as const;
const tagsOf = (pick: number): string[] => ["prod", "team web", 'a"b', "x".repeat(45)].slice(0, pick % 5);
const textOf = (pick: number): string =>
  ["v=spf1 mx -all", 'say "hi"', "it's", `"both" and 'both'`, "\\n", "long ".repeat(30).trim(), "ü — 中文"][pick % 7] ??
  "";

type Make = (making: Making, label: string, picks: Step["picks"]) => Promise<number | undefined>;

const { instances, instanceDisks, instanceConfigs, volumes, domains, domainRecords, firewalls, firewallDevices } =
  operations;
const { nodeBalancers, nodeBalancerConfigs, nodeBalancerNodes, lkeClusters, lkePools, instanceAddresses } = operations;

const makers = {
  async instance({ call }, label, [a, b]) {
    const body = {
      region: regions[a % 2] as string,
      type: b % 3 ? "g6-nanode-1" : "g6-standard-2",
      label,
      tags: tagsOf(b),
    };
    const image =
      b % 2 ? { image: "compute/debian11", root_pass: "Correct-Horse-42", backups_enabled: a % 3 === 0 } : {};
    return (await call(instances.create, { body: { ...body, ...image } })).id;
  },
  async disk(making, label, [a, b]) {
    const computeId = one(making, "instance", a);
    if (computeId === undefined) return undefined;
    const body = { label, size: 512 + (b % 4) * 256, filesystem: "ext4" as const };
    const { id } = await making.call(instanceDisks.create, { path: { computeId }, body });
    making.settle();
    if (b % 2)
      await making.call(instanceConfigs.create, {
        path: { computeId },
        body: { label, comments: textOf(b), devices: { sda: { disk_id: id } } },
      });
    return id;
  },
  async volume(making, label, [a, b, c]) {
    const compute_id = c % 2 ? one(making, "instance", a) : undefined;
    const place = compute_id === undefined ? { region: regions[a % 2] as string } : { compute_id };
    return (await making.call(volumes.create, { body: { label, size: 10 + (b % 90), tags: tagsOf(c), ...place } })).id;
  },
  async domain({ call }, label, [a, b]) {
    const domain = `${label
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "")}.example.org`;
    const body =
      a % 4
        ? { type: "master" as const, soa_email: "a@example.org" }
        : { type: "slave" as const, master_ips: ["192.0.2.53"] };
    return (await call(domains.create, { body: { domain, tags: tagsOf(b), description: textOf(b), ...body } })).id;
  },
  async record(making, label, [a, b]) {
    const domainId = one(making, "domain", a);
    if (domainId === undefined) return undefined;
    const name = label.toLowerCase().replaceAll(/[^a-z0-9-]+/g, "");
    const body = [
      { type: "A" as const, name, target: `192.0.2.${b % 250}` },
      { type: "TXT" as const, name: b % 2 ? name : "", target: textOf(b) },
      { type: "MX" as const, target: "mail.example.net", priority: b % 50 },
      {
        type: "SRV" as const,
        service: "sip",
        protocol: "tcp" as const,
        target: "sip.example.net",
        port: 5060,
        priority: 1,
        weight: 2,
      },
      { type: "CAA" as const, name: "", tag: "issue" as const, target: "ca.example.net" },
    ][b % 5];
    return (await making.call(domainRecords.create, { path: { domainId }, body: body as never })).id;
  },
  async firewall(making, label, [a, b]) {
    const inbound = Array.from({ length: a % 4 }, (_, i) => ({
      action: "ACCEPT" as const,
      protocol: i % 2 ? ("UDP" as const) : ("TCP" as const),
      ports: i % 2 ? "1000-2000" : "22, 80, 443",
      label: `rule-${i}`,
      description: textOf(b),
      addresses: { ipv4: ["192.0.2.0/24", "198.51.100.7/32"].slice(0, 1 + (b % 2)) },
    }));
    const rules = { inbound_policy: "DROP" as const, outbound_policy: "ACCEPT" as const, inbound };
    return (await making.call(firewalls.create, { body: { label, rules, tags: tagsOf(b) } })).id;
  },
  async device(making, _, [a, b]) {
    const [firewallId, id] = [one(making, "firewall", a), one(making, "instance", b)];
    if (firewallId === undefined || id === undefined) return undefined;
    return (await making.call(firewallDevices.create, { path: { firewallId }, body: { type: "compute", id } })).id;
  },
  async balancer({ call }, label, [a, b]) {
    return (await call(nodeBalancers.create, { body: { region: regions[a % 2] as string, label, tags: tagsOf(b) } }))
      .id;
  },
  async port(making, label, [a, b, c]) {
    const nodeBalancerId = one(making, "balancer", a);
    if (nodeBalancerId === undefined) return undefined;
    const body = { port: 1 + (b % 9000), algorithm: c % 2 ? ("leastconn" as const) : ("roundrobin" as const) };
    const { id: configId } = await making.call(nodeBalancerConfigs.create, { path: { nodeBalancerId }, body });
    const computeId = one(making, "instance", c);
    if (computeId === undefined) return configId;
    const { ipv4 } = await making.call(instanceAddresses.list, { path: { computeId } });
    const [held] = ipv4.private;
    const { address } =
      held ??
      (await making.call(instanceAddresses.allocate, { path: { computeId }, body: { type: "ipv4", public: false } }));
    const node = { label: label.slice(0, 32), address: `${address}:80`, weight: 1 + (c % 200) };
    await making.call(nodeBalancerNodes.create, { path: { nodeBalancerId, configId }, body: node });
    return configId;
  },
  async cluster({ call }, label, [a, b]) {
    const node_pools = [{ type: "g6-standard-1", count: 1 + (b % 3) }];
    return (
      await call(lkeClusters.create, {
        body: { label, region: regions[a % 2] as string, k8s_version: "1.22", node_pools, tags: tagsOf(b) },
      })
    ).id;
  },
  async pool(making, _, [a, b]) {
    const clusterId = one(making, "cluster", a);
    if (clusterId === undefined) return undefined;
    const autoscaler = b % 2 ? { enabled: true, min: 1, max: 5 } : undefined;
    const body = { type: "g6-standard-2", count: 1 + (b % 2), ...(autoscaler && { autoscaler }) };
    return (await making.call(lkePools.create, { path: { clusterId }, body })).id;
  },
  async contact({ call }, label) {
    return (
      await call(operations.managedContacts.create, { body: { name: label, email: "a@example.org", group: "ops" } })
    ).id;
  },
  async credential({ call }, label) {
    return (
      await call(operations.managedCredentials.create, {
        body: { label, username: "x", password: "Planted-Secret-42" },
      })
    ).id;
  },
  async service(making, label, [a, b]) {
    const credential = one(making, "credential", a);
    const credentials = credential === undefined || b % 2 ? [] : [credential];
    const body = { label, service_type: "url" as const, address: "https://www.example.org", timeout: 30, credentials };
    return (await making.call(operations.managedServices.create, { body })).id;
  },
  async bucket({ call }, label) {
    const name = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    const cluster = "us-east-1";
    await call(operations.objectStorageBuckets.create, { body: { label: name, cluster } });
    return undefined;
  },
  async key({ call }, label) {
    return (await call(operations.objectStorageKeys.create, { body: { label } })).id;
  },
  async client({ call }, label, [a]) {
    const body = { label, redirect_uri: "https://example.org/oauth", public: a % 2 === 0 };
    await call(operations.oauthClients.create, { body });
    return undefined;
  },
  async tag({ call }, label) {
    await call(operations.tags.create, { body: { label } });
    return undefined;
  },
} satisfies Record<string, Make>;

const kindsOf = Object.keys(makers) as Step["kind"][];

/** Labels that cannot be used directly as names of variables or files. */
const labels = [
  "web",
  "class",
  "config",
  "pulumi",
  "volume",
  "my-long.name_1",
  "9lives",
  "Web",
  "instance",
  "await-all",
];

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kindsOf, "instance" as const, "record" as const, "volume" as const),
  label: fc.tuple(fc.constantFrom(...labels), fc.nat(30)).map(([text, n]) => (n > 10 ? `${text}-${n}` : text)),
  picks: fc.tuple(fc.nat(9999), fc.nat(9999), fc.nat(9999)),
});

export const accountOf = (size: number): fc.Arbitrary<Step[]> => fc.array(step, { minLength: size, maxLength: size });

/**
 * Creates the objects of a random account. Ignores objects that the service rejects, for example because the label is
 * already in use.
 */
export async function people(world: World, steps: readonly Step[]): Promise<void> {
  await within(world, async ({ call, settle }) => {
    const making: Making = {
      call: call as <O extends Operation>(o: O, s: Sent<O>) => Promise<Result<O>>,
      settle,
      created: new Map(),
    };
    const ordered = [...steps].sort((a, b) => kindsOf.indexOf(a.kind) - kindsOf.indexOf(b.kind));
    for (const { kind, label, picks } of ordered) {
      const id = await (makers[kind] as Make)(making, label, picks).catch(() => undefined);
      settle();
      if (id !== undefined) making.created.set(kind, [...(making.created.get(kind) ?? []), id]);
    }
  });
}
