import { describe, expect, test } from "vitest";
import type { ProviderType } from "../../stack/migration";
import { forEveryChange } from "../nightly";
import { sandbox } from "./sandbox";

/** How many times the program declares its group of instances, volumes, firewalls and other resources. */
const count = { group: 13 };

/**
 * A program with two hundred resources of several kinds, which depend on each other in both directions. Some volumes
 * refer to their instance, and some instances are named after a volume. Some firewalls list their instances, and others
 * are assigned by separate resources. Backends depend on addresses of instances and on ports of load balancers.
 */
const program = ({ edit = false } = {}): string => `
const edit = ${edit};
const region = "us-east";
const tags = edit ? ["mixed", "edited"] : ["mixed"];
const policies = { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" };
const zone = new cloudinfra.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org", tags });
for (let i = 0; i < ${count.group}; i++) {
  const name = (what) => what + "-" + i;
  const boot = new cloudinfra.Volume(name("boot"), { label: name("boot"), region, size: edit ? 20 : 10, tags });
  const [web, db] = [
    new cloudinfra.Instance(name("web"), { label: name("web"), region, type: "g6-nanode-1", privateIp: true, tags, config: { kernel: "compute/grub2" } }),
    new cloudinfra.Instance(name("db"), {
      label: name("db"), region, type: edit && i % 3 === 0 ? "g6-standard-1" : "g6-nanode-1",
      tags: boot.label.apply((label) => [...tags, label]),
    }),
  ];
  for (let n = 0; n < 3; n++)
    new cloudinfra.Volume(name("data" + n), { label: name("data" + n), region, size: 10 + (edit ? n : 0), computeId: web.id, tags });
  const wall = new cloudinfra.Firewall(name("wall"), {
    label: name("wall"), tags, rules: { ...policies, inbound: [{ action: "ACCEPT", protocol: "TCP", ports: edit ? "22, 80" : "22", addresses: { ipv4: ["0.0.0.0/0"] } }] },
  });
  new cloudinfra.FirewallDevice(name("web"), { firewallId: wall.id, entityId: web.id });
  new cloudinfra.Firewall(name("inner"), { label: name("inner"), rules: policies, devices: { computes: [db.id] }, tags });
  const balancer = new cloudinfra.NodeBalancer(name("front"), { label: name("front"), region, clientConnThrottle: edit ? 5 : 0 });
  const port = new cloudinfra.NodeBalancerConfig(name("http"), { nodebalancerId: balancer.id, port: 80, protocol: "http" });
  new cloudinfra.NodeBalancerNode(name("backend"), {
    nodebalancerId: balancer.id, configId: port.id, label: name("backend"), weight: edit ? 50 : 100,
    address: web.ipv4.apply((all) => all.find((address) => address.startsWith("192.168.")) + ":80"),
  });
  for (let n = 0; n < 4; n++)
    new cloudinfra.DomainRecord(name("record" + n), { domainId: zone.id, type: "A", name: name("host" + n), target: web.ipv4.apply((all) => all[0]), ttlSec: edit ? 300 : 3600 });
}`;

type Case = [parallel: number, provider: ProviderType];

const cases: Case[] = [
  [1, "dynamic"],
  [8, "dynamic"],
  [64, "dynamic"],
  [64, "native"],
];

describe("two hundred resources of mixed kinds", () => {
  test.each(forEveryChange(cases, ([, provider]) => provider === "native"))(
    "%i in parallel, %s: up, edit in place, no changes, destroy",
    { timeout: 600_000 },
    async (parallel, provider) => {
      const args = ["--parallel", String(parallel)];
      // Without this setting, Pulumi writes the whole state after each operation, which would take longer than the
      // operations.
      const env = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
      await using box = await sandbox(program(), { env, native: provider === "native" });
      const up = await box.stack.up(args);
      expect(up.changes?.create).toBeGreaterThanOrEqual(200);
      await box.rewrite(program({ edit: true }));
      const edited = await box.stack.up(args);
      expect(Object.keys(edited.changes ?? {}).sort()).toEqual(["same", "update"]);
      await box.stack.refresh(["--preview-only", "--expect-no-changes", ...args]);
      await box.stack.destroy(args);
      expect(box.holds()).toEqual({});
    },
  );
});
