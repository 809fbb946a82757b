import { expect, test } from "vitest";
import { z } from "zod";
import * as api from "../../../api";

const rule = { action: "ACCEPT", protocol: "TCP", addresses: { ipv4: ["0.0.0.0/0"] }, ports: "22" };
const ruleset = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
const instance = { region: "us-east", type: "g6-nanode-1" };
const image = { ...instance, image: "compute/debian11" };
const config = { label: "boot", devices: {} };
const watched = { label: "Shop", service_type: "url", timeout: 10 };
const srv = { type: "SRV", target: "sip", priority: 0, weight: 0, port: 5060, service: "sip" };

/** Request bodies by name, each with the names of the fields for which errors are expected. */
type Bodies = Record<string, [body: object, fields: string]>;

/** Cases of the validation rules that apply to request bodies of one schema. */
const cases = (rules: readonly api.Rule<never>[], schema: z.core.$ZodType, bodies: Bodies) =>
  Object.entries(bodies).map(([name, [body, fields]]) => ({ name, rules, schema, body, fields }));

/** Services with the given addresses, and the field of the expected problem; empty if the addresses are valid. */
const checksOf = (service_type: string, addresses: readonly string[], field: string): Bodies =>
  Object.fromEntries(
    addresses.map((address) => [`${service_type} check of ${address}`, [{ ...watched, service_type, address }, field]]),
  );

