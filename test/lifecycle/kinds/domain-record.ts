import fc from "fast-check";
import { address, cased, host, nameIn, nothing, number, seconds } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";

export const effects: Effects<"DomainRecord"> = {
  domainId: "replace",
  type: ["domainRecords.update"],
  name: ["domainRecords.update"],
  target: ["domainRecords.update"],
  ttlSec: ["domainRecords.update"],
  priority: ["domainRecords.update"],
  weight: ["domainRecords.update"],
  port: ["domainRecords.update"],
  service: ["domainRecords.update"],
  protocol: ["domainRecords.update"],
  tag: ["domainRecords.update"],
};

export const found: Found = { by: "operation", within: "Domain" };

export const fixture: CreateFixture<"DomainRecord"> = async ({ api, world }) => {
  const zone = (domain: string) => api.domains.create({ body: { domain, type: "master", soa_email: "a@example.org" } });
  const [org, com] = [await zone("example.org"), await zone("example.com")];
  const srv = {
    type: "SRV",
    target: "sip.example.net",
    priority: 10,
    weight: 5,
    port: 5060,
    service: "sip",
    protocol: "tcp",
  } as const;
  const caa = { type: "CAA", name: "", target: "ca.example.net", tag: "issue" } as const;
  const mx = { type: "MX", name: "", target: "mail.example.net", priority: 10 } as const;
  return {
    base: { domainId: org.id, type: "A", name: "www", target: "198.51.100.1" },
    changes: {
      domainId: { to: com.id, read: (id) => world.domainRecords.get(id).domain_id },
      type: { to: "AAAA", along: { target: "2001:db8::1" } },
      name: [{ to: "web" }, { to: "" }],
      target: [
        { to: "198.51.100.2" },
        { before: mx, to: "mx.example.net" },
        { before: { ...mx, priority: 0 }, to: "" },
      ],
      ttlSec: [
        { to: 3600 },
        { before: { ttlSec: 3600 }, to: 300 },
        { before: { ttlSec: 3600 }, to: 0 },
        { before: { ttlSec: 0 }, to: 300 },
      ],
      priority: [
        { before: mx, to: 20 },
        { before: srv, to: 20 },
      ],
      weight: { before: srv, to: 7 },
      port: { before: srv, to: 5061 },
      service: { before: srv, to: "_sips" },
      protocol: { before: srv, to: "_udp" },
      tag: { before: caa, to: "issuewild" },
    },
    changeUnmanaged: (id) => world.domainRecords.patch(id, {}),
  };
};

export const equivalentValues: EquivalentValues = ({ domainId }) => [
  {
    inputs: { type: "AAAA", name: "www", target: "2001:db8::1", ttlSec: 7200 },
    equivalent: {
      domainId: number(domainId as number),
      name: nameIn("example.org", "www"),
      target: address("2001:db8::1"),
      ttlSec: seconds(7200, "nearest"),
      tag: nothing,
      service: nothing,
    },
  },
  {
    inputs: { type: "A", name: "" },
    equivalent: { name: fc.constantFrom("", "@", "example.org", "Example.org.", undefined) },
  },
  {
    inputs: { type: "MX", target: "mail.example.net", priority: 10 },
    equivalent: { target: host("mail.example.net"), priority: number(10) },
  },
  {
    inputs: {
      type: "SRV",
      name: undefined,
      target: "sip",
      priority: 1,
      weight: 0,
      port: 5060,
      service: "sip",
      protocol: "udp",
    },
    equivalent: {
      name: fc.constantFrom(undefined, "", "anything"),
      target: fc.oneof(cased("sip"), host("sip.example.org")),
      service: fc.constantFrom("sip", "_sip", "_SIP"),
      protocol: fc.constantFrom("udp", "_udp", "UDP"),
    },
  },
];

export const exampleEdit: ExampleEdit<"DomainRecord"> = { ttlSec: 7200 };

export const templates: Templates = {
  DomainRecord: {
    needs: { domain: "Domain" },
    skip: ["domainId"],
    inputs: (roles, { name, edited: value }) => ({
      domainId: id(roles, "domain"),
      // The records of a domain need different names or targets. Equal records could not be assigned to their resources
      // after an interrupted create.
      ...(value.type === "SRV"
        ? { target: `${name}.example.net` }
        : // An empty target would declare a Null MX, and a domain with a Null MX cannot have other MX records.
          { name: `${value.name || "at"}-${name}`, target: value.target || "mail.example.net" }),
    }),
  },
};
