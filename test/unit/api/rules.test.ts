import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as api from "../../../api";

describe("rules", () => {
  const rule = { action: "ACCEPT", protocol: "TCP", addresses: { ipv4: ["0.0.0.0/0"] }, ports: "22" };
  const ruleset = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
  const instance = { region: "us-east", type: "g6-nanode-1" };
  const image = { ...instance, image: "compute/debian11" };
  const config = { label: "boot", devices: {} };
  const watched = { label: "Shop", service_type: "url", timeout: 10 };

  /**
   * Request bodies, each with the validation rules and the schema that are applied to it, and the names of the fields
   * for which errors are expected.
   */
  const cases: [
    name: string,
    rules: readonly api.Rule<never>[],
    schema: z.core.$ZodType,
    body: object,
    fields: string,
  ][] = [
    ["empty instance", api.instanceCreateRules, api.InstanceCreate, instance, ""],
    ["image without password", api.instanceCreateRules, api.InstanceCreate, image, "root_pass"],
    ["image with password", api.instanceCreateRules, api.InstanceCreate, { ...image, root_pass: "s3cret-word" }, ""],
    ["script without image", api.instanceCreateRules, api.InstanceCreate, { ...instance, stackscript_id: 1 }, "image"],
    [
      "backup and image",
      api.instanceCreateRules,
      api.InstanceCreate,
      { ...image, root_pass: "s3cret-word", backup_id: 1 },
      "image",
    ],
    [
      "vlan",
      api.instanceCreateRules,
      api.InstanceCreate,
      { ...instance, interfaces: [{ purpose: "vlan", label: "lan", ipam_address: "10.0.0.1/24" }] },
      "",
    ],
    [
      "vlan without label",
      api.instanceCreateRules,
      api.InstanceCreate,
      { ...instance, interfaces: [{ purpose: "vlan" }] },
      "interfaces.0.label",
    ],
    [
      "vlan without mask",
      api.instanceCreateRules,
      api.InstanceCreate,
      { ...instance, interfaces: [{ purpose: "vlan", label: "lan", ipam_address: "10.0.0.1" }] },
      "interfaces.0.ipam_address",
    ],
    [
      "public interface",
      api.instanceCreateRules,
      api.InstanceCreate,
      { ...instance, interfaces: [{ purpose: "public", label: null, ipam_address: "" }] },
      "",
    ],
    [
      "named public interface",
      api.configRules,
      api.InstanceConfigCreate,
      { ...config, interfaces: [{ purpose: "public", label: "lan" }] },
      "interfaces.0.label",
    ],
    [
      "disk and volume in one slot",
      api.configRules,
      api.InstanceConfigCreate,
      { ...config, devices: { sda: { disk_id: 1 }, sdb: { disk_id: 3, volume_id: 2 } } },
      "devices.sdb",
    ],
    [
      "one disk in two slots",
      api.configRules,
      api.InstanceConfigCreate,
      { ...config, devices: { sda: { disk_id: 1 }, sdb: { disk_id: 1 } } },
      "devices.sdb.disk_id",
    ],
    ["disk without label and image", api.diskCreateRules, api.DiskCreate, { size: 100 }, "label"],
    ["disk of an image", api.diskCreateRules, api.DiskCreate, { size: 100, image: "compute/debian11" }, "root_pass"],
    [
      "private address without region",
      api.managedServiceRules,
      api.ManagedServiceCreate,
      { ...watched, address: "http://192.168.1.1:8080/up" },
      "region",
    ],
    [
      "private IPv6 address in a region",
      api.managedServiceRules,
      api.ManagedServiceCreate,
      { ...watched, service_type: "tcp", address: "[fd00::1]:22", region: "us-east" },
      "",
    ],
    [
      "public address in a region",
      api.managedServiceRules,
      api.ManagedServiceCreate,
      { ...watched, address: "https://198.51.100.1", region: "us-east" },
      "region",
    ],
    ...["ftp://shop.example.com", "nonsense", "000", "shop.example.com:443"].map((address): (typeof cases)[number] => [
      `url check of ${address}`,
      api.managedServiceRules,
      api.ManagedServiceCreate,
      { ...watched, address },
      "address",
    ]),
    ...["http://shop.example.com", "shop.example.com", "000"].map((address): (typeof cases)[number] => [
      `tcp check of ${address}`,
      api.managedServiceRules,
      api.ManagedServiceCreate,
      { ...watched, service_type: "tcp", address },
      "address",
    ]),
    ["volume without a place", api.volumeCreateRules, api.VolumeCreate, { label: "data" }, "region"],
    ["master without email", api.domainRules, api.DomainCreate, { domain: "example.org", type: "master" }, "soa_email"],
    [
      "slave without masters",
      api.domainRules,
      api.DomainCreate,
      { domain: "example.org", type: "slave", master_ips: [] },
      "master_ips",
    ],
    [
      "slave",
      api.domainRules,
      api.DomainCreate,
      { domain: "example.org", type: "slave", master_ips: ["192.0.2.1"] },
      "",
    ],
    ["rules", api.firewallRulesetRules, api.FirewallRulesUpdate, { inbound: [rule] }, ""],
    [
      "ICMP with ports",
      api.firewallRulesetRules,
      api.FirewallRulesUpdate,
      { outbound: [{ ...rule, protocol: "ICMP" }] },
      "outbound.0.ports",
    ],
    [
      "TCP without ports",
      api.firewallRulesetRules,
      api.FirewallRulesUpdate,
      { inbound: [{ ...rule, ports: undefined }] },
      "inbound.0.ports",
    ],
    [
      "IPv6 among IPv4",
      api.firewallRulesetRules,
      api.FirewallRulesUpdate,
      { inbound: [{ ...rule, addresses: { ipv4: ["192.0.2.1", "::1"] } }] },
      "inbound.0.addresses.ipv4.1",
    ],
    [
      "255 addresses",
      api.firewallRulesetRules,
      api.FirewallRulesUpdate,
      { inbound: [{ ...rule, addresses: { ipv4: Array(200).fill("192.0.2.1"), ipv6: Array(55).fill("::1") } }] },
      "",
    ],
    [
      "256 addresses",
      api.firewallRulesetRules,
      api.FirewallRulesUpdate,
      { inbound: [{ ...rule, addresses: { ipv4: Array(200).fill("192.0.2.1"), ipv6: Array(56).fill("::1") } }] },
      "inbound.0.addresses",
    ],
    [
      "25 rules",
      api.firewallRulesetRules,
      api.FirewallRulesUpdate,
      { inbound: Array(13).fill(rule), outbound: Array(12).fill(rule) },
      "",
    ],
    [
      "26 rules",
      api.firewallRulesetRules,
      api.FirewallRulesUpdate,
      { inbound: Array(13).fill(rule), outbound: Array(13).fill(rule) },
      "outbound",
    ],
    [
      "rules of a new firewall",
      api.firewallCreateRules,
      api.FirewallCreate,
      { label: "wall", rules: { ...ruleset, inbound: [rule, rule, rule, { ...rule, ports: "0" }] } },
      "rules.inbound.3.ports",
    ],
    [
      "autoscaler with one bound",
      api.poolCreateRules,
      api.LkePoolCreate,
      { type: "g6-standard-1", count: 3, autoscaler: { enabled: true, max: 5 } },
      "autoscaler.min",
    ],
    [
      "autoscaler upside down",
      api.poolCreateRules,
      api.LkePoolCreate,
      { type: "g6-standard-1", count: 3, autoscaler: { enabled: true, min: 5, max: 4 } },
      "autoscaler.min",
    ],
    [
      "pool of a new cluster",
      api.clusterCreateRules,
      api.LkeClusterCreate,
      {
        label: "k",
        region: "us-east",
        k8s_version: "1.22",
        node_pools: [
          { type: "g6-standard-1", count: 3 },
          { type: "g6-standard-1", count: 3, autoscaler: { min: 1 } },
        ],
      },
      "node_pools.1.autoscaler.max",
    ],
  ];

  test.each(cases)("%s", (_, rules, schema, body, places) => {
    const found = api.breaches(rules as readonly api.Rule<unknown>[], z.parse(schema, body));
    expect(found.map(({ field }) => field)).toEqual(places.split(" ").filter(Boolean));
    for (const { reason } of found) expect(reason).toMatch(/^(must|is) /);
  });
});
