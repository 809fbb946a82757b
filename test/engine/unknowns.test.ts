import { expect, test } from "vitest";
import { camel } from "../../api";
import type { Kind } from "../../provider/engine/definition";
import { UNKNOWN } from "../../provider/engine/values";
import { type KindName, kinds } from "../../provider/resources";
import { sandbox } from "./sandbox";

/** What each kind cannot do without, as the program writes it. */
const needed: Record<KindName, string> = {
  AccountContact: ``,
  Domain: `domain: "example.org", type: "master", soaEmail: "a@example.org"`,
  DomainRecord: `domainId: 1, type: "A", name: "www", target: "192.0.2.1"`,
  Firewall: `rules: { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" }`,
  FirewallDevice: `firewallId: 1, entityId: 2`,
  Image: `diskId: 1`,
  Instance: `region: "us-east", type: "g6-nanode-1"`,
  InstanceAction: `computeId: 1, reboot: {}`,
  InstanceIp: `computeId: 1`,
  IpAssignment: `region: "us-east", assignments: [{ address: "192.0.2.1", computeId: 1 }]`,
  IpSharing: `computeId: 1, ips: ["192.0.2.1"]`,
  Ipv6Range: `range: "2001:db8::"`,
  InstanceConfig: `computeId: 1, label: "main", devices: {}`,
  InstanceDisk: `computeId: 1, label: "data", size: 1024`,
  InstanceSnapshot: `computeId: 1, label: "first"`,
  LkeCluster: `region: "us-east", k8sVersion: "1.21", pools: { a: { type: "g6-standard-1", count: 1 } }`,
  LkeNodePool: `clusterId: 1, type: "g6-standard-1", count: 1`,
  ObjectStorageBucket: `cluster: "us-east-1"`,
  ObjectStorageKey: "",
  ObjectStorageObject: `cluster: "us-east-1", bucket: "photos", name: "a.txt", content: "a"`,
  LkeNodeRecycle: `clusterId: 1`,
  NodeBalancer: `region: "us-east"`,
  NodeBalancerConfig: `nodebalancerId: 1`,
  NodeBalancerNode: `nodebalancerId: 1, configId: 2, label: "web", address: "192.168.1.2:80"`,
  ReverseDns: `address: "192.0.2.1", rdns: "a.example.org"`,
  ManagedComputeSettings: `computeId: 1, ssh: {}`,
  ManagedContact: ``,
  ManagedCredential: `password: "secret"`,
  ManagedService: `label: "site", serviceType: "url", address: "https://example.org", timeout: 10`,
  OAuthClient: `label: "Shop", redirectUri: "https://shop.example.org/"`,
  PaymentMethod: `data: { cardNumber: "4111111111111111", expiryMonth: 1, expiryYear: 2031, cvv: "123" }`,
  ServiceTransfer: `entities: { computes: [1] }`,
  Tag: `label: "prod"`,
  Volume: `region: "us-east"`,
  VolumeAttachment: `volumeId: 1, computeId: 1`,
};

/** Unknowns below the top, which are of any type as well. */
const within: [KindName, string][] = [
  ["IpAssignment", `region: "us-east", assignments: [{ address: unknown, computeId: unknown }, unknown]`],
  ["IpSharing", `computeId: 1, ips: [unknown]`],
  ["Domain", `tags: [unknown, "known"], axfrIps: ["192.0.2.1", unknown]`],
  ["Firewall", `devices: { computes: [unknown, 1] }, rules: { inboundPolicy: unknown, outboundPolicy: "DROP" }`],
  ["Firewall", `rules: { inboundPolicy: "DROP", outboundPolicy: "DROP", inbound: [unknown] }`],
  [
    "Firewall",
    `rules: { inboundPolicy: "DROP", outboundPolicy: "DROP", inbound: [
      { action: "ACCEPT", protocol: "TCP", ports: unknown, addresses: { ipv4: [unknown], ipv6: unknown } },
      { action: unknown, protocol: unknown, ports: "22", addresses: unknown },
    ] }`,
  ],
  ["Instance", `alerts: { cpu: unknown }, backups: { schedule: { day: unknown } }, stackscriptData: { a: unknown }`],
  ["Instance", `config: { kernel: unknown, devices: { sda: { diskId: unknown } }, helpers: { network: unknown } }`],
  ["Instance", `interfaces: [{ purpose: unknown }, unknown], image: "compute/debian11", rootPass: unknown`],
  [
    "LkeCluster",
    `pools: { a: unknown, b: { type: unknown, count: unknown }, c: { type: "g6-standard-1", count: 1, autoscaler: { enabled: unknown, min: unknown, max: 3 } } }`,
  ],
  ["LkeCluster", `controlPlane: { highAvailability: unknown }`],
  [
    "LkeNodePool",
    `disks: [{ size: unknown, type: "raw" }, unknown], autoscaler: { enabled: true, min: unknown, max: 2 }`,
  ],
];

