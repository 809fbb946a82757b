import { expect, test } from "vitest";
import type { Kind } from "../../provider/engine/definition";
import { UNKNOWN } from "../../provider/engine/values";
import { type KindName, kinds } from "../../provider/resources";
import { editsOf, inputsAround, inputsOf, names, scenario } from "../lifecycle/scenario";
import { nightly } from "../nightly";
import { sandbox } from "./sandbox";

/** Sorts the message about the account of a new stack before all others. */
const accountFirst = (a: string, b: string): number =>
  Number(b.includes("in the account of")) - Number(a.includes("in the account of"));

/**
 * Inputs with unknown values inside lists and objects. In a preview, outputs of resources that do not exist yet are
 * unknown.
 */
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

/** For each input of a kind of resource: a valid set of inputs from the test data that contains this input. */
async function around(kind: KindName) {
  await using it = await scenario(kind);
  const sets = inputsOf(kind).map((input) => {
    const [edit] = editsOf(it.fixture, input);
    return [input, edit ? inputsAround(it.fixture, input, edit).after : it.fixture.base] as const;
  });
  return { base: it.fixture.base, inputs: new Map(sets) };
}

const declared = (along: object = {}, inputs: string): string => `...${JSON.stringify(along)}, ${inputs}`;

/** In a preview, Pulumi passes an unknown value as a fixed string, whatever the type of the value is. */
test("every input of every kind can be unknown in a preview: alone, with all others and in part", async () => {
  const fixtures = new Map<KindName, Awaited<ReturnType<typeof around>>>();
  for (const kind of names) fixtures.set(kind, await around(kind));
  const resources = [...fixtures].flatMap(([kind, { inputs }]) => [
    ...[...inputs].map(([input, along]) => [`${kind}-${input}`, kind, declared(along, `${input}: unknown`)]),
    [`${kind}-all`, kind, [...inputs.keys()].map((input) => `${input}: unknown`).join()],
  ]);
  const inner = within.map(([kind, inputs], i) => [`${kind}-${i}`, kind, declared(fixtures.get(kind)?.base, inputs)]);
  const all = [...resources, ...inner];
  const program = all.map(([name, kind, inputs]) => `new cloudinfra.${kind}("${name}", { ${inputs} });`).join("\n");

  await using box = await sandbox(`
    const source = new cloudinfra.Volume("source", { region: "us-east" });
    const unknown = source.id;
    ${program}`);
  const preview = await box.stack.preview();
  // Resource classes that run an action, such as a reboot, are excluded, because they print a warning in every preview.
  const silent = names.filter((kind) => !(kinds[kind] as Kind).checks?.onCreate);
  const [account = "", ...messages] = preview.diagnostics.map(({ message }) => message).sort(accountFirst);
  expect(account).toContain("new objects are created in the account of");
  expect(messages.filter((message) => silent.some((kind) => message.includes(`${kind}-`)))).toEqual([]);
  expect(messages.filter((message) => !message.startsWith("warning: "))).toEqual([]);
  expect(messages.join()).not.toContain(UNKNOWN);
  expect(preview.changes).toEqual({ create: all.length + 2 });
  expect(preview.steps.find(({ name }) => name === "Volume-size")?.inputs.size).toBe(UNKNOWN);
});

const password = "Correct-Horse-42";

/**
 * A program in which every input that can be changed in place comes from an output of another resource, so that it is
 * unknown in a preview.
 */
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

nightly(
  "resources that depend on a changed one are updated in the preview, not replaced, and the update does not change them",
  async () => {
    await using box = await sandbox(dependent());
    const { stack } = box;
    await stack.up();

    await box.rewrite(dependent({ size: 30 }));
    const preview = await stack.preview();
    expect(preview.code).toBe(0);
    expect(preview.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(preview.ops).toEqual({
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

    // A new instance has a new id, so the volume is moved and the assignment of the firewall is replaced.
    await box.rewrite(dependent({ size: 30, image: "compute/ubuntu20.04" }));
    const replaced = await stack.preview();
    expect(replaced.ops).toEqual({
      "Instance web": "replace",
      "Volume data": "update",
      "FirewallDevice web": "replace",
    });
  },
);
