import { z } from "zod";
import { Created, Empty, Id, ofText, Paging, page, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import { canonicalService, MAX_NAME, ttls } from "./dns";

const Service = z.string().meta({ canonical: ofText(canonicalService), names: "service" });

export type DomainRecord = z.output<typeof DomainRecord>;
export const DomainRecord = z.strictObject({
  id: Id,
  type: z.enum(["A", "AAAA", "NS", "MX", "CNAME", "TXT", "SRV", "PTR", "CAA"]).describe("Type of the record."),
  name: z
    .string()
    .max(MAX_NAME)
    .meta({ filterable: true })
    .describe(
      "Host or subdomain in the domain. Empty for the domain itself. Generated from service and protocol for SRV records.",
    ),
  target: z
    .string()
    .describe(
      "Target of the record: an address for A and AAAA, a host name for NS, MX, CNAME, SRV and PTR, a value for TXT and CAA.",
    ),
  ttl_sec: z
    .int()
    .min(0)
    .meta({ initial: 0 })
    .describe(
      `TTL in seconds, rounded to the nearest of ${ttls.join(", ")}. If 0 or omitted, the TTL of the domain applies.`,
    ),
  priority: z
    .int()
    .min(0)
    .max(255)
    .meta({ initial: 0 })
    .describe("Priority of an MX or SRV record. The lowest is used first."),
  weight: z
    .int()
    .min(0)
    .max(65535)
    .meta({ initial: 0 })
    .describe("Weight of an SRV record among those with the same priority."),
  port: z.int().min(0).max(65535).meta({ initial: 0 }).describe("Port of an SRV record."),
  service: Service.nullable().describe(
    "Service of an SRV record, with or without a leading underscore. Required for SRV; omitted or null for all other types.",
  ),
  protocol: Service.nullable().describe(
    "Protocol of an SRV record, with or without a leading underscore. `null` means `_tcp`, as in a new record without a protocol.",
  ),
  tag: z
    .enum(["issue", "issuewild", "iodef"])
    .nullable()
    .meta({ filterable: true })
    .describe(
      "Property of a CAA record: `issue` (who can issue certificates), `issuewild` (who can issue wildcard certificates) or `iodef` (contact for violations). Required for CAA; omitted or null for all other types.",
    ),
  created: Created,
  updated: Updated,
});

const Fields = DomainRecord.omit({ id: true, created: true, updated: true }).partial();

export type DomainRecordCreate = z.output<typeof DomainRecordCreate>;
export const DomainRecordCreate = Fields.required({ type: true });

const all = "/domains/{domainId}/records";
const one = `${all}/{recordId}` as const;
const source = "part 3 · Endpoints · Domains";
const ignored = "Fields that do not apply to the type of the record are ignored and returned as 0 or null.";
const inherited = "`ttl_sec` can be 0, is returned as 0, and means the TTL of the domain.";

export const domainRecords = {
  list: {
    summary: "List the records of a domain.",
    method: "GET",
    path: all,
    scopes: ["domains:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(DomainRecord),
    source,
  },
  create: {
    summary: "Create a record in a domain.",
    method: "POST",
    path: all,
    scopes: ["domains:read_write"],
    grant: "read_write",
    body: DomainRecordCreate,
    result: DomainRecord,
    event: "dns_record_create",
    decided: [ignored, inherited],
    source,
  },
  view: {
    summary: "View a record.",
    method: "GET",
    path: one,
    scopes: ["domains:read_only"],
    grant: "read_only",
    result: DomainRecord,
    source,
  },
  update: {
    summary: "Update a record.",
    method: "PUT",
    path: one,
    scopes: ["domains:read_write"],
    grant: "read_write",
    body: Fields,
    result: DomainRecord,
    event: "dns_record_update",
    decided: [
      ignored,
      inherited,
      "If `type` changes, the record keeps only its name, target and TTL. The generated name of an SRV record is not kept.",
    ],
    source,
  },
  delete: {
    summary: "Delete a record.",
    method: "DELETE",
    path: one,
    scopes: ["domains:read_write"],
    grant: "read_write",
    result: Empty,
    event: "dns_record_delete",
    source,
  },
} satisfies Area;