test.each([
  ...cases(api.instanceCreateRules, api.InstanceCreate, {
    "empty instance": [instance, ""],
    "image without password": [image, "root_pass"],
    "image with password": [{ ...image, root_pass: "s3cret-word" }, ""],
    "script without image": [{ ...instance, stackscript_id: 1 }, "image"],
    "backup and image": [{ ...image, root_pass: "s3cret-word", backup_id: 1 }, "image"],
    vlan: [{ ...instance, interfaces: [{ purpose: "vlan", label: "lan", ipam_address: "10.0.0.1/24" }] }, ""],
    "vlan without label": [{ ...instance, interfaces: [{ purpose: "vlan" }] }, "interfaces.0.label"],
    "vlan without mask": [
      { ...instance, interfaces: [{ purpose: "vlan", label: "lan", ipam_address: "10.0.0.1" }] },
      "interfaces.0.ipam_address",
    ],
    "public interface": [{ ...instance, interfaces: [{ purpose: "public", label: null, ipam_address: "" }] }, ""],
  }),
  ...cases(api.configRules, api.InstanceConfigCreate, {
    "named public interface": [{ ...config, interfaces: [{ purpose: "public", label: "lan" }] }, "interfaces.0.label"],
    "disk and volume in one slot": [
      { ...config, devices: { sda: { disk_id: 1 }, sdb: { disk_id: 3, volume_id: 2 } } },
      "devices.sdb",
    ],
    "one disk in two slots": [
      { ...config, devices: { sda: { disk_id: 1 }, sdb: { disk_id: 1 } } },
      "devices.sdb.disk_id",
    ],
  }),
  ...cases(api.diskCreateRules, api.DiskCreate, {
    "disk without label and image": [{ size: 100 }, "label"],
    "disk of an image": [{ size: 100, image: "compute/debian11" }, "root_pass"],
  }),
  ...cases(api.managedServiceRules, api.ManagedServiceCreate, {
    "private address without region": [{ ...watched, address: "http://192.168.1.1:8080/up" }, "region"],
    "private IPv6 address in a region": [
      { ...watched, service_type: "tcp", address: "[fd00::1]:22", region: "us-east" },
      "",
    ],
    "public address in a region": [{ ...watched, address: "https://198.51.100.1", region: "us-east" }, "region"],
    ...checksOf("url", ["ftp://shop.example.com", "nonsense", "000", "shop.example.com:443"], "address"),
    ...checksOf("tcp", ["http://shop.example.com", "shop.example.com", "shop.example.com:443"], ""),
  }),
  ...cases(api.volumeCreateRules, api.VolumeCreate, {
    "volume without a place": [{ label: "data" }, "region"],
  }),
  ...cases(api.domainRules, api.DomainCreate, {
    "master without email": [{ domain: "example.org", type: "master" }, "soa_email"],
    "slave without masters": [{ domain: "example.org", type: "slave", master_ips: [] }, "master_ips"],
    slave: [{ domain: "example.org", type: "slave", master_ips: ["192.0.2.1"] }, ""],
  }),
  ...cases(api.firewallRulesetRules, api.FirewallRulesUpdate, {
    rules: [{ inbound: [rule] }, ""],
    "ICMP with ports": [{ outbound: [{ ...rule, protocol: "ICMP" }] }, "outbound.0.ports"],
    "TCP without ports": [{ inbound: [{ ...rule, ports: undefined }] }, "inbound.0.ports"],
    "IPv6 among IPv4": [
      { inbound: [{ ...rule, addresses: { ipv4: ["192.0.2.1", "::1"] } }] },
      "inbound.0.addresses.ipv4.1",
    ],
    "255 addresses": [
      { inbound: [{ ...rule, addresses: { ipv4: Array(200).fill("192.0.2.1"), ipv6: Array(55).fill("::1") } }] },
      "",
    ],
    "256 addresses": [
      { inbound: [{ ...rule, addresses: { ipv4: Array(200).fill("192.0.2.1"), ipv6: Array(56).fill("::1") } }] },
      "inbound.0.addresses",
    ],
    "25 rules": [{ inbound: Array(13).fill(rule), outbound: Array(12).fill(rule) }, ""],
    "26 rules": [{ inbound: Array(13).fill(rule), outbound: Array(13).fill(rule) }, "outbound"],
  }),
  ...cases(api.firewallCreateRules, api.FirewallCreate, {
    "rules of a new firewall": [
      { label: "wall", rules: { ...ruleset, inbound: [rule, rule, rule, { ...rule, ports: "0" }] } },
      "rules.inbound.3.ports",
    ],
  }),
  ...cases(api.poolCreateRules, api.LkePoolCreate, {
    "autoscaler with one bound": [
      { type: "g6-standard-1", count: 3, autoscaler: { enabled: true, max: 5 } },
      "autoscaler.min",
    ],
    "autoscaler upside down": [
      { type: "g6-standard-1", count: 3, autoscaler: { enabled: true, min: 5, max: 4 } },
      "autoscaler.min",
    ],
  }),
  ...cases(api.clusterCreateRules, api.LkeClusterCreate, {
    "pool of a new cluster": [
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
  }),
  ...cases(api.recordRules, api.DomainRecordCreate, {
    A: [{ type: "A", target: "192.0.2.1" }, ""],
    "A of the caller": [{ type: "A", target: "[remote_addr]" }, ""],
    "A without target": [{ type: "A" }, "target"],
    "A with a period": [{ type: "A", target: "192.0.2.1." }, "target"],
    "A with zeros of other types": [
      { type: "A", target: "192.0.2.1", priority: 0, weight: 0, port: 0, service: null, protocol: null, tag: null },
      "",
    ],
    "A with a port": [{ type: "A", target: "192.0.2.1", port: 80 }, ""],
    "AAAA of IPv4": [{ type: "AAAA", target: "192.0.2.1" }, "target"],
    NS: [{ type: "NS", target: "ns1.example.com." }, ""],
    "CNAME of the domain itself": [{ type: "CNAME", name: "", target: "example.com" }, "name"],
    "CNAME to a bare label": [{ type: "CNAME", name: "www", target: "web" }, "target"],
    "Null MX": [{ type: "MX", target: "" }, ""],
    "Null MX with priority": [{ type: "MX", target: "", priority: 10 }, "priority"],
    "MX to an address": [{ type: "MX", target: "192.0.2.1" }, "target"],
    SRV: [srv, ""],
    "SRV with nothing": [{ type: "SRV" }, "target priority weight port service"],
    CAA: [{ type: "CAA", tag: "issue", target: "letsencrypt.org" }, ""],
    "CAA for no issuer": [{ type: "CAA", tag: "issuewild", target: ";" }, ""],
    "CAA with a period": [{ type: "CAA", tag: "issue", target: "letsencrypt.org." }, "target"],
    "CAA to mail": [{ type: "CAA", tag: "iodef", target: "mailto:a@example.org" }, ""],
    "CAA to a host": [{ type: "CAA", tag: "iodef", target: "example.org" }, "target"],
    "CAA without tag": [{ type: "CAA", target: "letsencrypt.org" }, "tag"],
  }),
  ...cases(api.recordInputRules, api.DomainRecordCreate, {
    "A with a port in a program": [{ type: "A", target: "192.0.2.1", port: 80 }, "port"],
  }),
])("$name", ({ rules, schema, body, fields }) => {
  const found = api.breaches(rules as readonly api.Rule<unknown>[], z.parse(schema, body));
  expect(found.map(({ field }) => field)).toEqual(fields.split(" ").filter(Boolean));
  for (const { reason } of found) expect(reason).toMatch(/^(must|is) /);
});
