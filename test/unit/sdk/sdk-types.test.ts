import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import {
  Domain,
  DomainRecord,
  Firewall,
  getAccount,
  getAccountOutput,
  getLkeKubeconfigOutput,
  getVolume,
  getVolumeOutput,
  Instance,
  LkeCluster,
  LkeNodePool,
  listVolumes,
  listVolumesOutput,
  type types,
  Volume,
} from "../../../sdk";
import * as native from "../../../sdk/native";

/** Never called, only type-checked: the line after each `@ts-expect-error` must be a type error. */
function programs() {
  const web = new Instance("web", {
    region: "eu-west",
    type: "small",
    tags: ["web"],
    interfaces: [{ purpose: "public" }],
  });
  const domain = new Domain("zone", { domain: "example.org", type: "master", soaEmail: "admin@example.org" });

  new Volume("by output", { computeId: web.id });
  new Volume("by number", { computeId: 7 });
  new Volume("by text", { computeId: "7" });
  new Volume("by promise", { computeId: Promise.resolve(7), size: undefined });
  new Volume("detached", { computeId: null, region: web.region });
  new DomainRecord("www", {
    domainId: domain.id,
    type: "A",
    name: "www",
    target: web.ipv4.apply(([first]) => first ?? ""),
  });
  new Firewall("wall", {
    rules: {
      inboundPolicy: "DROP",
      outboundPolicy: "ACCEPT",
      inbound: [{ action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: web.ipv4 } }],
    },
    devices: { computes: [web.id, 7] },
  });
  const cluster = new LkeCluster("k8s", {
    region: "eu-west",
    k8sVersion: "1.22",
    pools: { main: { type: "small", count: 3 } },
  });
  new LkeNodePool("more", { clusterId: cluster.id, type: "small", count: 1 });

  const found: Promise<types.VolumeResult> = getVolume({ volumeId: "7" });
  const label: pulumi.Output<string> = getVolumeOutput({ volumeId: web.id }, { dependsOn: [web] }).label;
  const listed: pulumi.Output<types.VolumeResult[]> = listVolumesOutput({
    filter: { label: web.label, tags: { contains: web.region }, or: [{ label: { gt: web.label } }] },
    orderBy: web.label.apply(() => "label" as const),
  }).volumes;
  const kubeconfig: pulumi.Output<string> = getLkeKubeconfigOutput({ clusterId: cluster.id }).kubeconfig;
  const access: pulumi.Output<string> = cluster.getKubeconfig().kubeconfig;
  void getAccount();
  getAccountOutput({ dependsOn: web });
  // @ts-expect-error the argument cannot contain outputs
  void getVolume({ volumeId: web.id });
  // @ts-expect-error neither id nor name is given
  void getVolume();
  // @ts-expect-error volumes can't be filtered by size
  void listVolumes({ filter: { size: 20 } });
  // @ts-expect-error volumes can't be sorted by size
  void listVolumes({ orderBy: "size" });
  // @ts-expect-error a label is not a number
  void listVolumes({ filter: { label: { gt: 20 } } });
  // @ts-expect-error the cluster is missing
  getLkeKubeconfigOutput({});

  const status: pulumi.Output<"creating" | "active" | "resizing" | "contact_support"> = new Volume("v").status;
  const computeId: pulumi.Output<number | null> = new Volume("v").computeId;
  const rule: types.FirewallRuleArgs = { action: "DROP", protocol: "ICMP", addresses: {} };

  // @ts-expect-error the input does not exist
  new Volume("v", { sice: 20 });
  // @ts-expect-error the input must be a number
  new Volume("v", { size: "20" });
  // @ts-expect-error an id is not a boolean
  new Volume("v", { computeId: true });
  // @ts-expect-error the input cannot be null
  new Volume("v", { region: null });
  // @ts-expect-error the region is missing
  new Instance("i", { type: "small" });
  // @ts-expect-error the inputs are missing
  new Instance("i");
  // @ts-expect-error the type of record does not exist
  new DomainRecord("r", { domainId: 1, type: "B" });
  // @ts-expect-error the nested field does not exist
  new Instance("i", { region: "r", type: "t", interfaces: [{ purpose: "public", port: 1 }] });
  // @ts-expect-error an output is not an input
  new Volume("v", { filesystemPath: "/dev/disk" });
  // @ts-expect-error outputs can't be assigned
  web.label = web.region;
  // @ts-expect-error volatile outputs are not in state
  web.updated;

  const provider = new native.Provider("staging", {
    url: "http://127.0.0.1:1/v4",
    token: "t",
    defaultTags: ["staging"],
  });
  const logs: native.Volume = new native.Volume("logs", { region: "us-east" }, { provider });
  const named: Promise<types.VolumeResult> = native.getVolume({ label: "logs" }, { provider });
  native.getAccountOutput({}, { provider });
  const unfiltered: Promise<{ volumes: types.VolumeResult[] }> = native.listVolumes();
  const provided: pulumi.Output<types.VolumeResult[]> = native.listVolumesOutput(undefined, { provider }).volumes;
  void native.getAccount();
  native.getAccountOutput();
  const rules: pulumi.Output<types.FirewallRulesResult> = new native.Firewall("wall", {
    rules: { inboundPolicy: "DROP", outboundPolicy: "DROP" },
  }).getRules();
  // @ts-expect-error the argument must be a number
  new native.Volume("v", { size: "20" });
  // @ts-expect-error the cluster is missing
  native.getLkeKubeconfigOutput({});
  // @ts-expect-error the cluster is missing
  native.getLkeKubeconfigOutput();
  // @ts-expect-error neither id nor name is given
  void native.getVolume();
  // @ts-expect-error volumes can't be filtered by size
  void native.listVolumes({ filter: { size: 20 } });

  return {
    logs,
    named,
    unfiltered,
    provided,
    rules,
    status,
    computeId,
    rule,
    found,
    label,
    listed,
    kubeconfig,
    access,
  };
}

void programs;

const folder = join(__dirname, "../../../sdk");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => [file, readFileSync(join(folder, file), "utf8")] as const);

/** Modules from which values may be imported. `@pulumi/pulumi` is only for types: it would load all of Pulumi's SDK. */
const siblings =
  /^(node:[a-z]+|\.\/(functions\/)?[a-z0-9-]+|\.\.\/(pulumi|types)|\.\.\/provider\/pulumi\/(handle|selection))$/;

test.each(sources)("%s imports only Node, Pulumi and its sibling files, so that programs start fast", (file, text) => {
  const imported = file === "pulumi.ts" ? /^@pulumi\/pulumi\/./ : siblings;
  for (const [, type, module] of text.matchAll(/^(?:import|export) (type )?.* from "([^"]+)"/gm))
    expect(module).toMatch(type ? /^(@pulumi\/pulumi$|\.)/ : imported);
});

test("the code that the classes share with the provider imports nothing", () => {
  expect(readFileSync(join(folder, "../provider/pulumi/handle.ts"), "utf8")).not.toMatch(/^import\b/m);
});

test.each(sources.filter(([, text]) => /^export class .* extends CustomResource/m.test(text)))(
  "%s only declares its outputs, because an initialized field would overwrite Pulumi's value",
  (_, text) => {
    const [, body = ""] = /extends CustomResource \{\n([\s\S]*?)\n {2}static get/.exec(text) ?? [];
    const fields = [...body.matchAll(/^ {2}(\w.*);$/gm)].map(([, field]) => field);
    expect(fields.length).toBeGreaterThan(0);
    for (const field of fields) expect(field).toMatch(/^declare readonly \w+: pulumi\.Output<.+>$/);
  },
);