const stated = (kind: KindName, inputs: string): string => [needed[kind], inputs].filter(Boolean).join(", ");

/** A4: in a preview an unknown is a string of the engine's, whatever type it stands for. */
test("every input may be unknown in a preview, alone, with all others and in part", async () => {
  const names = Object.keys(kinds) as KindName[];
  const resources = names.flatMap((kind) => {
    const inputs = Object.keys(kinds[kind].fields).map(camel);
    const each = inputs.map((input) => [`${kind}-${input}`, kind, stated(kind, `${input}: unknown`)]);
    return [...each, [`${kind}-all`, kind, inputs.map((input) => `${input}: unknown`).join()]];
  });
  const inner = within.map(([kind, inputs], i) => [`${kind}-${i}`, kind, stated(kind, inputs)]);
  const all = [...resources, ...inner];
  const program = all.map(([name, kind, inputs]) => `new cloudinfra.${kind}("${name}", { ${inputs} });`).join("\n");

  await using box = await sandbox(`
    const source = new cloudinfra.Volume("source", { region: "us-east" });
    const unknown = source.id;
    ${program}`);
  const told = await box.stack.preview();
  // What an action will do is said, whatever else is not known.
  const silent = names.filter((kind) => !(kinds[kind] as Kind).checks?.onCreate);
  const said = told.diagnostics.map(({ message }) => message);
  expect(said.filter((message) => silent.some((kind) => message.includes(`${kind}-`)))).toEqual([]);
  expect(said.filter((message) => !message.startsWith("warning: "))).toEqual([]);
  expect(said.join()).not.toContain(UNKNOWN);
  expect(told.changes).toEqual({ create: all.length + 2 });
  expect(told.steps.find(({ name }) => name === "Volume-size")?.inputs.size).toBe(UNKNOWN);
});

const password = "Correct-Horse-42";

/** All eight kinds; what changes in place comes from an output of another resource. */
const dependent = ({ size = 20, image = "compute/debian11" } = {}): string => `
  const source = new cloudinfra.Volume("source", { region: "us-east", size: ${size} });
  const via = (value) => source.filesystemPath.apply(() => value);
  const tags = via(["tag"]);
  const web = new cloudinfra.Instance("web", {
    region: "us-east", image: "${image}", type: via("g6-nanode-1"), label: via("web-1"), rootPass: via("${password}"),
    authorizedKeys: via([]), booted: via(true), privateIp: via(true), watchdogEnabled: via(true), alerts: via({ cpu: 70 }),
    swapSize: via(256), allowReboot: via(true), tags,
  });
  new cloudinfra.Volume("data", { region: "us-east", label: via("data"), size: via(30), computeId: web.id, tags });
  const wall = new cloudinfra.Firewall("wall", {
    label: via("wall"), rules: via({ inboundPolicy: "DROP", outboundPolicy: "DROP" }), status: via("enabled"), tags,
  });
  new cloudinfra.FirewallDevice("web", { firewallId: wall.id, entityId: web.id });
  const zone = new cloudinfra.Domain("zone", {
    domain: via("example.org"), type: via("master"), soaEmail: via("a@example.org"), ttlSec: via(300), tags,
  });
  new cloudinfra.DomainRecord("www", {
    domainId: zone.id, type: "A", name: via("www"), target: via("192.0.2.1"), ttlSec: via(300),
  });
  const apps = new cloudinfra.LkeCluster("apps", {
    region: "us-east", label: via("apps"), k8sVersion: via("1.21"), tags,
    pools: via({ one: { type: "g6-standard-1", count: 1 } }), controlPlane: via({ highAvailability: false }),
  });
  new cloudinfra.LkeNodePool("extra", { clusterId: apps.id, type: "g6-standard-1", count: via(1) });`;

test("what depends on a resource that changes seems to change in place, not to be replaced, and then stays as it is", async () => {
  await using box = await sandbox(dependent());
  const { stack } = box;
  await stack.up();

  await box.rewrite(dependent({ size: 30 }));
  const told = await stack.preview();
  expect(told.code).toBe(0);
  expect(told.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(told.ops).toEqual({
    "Volume source": "update",
    "Instance web": "update",
    "Volume data": "update",
    "Firewall wall": "update",
    "Domain zone": "update",
    "DomainRecord www": "update",
    "LkeCluster apps": "update",
    "LkeNodePool extra": "update",
  });
  expect((await stack.up()).ops).toEqual({ "Volume source": "update" });

  // A new instance has a new id: the volume moves, the firewall's device is another one.
  await box.rewrite(dependent({ size: 30, image: "compute/ubuntu20.04" }));
  const replaced = await stack.preview();
  expect(replaced.ops).toEqual({ "Instance web": "replace", "Volume data": "update", "FirewallDevice web": "replace" });
});
