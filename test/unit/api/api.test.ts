import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as api from "../../../api";

const all = Object.entries(api.operations as Record<string, api.Area>).flatMap(([area, operations]) =>
  Object.entries(operations).map(([name, operation]) => ({ name: `${area}.${name}`, operation })),
);

/** Every field of a schema, however deep, with the path to it. */
function fields(schema: z.core.$ZodType, path = ""): [path: string, field: z.core.$ZodType][] {
  const inner = api.unwrapped(schema);
  if (inner !== schema) return fields(inner, path);
  if (schema instanceof z.core.$ZodArray) return fields(schema._zod.def.element, `${path}[]`);
  return Object.entries(api.fieldsOf(schema)).flatMap(([name, field]) => {
    const at = path ? `${path}.${name}` : name;
    return [[at, field] as [string, z.core.$ZodType], ...fields(field, at)];
  });
}

describe("operations", () => {
  test("have a method and path of their own", () => {
    const places = all.map(({ operation: { method, path } }) => `${method} ${path}`);
    expect(places.filter((place, i) => places.indexOf(place) !== i)).toEqual([]);
  });

  test.each(all)("$name is well formed", ({ operation }) => {
    const { summary, method, path, params = {}, source } = operation;
    expect(summary).toMatch(/^[A-Z].*\.$/);
    expect(source).toMatch(/^part [123] · /);
    expect(Object.keys(params).filter((name) => !api.pathNames(path).includes(name))).toEqual([]);
    expect(method === "GET" && "body" in operation).toBe(false);
  });

  test("that list take a page", () => {
    const lists = all.filter(({ operation }) => "results" in api.fieldsOf(operation.result));
    expect(lists.filter(({ operation }) => operation.query !== api.Paging).map(({ name }) => name)).toEqual([]);
  });

  test("that only look need no more than to look, except where the documents say so", () => {
    const eager = all.filter(
      ({ operation: { method, scopes } }) => method === "GET" && scopes.some((scope) => scope.endsWith(":read_write")),
    );
    expect(eager.map(({ name }) => name)).toEqual([
      "lkeClusters.viewKubeconfig",
      "lkeNodes.view",
      "managedContacts.view",
      "managedCredentials.view",
      "nodeBalancerNodes.view",
    ]);
  });

  test("that change need more than to look, except where the documents say so", () => {
    const lax = all.filter(
      ({ operation: { method, scopes } }) => method !== "GET" && !scopes.some((scope) => scope.endsWith(":read_write")),
    );
    expect(lax.map(({ name }) => name)).toEqual([
      "account.addPromoCredit",
      "events.markRead",
      "events.markSeen",
      "paymentMethods.delete",
    ]);
  });

  test("that update change nothing that is left out", () => {
    const updates = all.filter(
      ({ operation: { method, body } }) => method === "PUT" && !(body && api.contentTypeOf(body)),
    );
    const parsed = updates.map(({ name, operation }) => ({ name, ...z.safeParse(operation.body ?? api.Empty, {}) }));
    for (const { name, success, data } of parsed) if (success) expect(data, name).toEqual({});
    // The documents have these say everything each time.
    const demanding = parsed.filter(({ success }) => !success).map(({ name }) => name);
    expect(demanding).toEqual(["objectStorageObjects.updateAcl"]);
  });

  test("refuse fields that nobody knows, at every depth", () => {
    const loose = all
      .flatMap(({ name, operation: { body } }) => (body ? [[name, body] as const, ...fields(body)] : []))
      .filter(([, schema]) => {
        const inner = api.innerOf(schema);
        return inner instanceof z.core.$ZodObject && inner._zod.def.catchall?._zod.def.type !== "never";
      });
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  test("describe every field that a caller can send", () => {
    const bodies = all.flatMap(({ name, operation: { body } }) =>
      body ? fields(body).map(([path, field]) => [`${name}: ${path}`, field] as const) : [],
    );
    const mute = bodies.filter(
      ([, field]) => !api.metaOf(field).description && !(api.innerOf(field) instanceof z.core.$ZodEnum),
    );
    expect(mute.map(([path]) => path)).toEqual([]);
  });

  test("know their secrets", () => {
    const secrets = all.flatMap(({ operation: { body, result } }) =>
      [body, result]
        .flatMap((schema) => (schema ? fields(schema) : []))
        .filter(([, field]) => api.metaOf(field).secret),
    );
    expect([...new Set(secrets.map(([path]) => path.replace(/^.*\./, "")))].sort()).toEqual([
      "card_number",
      "cvv",
      "kubeconfig",
      "password",
      "private_key",
      "root_pass",
      "secret",
      "secret_key",
      "ssl_cert",
      "ssl_key",
      "stackscript_data",
      "token",
      "upload_to",
      "url",
      "username",
    ]);
  });
});

/** Filterable fields of each record, as the service publishes them. */
const filterable: [name: string, record: z.core.$ZodType, fields: string][] = [
  ["Account", api.Account, ""],
  ["DomainRecord", api.DomainRecord, "tag"],
  ["Domain", api.Domain, "domain group tags"],
  ["Event", api.Event, "id action created entity.id entity.type"],
  ["FirewallDevice", api.FirewallDevice, "id created updated"],
  ["Firewall", api.Firewall, "id label tags created updated"],
  ["Image", api.Image, "label type is_public deprecated vendor size"],
  ["Backup", api.Backup, ""],
  ["InstanceConfig", api.InstanceConfig, "label interfaces[].label"],
  ["Disk", api.Disk, "label size"],
  ["Instance", api.Instance, "id label group region image ipv4 tags"],
  ["Invoice", api.Invoice, ""],
  ["InvoiceItem", api.InvoiceItem, ""],
  ["IPAddress", api.IPAddress, "region"],
  ["IPv6Pool", api.IPv6Pool, "region"],
  ["IPv6Range", api.IPv6Range, ""],
  ["Kernel", api.Kernel, "label version architecture kvm xen pvops deprecated"],
  ["LkeCluster", api.LkeCluster, "tags"],
  ["LkePool", api.LkePool, "id tags"],
  ["LkeVersion", api.LkeVersion, ""],
  ["Login", api.Login, ""],
  ["Maintenance", api.Maintenance, "type status when"],
  ["Notification", api.Notification, ""],
  ["ManagedComputeSettings", api.ManagedComputeSettings, ""],
  ["ManagedContact", api.ManagedContact, "group"],
  ["ManagedCredential", api.ManagedCredential, ""],
  ["ManagedIssue", api.ManagedIssue, ""],
  ["ManagedService", api.ManagedService, ""],
  ["OAuthClient", api.OAuthClient, "label public"],
  ["EntityTransfer", api.EntityTransfer, "status is_sender"],
  ["NodeBalancerConfig", api.NodeBalancerConfig, ""],
  ["NodeBalancerNode", api.NodeBalancerNode, ""],
  ["NodeBalancer", api.NodeBalancer, "label region ipv4 tags"],
  ["ObjectStorageBucket", api.ObjectStorageBucket, ""],
  ["ObjectStorageCluster", api.ObjectStorageCluster, ""],
  ["ObjectStorageKey", api.ObjectStorageKey, ""],
  ["ObjectStorageObject", api.ObjectStorageObject, ""],
  ["Payment", api.Payment, ""],
  ["PaymentMethod", api.PaymentMethod, ""],
  ["Region", api.Region, ""],
  ["InstanceType", api.InstanceType, "label class disk memory vcpus gpus network_out transfer"],
  ["Vlan", api.Vlan, "label region"],
  ["Volume", api.Volume, "label tags"],
];

test.each(filterable)("%s can be filtered by the published fields", (_, record, names) => {
  const found = fields(record).filter(
    ([path, field]) => api.metaOf(field).filterable && !path.startsWith("secondary_entity"),
  );
  expect(found.map(([path]) => path)).toEqual(names.split(" ").filter(Boolean));
});

test("meta survives what is put round a field", () => {
  expect(api.metaOf(api.InstanceRebuild.shape.root_pass).secret).toBe(true);
  expect(api.metaOf(api.InstanceConfigCreate.shape.kernel).catalogue).toBe("kernels");
  expect(api.metaOf(api.operations.images.view.params.imageId)).toMatchObject({ catalogue: "images", slashes: true });
});

describe("labels", () => {
  test.each([
    ["instance", api.InstanceLabel, "web-1.example_a", true],
    ["instance", api.InstanceLabel, "1web", false],
    ["instance", api.InstanceLabel, "we", false],
    ["instance", api.InstanceLabel, "a..b", false],
    ["instance", api.InstanceLabel, "a--b", false],
    ["instance", api.InstanceLabel, "a-_b", true],
    ["instance", api.InstanceLabel, "web\n", false],
    ["instance", api.InstanceLabel, "w".repeat(33), false],
    ["firewall", api.FirewallLabel, "1-fire.wall_2", true],
    ["firewall", api.FirewallLabel, "fire-", false],
    ["firewall", api.FirewallLabel, "-fire", false],
    ["firewall", api.FirewallLabel, "fi__re", false],
    ["volume", api.VolumeLabel, "v", true],
    ["volume", api.VolumeLabel, "v--1", false],
    ["volume", api.VolumeLabel, "v.1", false],
    ["cluster", api.ClusterLabel, "Käse 日本", true],
    ["cluster", api.ClusterLabel, "party 🎉", false],
    ["cluster", api.ClusterLabel, "", false],
    ["domain", api.DomainName, "example.org", true],
    ["domain", api.DomainName, "*.sub_1.example.co.uk", true],
    ["domain", api.DomainName, "example.xn--p1ai", true],
    ["domain", api.DomainName, "example", false],
    ["domain", api.DomainName, `${"a".repeat(64)}.org`, false],
    ["domain", api.DomainName, "example.org\n", false],
    ["bucket", api.BucketLabel, "0-photos", true],
    ["bucket", api.BucketLabel, "ph", false],
    ["bucket", api.BucketLabel, "p".repeat(63), true],
    ["bucket", api.BucketLabel, "p".repeat(64), false],
    ["bucket", api.BucketLabel, "-photos", false],
    ["bucket", api.BucketLabel, "Photos", false],
    ["bucket", api.BucketLabel, "my.photos", false],
    ["bucket", api.BucketLabel, "photos\n", false],
    ["object", api.ObjectName, "2022//Käse 🎉..jpg", true],
    ["object", api.ObjectName, "a/../b", false],
    ["object", api.ObjectName, ".", false],
    ["object", api.ObjectName, "a\u0000b", false],
    ["object", api.ObjectName, "\ud83c", false],
    ["object", api.ObjectName, "ä".repeat(512), true],
    ["object", api.ObjectName, "ä".repeat(513), false],
    ["version", api.LkeVersionId, "1.22", true],
    ["version", api.LkeVersionId, "1.22.3", false],
  ])("of a %s: %j", (_, schema, label, fine) => {
    expect(schema.safeParse(label).success).toBe(fine);
  });
});

describe("addresses", () => {
  test.each([
    ["2001:0db8::00/32", "2001:db8::/32"],
    ["2001:DB8::1/32", "2001:db8::/32"],
    ["0:0:0:0:0:0:0:0f88/128", "::f88/128"],
    ["::/0", "::/0"],
    ["::1", "::1/128"],
    ["192.0.2.17/24", "192.0.2.0/24"],
    ["192.0.2.17", "192.0.2.17/32"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["192.0.2.0/33", undefined],
    ["192.0.2.0/024", undefined],
    ["192.0.2.0/", undefined],
    ["192.0.2.0/24/1", undefined],
    ["192.0.2", undefined],
    ["192.0.02.1", undefined],
    ["0x7f.1", undefined],
    ["fe80::1%eth0", undefined],
    ["::g/64", undefined],
    ["", undefined],
  ])("network %j is %j", (text, expected) => {
    expect(api.canonicalNetwork(text)).toBe(expected);
  });

  test("a canonical network stays as it is", () => {
    const network = fc.oneof(
      fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
      fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
    );
    fc.assert(
      fc.property(network, ([ip, bits]) => {
        const once = api.canonicalNetwork(`${ip}/${bits}`);
        expect(once).toBeDefined();
        expect(api.canonicalNetwork(once as string)).toBe(once);
        expect(api.addressKind(ip)).toBe(ip.includes(":") ? "ipv6" : "ipv4");
      }),
    );
  });
});

describe("times of DNS", () => {
  test.each([
    [0, 0],
    [1, 300],
    [300, 300],
    [301, 3600],
    [86401, 172800],
    [2419200, 2419200],
    [9999999, 2419200],
  ])("of a domain: %i becomes %i", (given, kept) => {
    expect(api.roundTtlUp(given)).toBe(kept);
  });

  test.each([
    [0, 0],
    [30, 300],
    [1949, 300],
    [1950, 3600],
    [1951, 3600],
    [5400, 7200],
    [5399, 3600],
    [100000, 86400],
    [9999999, 2419200],
  ])("of a record: %i becomes %i", (given, kept) => {
    expect(api.roundTtl(given)).toBe(kept);
  });

  test("a rounded time stays as it is", () => {
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        for (const round of [api.roundTtl, api.roundTtlUp]) expect(round(round(seconds))).toBe(round(seconds));
      }),
    );
  });
});

