import fc from "fast-check";
import { address, cased, number, seconds, setOf, tags } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";

const master_ips = ["198.51.100.1"];

export const effects: Effects<"Domain"> = {
  domain: ["domains.update"],
  type: ["domains.update"],
  status: ["domains.update"],
  description: ["domains.update"],
  group: ["domains.update"],
  soaEmail: ["domains.update"],
  masterIps: ["domains.update"],
  axfrIps: ["domains.update"],
  expireSec: ["domains.update"],
  refreshSec: ["domains.update"],
  retrySec: ["domains.update"],
  ttlSec: ["domains.update"],
  tags: ["domains.update"],
  cloneFrom: "write-only",
  importFrom: "write-only",
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"Domain"> = async ({ api, world }) => {
  const zone = (name: string) =>
    api.domains.create({ body: { domain: name, type: "master", soa_email: "a@example.org" } });
  const [first, second] = [await zone("first.example"), await zone("second.example")];
  const record = { type: "A", name: "www", target: "198.51.100.1", ttl_sec: 300 } as const;
  await api.domainRecords.create({ path: { domainId: first.id }, body: record });
  for (const nameserver of ["ns1.example.net", "ns2.example.net"]) {
    world.remoteZones.insert({ nameserver, domain: "example.org", soa_email: "b@example.org", records: [record] });
  }
  const slave = { type: "slave", masterIps: master_ips } as const;
  return {
    base: { domain: "example.org", type: "master", soaEmail: "admin@example.org" },
    changes: {
      domain: { to: "example.com" },
      type: [
        { before: { masterIps: master_ips }, to: "slave" },
        { before: slave, to: "master" },
      ],
      status: { to: "disabled" },
      description: [{ to: "The shop" }, { before: { description: "The shop" }, to: "The other shop" }],
      group: { to: "shops" },
      soaEmail: { to: "root@example.org" },
      masterIps: { before: slave, to: ["198.51.100.2", "2001:db8::2"] },
      axfrIps: [{ to: ["198.51.100.9"] }, { before: { axfrIps: ["198.51.100.9"] }, to: [] }],
      expireSec: { to: 604800 },
      refreshSec: { to: 28800 },
      retrySec: { to: 300 },
      ttlSec: [{ to: 3600 }, { before: { ttlSec: 3600 }, to: 0 }],
      tags: [{ to: ["shop", "prod"] }, { before: { tags: ["shop"] }, to: [] }],
      cloneFrom: { before: { cloneFrom: first.id }, to: second.id },
      importFrom: { before: { importFrom: "ns1.example.net" }, to: "ns2.example.net" },
    },
    changeUnmanaged: () => {},
  };
};

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: {
      tags: ["prod", "shop"],
      axfrIps: ["2001:db8::a", "198.51.100.1"],
      ttlSec: 3600,
      retrySec: 300,
      expireSec: 0,
    },
    equivalent: {
      domain: cased("example.org"),
      tags: tags(["prod", "shop"]),
      axfrIps: setOf(["2001:db8::a", "198.51.100.1"], address),
      ttlSec: seconds(3600, "up"),
      retrySec: seconds(300, "up").chain(number),
      expireSec: fc.constantFrom(0, 1209600, undefined),
      refreshSec: fc.constantFrom(0, 14400, undefined),
      status: fc.constantFrom("active", undefined),
    },
  },
];

export const exampleEdit: ExampleEdit<"Domain"> = { ttlSec: 300 };

export const templates: Templates = {
  Domain: {
    // `type`, and `masterIps` with it, are not changed: a domain cannot become a slave zone while it has records, but Pulumi
    // would delete the records only after it has updated the domain.
    skip: ["cloneFrom", "importFrom", "type", "masterIps"],
    onlyIfUnused: ["tags"], // a `Tag` adds one
    inputs: (_, { name, edited: value }) => ({ domain: `${name}.${value.domain}` }),
  },
};
