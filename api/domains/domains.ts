import { z } from "zod";
import { Address } from "../networking/addresses";
import { asSet, Email, Empty, Id, ofText, Paging, page, Tags } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { ttls, zoneDefaults } from "./dns";

const name = z.string().min(1).max(255);
const asDomain = <S extends z.ZodType>(schema: S): S =>
  schema
    .meta({ canonical: ofText((domain) => domain.toLowerCase()) })
    .describe("Domain name. Must be unique on the platform.");

export const DomainName = asDomain(
  name.regex(
    /^(?=.{1,255}$)(\*\.)?([a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?\.)+([a-zA-Z]{2,63}|xn--[a-zA-Z0-9]([a-zA-Z0-9-]{0,57}[a-zA-Z0-9])?)$/,
    "must be a domain name like example.org: labels of at most 63 letters, digits, dashes or underscores each, without a dash at their ends, and a top-level domain",
  ),
);

const Addresses = z.array(Address).meta({ canonical: asSet });

const seconds = (what: string, whenZero: number) =>
  z
    .int()
    .min(0)
    .describe(`${what}, in seconds. Rounded up to the next of ${ttls.join(", ")}. 0 means ${whenZero}.`);

export type Domain = z.output<typeof Domain>;
/** A DNS zone. */
export const Domain = z.strictObject({
  id: Id,
  // Not a `DomainName`: existing domains can have names that a request cannot have any more.
  domain: asDomain(name).meta({ filterable: true }),
  type: z
    .enum(["master", "slave"])
    .describe(
      "Type of the zone: `master` (its records are managed on this platform) or `slave` (copied from other name servers).",
    ),
  status: z.enum(["disabled", "active"]).describe("Status of the domain. Name servers serve only an `active` domain."),
  description: z.string().describe("Description of the domain. Empty if not set."),
  group: z
    .string()
    .meta({ filterable: true })
    .describe("Name of the group under which user interfaces list the domain. No other effect. Empty if not set."),
  soa_email: z.string().describe("Email address of the administrator (SOA). Empty for a slave domain without one."),
  master_ips: Addresses.describe(
    "IP addresses of the servers that a slave domain is copied from. A slave domain requires at least one.",
  ),
  axfr_ips: Addresses.describe("IP addresses that are allowed to transfer the zone."),
  expire_sec: seconds("Time after which a copy expires unless it is refreshed", zoneDefaults.expire_sec),
  refresh_sec: seconds("Interval between refreshes of a copy", zoneDefaults.refresh_sec),
  retry_sec: seconds("Interval before a failed refresh is retried", zoneDefaults.retry_sec),
  ttl_sec: seconds("Default TTL of records", zoneDefaults.ttl_sec),
  tags: Tags.meta({ filterable: true }),
});

const Fields = Domain.omit({ id: true })
  .extend({
    domain: DomainName,
    description: z.string().min(1).max(255).describe("Description of the domain."),
    group: z
      .string()
      .min(1)
      .max(50)
      .describe("Name of the group under which user interfaces list the domain. No other effect."),
    soa_email: Email.describe("Email address of the administrator (SOA). Required for a master domain."),
  })
  .partial();
const { status, expire_sec, refresh_sec, retry_sec, ttl_sec } = Domain.shape;

export type DomainCreate = z.output<typeof DomainCreate>;
export const DomainCreate = Fields.required({ domain: true, type: true }).extend({
  status: status.default("active"),
  expire_sec: expire_sec.default(0),
  refresh_sec: refresh_sec.default(0),
  retry_sec: retry_sec.default(0),
  ttl_sec: ttl_sec.default(0),
});

/**
 * Rules that depend on the type of a domain. For an update, they are applied to the domain as it would be afterwards.
 */
export const domainRules: Rule<Pick<DomainCreate, "type" | "soa_email" | "master_ips">>[] = [
  {
    reads: ["type", "soa_email"],
    *check({ type, soa_email }) {
      if (type === "master" && !soa_email) yield { field: "soa_email", reason: "is required for a master domain" };
    },
    source: "part 3 · Resources · Domain",
  },
  {
    reads: ["type", "master_ips"],
    *check({ type, master_ips = [] }) {
      if (type === "slave" && master_ips.length === 0)
        yield { field: "master_ips", reason: "must contain at least one server for a slave domain" };
    },
    source: "part 3 · Resources · Domain",
  },
];

const one = "/domains/{domainId}";
const source = "part 3 · Endpoints · Domains";

export const domains = {
  list: {
    summary: "List the domains of the account.",
    method: "GET",
    path: "/domains",
    scopes: ["domains:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Domain),
    source,
  },
  create: {
    summary: "Create a domain. To delegate it, set the platform's name servers at the registrar.",
    method: "POST",
    path: "/domains",
    scopes: ["domains:read_write"],
    grant: "add_domains",
    body: DomainCreate,
    result: Domain,
    event: "dns_zone_create",
    source,
  },
  import: {
    summary: "Import a domain from another name server, which must allow the zone transfer.",
    method: "POST",
    path: "/domains/import",
    scopes: ["domains:read_write"],
    grant: "read_write",
    body: z.strictObject({
      domain: DomainName,
      remote_nameserver: z.string().min(1).describe("Name server to import from."),
    }),
    result: Domain,
    event: "dns_zone_import",
    source,
  },
  view: {
    summary: "View a domain.",
    method: "GET",
    path: one,
    scopes: ["domains:read_only"],
    grant: "read_only",
    result: Domain,
    source,
  },
  update: {
    summary: "Update a domain.",
    method: "PUT",
    path: one,
    scopes: ["domains:read_write"],
    grant: "read_write",
    body: Fields,
    result: Domain,
    event: "dns_zone_update",
    decided: ["A domain with records cannot become a `slave`: its records have to be deleted first."],
    source,
  },
  delete: {
    summary: "Delete a domain and all its records.",
    method: "DELETE",
    path: one,
    scopes: ["domains:read_write"],
    grant: "read_write",
    result: Empty,
    event: "dns_zone_delete",
    source,
  },
  clone: {
    summary: "Clone a domain, with all its settings and records, under another name.",
    method: "POST",
    path: `${one}/clone`,
    scopes: ["domains:read_write"],
    grant: "read_write",
    body: z.strictObject({ domain: DomainName }),
    result: Domain,
    event: "dns_zone_create",
    decided: ["The clone gets the tags of the source, unless the user is restricted."],
    source,
  },
  zoneFile: {
    summary: "View the zone file that was last sent to the name servers.",
    method: "GET",
    path: `${one}/zone-file`,
    scopes: ["domains:read_only"],
    grant: "read_only",
    result: z.strictObject({ zone_file: z.array(z.string()).describe("Lines of the zone file.") }),
    source,
  },
} satisfies Area;