describe("names of DNS", () => {
  test.each([
    ["", ""],
    ["@", ""],
    ["example.org", ""],
    ["Example.ORG.", ""],
    ["www", "www"],
    ["WWW.example.org", "www"],
    ["www.example.org.", "www"],
    ["a.b", "a.b"],
    ["notexample.org", "notexample.org"],
    ["*.dev", "*.dev"],
    ["www.example.com.", "www.example.com."],
  ])("%j in example.org is %j", (name, expected) => {
    expect(api.canonicalName(name, "example.org")).toBe(expected);
    expect(api.canonicalName(expected, "example.org.")).toBe(expected);
  });

  test.each([
    ["", undefined],
    ["*", undefined],
    ["*.dev", undefined],
    ["_dmarc", undefined],
    ["www.example.org.", undefined],
    ["www.example.com.", /must lie in example\.org/],
    ["a..b", /must be labels/],
    ["-a", /must be labels/],
    ["a b", /must be labels/],
    ["a".repeat(64), /must be labels/],
  ])("%j in example.org: %s", (name, problem) => {
    const reason = api.nameProblem(name, "example.org");
    if (problem) expect(reason).toMatch(problem);
    else expect(reason).toBeUndefined();
  });

  test.each([
    ["sip", null, "_sip._tcp"],
    ["_sip", "udp", "_sip._udp"],
    ["_SIP.", "_UDP", "_sip._udp"],
  ])("service %j over %j is %j", (service, protocol, expected) => {
    expect(api.srvName(service, protocol)).toBe(expected);
  });

  test.each([
    ["A", "192.0.2.1", "192.0.2.1"],
    ["A", "[remote_addr]", "[remote_addr]"],
    ["AAAA", "2001:0DB8::0:1", "2001:db8::1"],
    ["CNAME", "WWW.Example.com.", "www.example.com"],
    ["MX", "", ""],
    ["SRV", "sip", "sip.example.org"],
    ["SRV", "sip.example.com.", "sip.example.com"],
    ["TXT", "V=SPF1 -all.", "V=SPF1 -all."],
    ["CAA", "https://CA.example/", "https://CA.example/"],
  ])("target of %s: %j is %j", (type, target, expected) => {
    expect(api.canonicalTarget(type, target, "example.org")).toBe(expected);
    expect(api.canonicalTarget(type, expected, "example.org")).toBe(expected);
  });
});

