import { z } from "zod";
import { Created, Empty, Id, ofText, Paging, page, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import { canonicalService } from "./dns";

const Service = z.string().meta({ canonical: ofText(canonicalService) });

export type DomainRecord = z.output<typeof DomainRecord>;
/** A resource record of a domain. */
export const DomainRecord = z.strictObject({
  id: Id,
  type: z.enum(["A", "AAAA", "NS", "MX", "CNAME", "TXT", "SRV", "PTR", "CAA"]).describe("What the record says."),
  name: z
    .string()
    .max(100)
    .describe(
      "Host or subdomain within the domain, empty for the domain itself; an SRV record's is made of its service and protocol.",
    ),
  target: z
    .string()
    .describe(
      "What the name leads to: an address for A and AAAA, a host for NS, MX, CNAME, SRV and PTR, a value for TXT and CAA.",
    ),
  ttl_sec: z
    .int()
    .min(0)
    .describe(
      "Time that answers are cached, in seconds, rounded to the nearest valid value; 0, or none, stands for the domain's.",
    ),
  priority: z.int().min(0).max(255).describe("Order among MX or SRV records, lowest first."),
  weight: z.int().min(0).max(65535).describe("Share among SRV records of the same priority."),
  port: z.int().min(0).max(65535).describe("Port of the service of an SRV record."),
  service: Service.nullable().describe("Service of an SRV record, with or without its underscore."),
  protocol: Service.nullable().describe("Protocol of an SRV record, with or without its underscore."),
  tag: z
    .enum(["issue", "issuewild", "iodef"])
    .nullable()
    .meta({ filterable: true })
    .describe("What a CAA record says: who may issue certificates or wildcard ones, or whom to tell."),
  created: Created,
  updated: Updated,
});

const Fields = DomainRecord.omit({ id: true, created: true, updated: true }).partial();

export type DomainRecordCreate = z.output<typeof DomainRecordCreate>;
export const DomainRecordCreate = Fields.required({ type: true });

const all = "/domains/{domainId}/records";
const one = `${all}/{recordId}` as const;
const source = "part 3 · Endpoints · Domains";
const ignored = "Fields that do not apply to the type of the record are ignored; it is shown with 0 or null in them.";

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
    summary: "Add a record to a domain.",
    method: "POST",
    path: all,
    scopes: ["domains:read_write"],
    grant: "read_write",
    body: DomainRecordCreate,
    result: DomainRecord,
    event: "dns_record_create",
    decided: [ignored],
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
    summary: "Change a record.",
    method: "PUT",
    path: one,
    scopes: ["domains:read_write"],
    grant: "read_write",
    body: Fields,
    result: DomainRecord,
    event: "dns_record_update",
    decided: [ignored],
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