describe("ports", () => {
  test.each([
    ["22", undefined],
    ["22,80, 443", undefined],
    ["8000-8999", undefined],
    ["1-65535", undefined],
    ["", /not ""/],
    ["0", /not "0"/],
    ["080", /leading zeroes, not "080"/],
    ["65536", /1 to 65535, not "65536"/],
    ["80-70", /above their start, not "80-70"/],
    ["80-80", /above their start/],
    ["22,  80", /not " 80"/],
    ["22 ,80", /not "22 "/],
    ["22,", /not ""/],
    ["1-2-3", /not "1-2-3"/],
    ["http", /not "http"/],
    ["1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", undefined],
    ["1,2,3,4,5,6,7,8,9,10,11,12,13,14-15", undefined],
    ["1,2,3,4,5,6,7,8,9,10,11,12,13,14,15-16", /at most 15 pieces, not 16/],
  ])("%j: %s", (ports, problem) => {
    const reason = api.portProblem(ports);
    if (problem) expect(reason).toMatch(problem);
    else expect(reason).toBeUndefined();
  });

  test("compare by what they name", () => {
    expect(api.canonicalPorts("443,80, 22,80")).toBe("22, 80, 443");
  });
});

test("device slots are all shown", () => {
  const devices = api.Devices.parse({ sda: { disk_id: 7 } });
  expect(Object.keys(api.allDevices(devices))).toEqual([...api.deviceNames]);
  expect(api.allDevices(devices)).toMatchObject({ sda: { disk_id: 7, volume_id: null }, sdh: { disk_id: null } });
});

describe("rules", () => {
  const rule = { action: "ACCEPT", protocol: "TCP", addresses: { ipv4: ["0.0.0.0/0"] }, ports: "22" };
  const ruleset = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
  const instance = { region: "us-east", type: "g6-nanode-1" };
  const image = { ...instance, image: "compute/debian11" };
  const config = { label: "boot", devices: {} };
  const watched = { label: "Shop", service_type: "url", timeout: 10 };
  const srv = { type: "SRV", target: "sip", priority: 0, weight: 0, port: 5060, service: "sip" };

  /** A body, the rules for it, and the places that they find wrong. */
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
      { ...watched, address: "[fd00::1]:22", region: "us-east" },
      "",
    ],
    [
      "public address in a region",
      api.managedServiceRules,
      api.ManagedServiceCreate,
      { ...watched, address: "198.51.100.1", region: "us-east" },
      "region",
    ],
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
    ["A", api.recordRules, api.DomainRecordCreate, { type: "A", target: "192.0.2.1" }, ""],
    ["A of the caller", api.recordRules, api.DomainRecordCreate, { type: "A", target: "[remote_addr]" }, ""],
    ["A without target", api.recordRules, api.DomainRecordCreate, { type: "A" }, "target"],
    ["A with a period", api.recordRules, api.DomainRecordCreate, { type: "A", target: "192.0.2.1." }, "target"],
    [
      "A with zeros of other types",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "A", target: "192.0.2.1", priority: 0, weight: 0, port: 0, service: null, protocol: null, tag: null },
      "",
    ],
    ["A with a port", api.recordRules, api.DomainRecordCreate, { type: "A", target: "192.0.2.1", port: 80 }, ""],
    [
      "A with a port in a program",
      api.recordInputRules,
      api.DomainRecordCreate,
      { type: "A", target: "192.0.2.1", port: 80 },
      "port",
    ],
    ["AAAA of IPv4", api.recordRules, api.DomainRecordCreate, { type: "AAAA", target: "192.0.2.1" }, "target"],
    ["NS", api.recordRules, api.DomainRecordCreate, { type: "NS", target: "ns1.example.com." }, ""],
    [
      "CNAME of the domain itself",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "CNAME", name: "", target: "example.com" },
      "name",
    ],
    [
      "CNAME to a bare label",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "CNAME", name: "www", target: "web" },
      "target",
    ],
    ["Null MX", api.recordRules, api.DomainRecordCreate, { type: "MX", target: "" }, ""],
    [
      "Null MX with priority",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "MX", target: "", priority: 10 },
      "priority",
    ],
    ["MX to an address", api.recordRules, api.DomainRecordCreate, { type: "MX", target: "192.0.2.1" }, "target"],
    ["SRV", api.recordRules, api.DomainRecordCreate, srv, ""],
    [
      "SRV with nothing",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "SRV" },
      "target priority weight port service",
    ],
    ["CAA", api.recordRules, api.DomainRecordCreate, { type: "CAA", tag: "issue", target: "letsencrypt.org" }, ""],
    ["CAA for nobody", api.recordRules, api.DomainRecordCreate, { type: "CAA", tag: "issuewild", target: ";" }, ""],
    [
      "CAA with a period",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "CAA", tag: "issue", target: "letsencrypt.org." },
      "target",
    ],
    [
      "CAA to mail",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "CAA", tag: "iodef", target: "mailto:a@example.org" },
      "",
    ],
    [
      "CAA to a host",
      api.recordRules,
      api.DomainRecordCreate,
      { type: "CAA", tag: "iodef", target: "example.org" },
      "target",
    ],
    ["CAA without tag", api.recordRules, api.DomainRecordCreate, { type: "CAA", target: "letsencrypt.org" }, "tag"],
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
