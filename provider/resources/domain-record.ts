import { z } from "zod";
import {
  canonicalName,
  canonicalService,
  canonicalTarget,
  DomainRecord,
  DomainRecordCreate,
  Id,
  recordInputRules,
  remoteAddress,
  roundTtl,
} from "../../api";
import { resource } from "../resource";

export const domainRecord = resource({
  kind: "DomainRecord",
  summary: "A resource record of a domain.",
  source: "part 3 · Endpoints · Domains",
  area: "domainRecords",
  inputs: DomainRecordCreate.extend({ domain_id: Id.describe("Domain that the record belongs to.") }),
  outputs: DomainRecord.extend({
    zone: z.string().describe("The domain's name."),
    fqdn: z.string().describe("Full name that the record answers for."),
  }),
  parent: { domain_id: "domainId" },
  changes: {
    domain_id: "replace",
    type: "edit",
    name: "edit",
    target: "edit",
    ttl_sec: "edit",
    priority: "edit",
    weight: "edit",
    port: "edit",
    service: "edit",
    protocol: "edit",
    tag: "edit",
  },
  steps: {
    edit: { run: ({ api, path, changed: { domain_id: _, ...body } }) => api.domainRecords.update({ path, body }) },
  },
  compare: {
    name: (name, { type, zone }) => (type === "SRV" ? "" : canonicalName(name, zone ?? "")),
    // Whatever address the service put in place of the token is what was asked for.
    target: (target, { type, zone, target: stated }) =>
      stated === remoteAddress ? stated : canonicalTarget(type ?? "", target, zone ?? ""),
    service: canonicalService,
    protocol: canonicalService,
  },
  rounds: { ttl_sec: roundTtl },
  rules: recordInputRules,
  called: ({ type, fqdn }) => type && fqdn && `${type} record of ${fqdn}`,
  key: ["domain_id", "type", "name", "target", "tag"],
  async create({ api, want: { domain_id: domainId, ...body } }) {
    const { id } = await api.domainRecords.create({ path: { domainId }, body });
    return { domainId, recordId: id };
  },
  async read({ host, path: { domainId }, was }, record) {
    const domain = await host.reads.view("domains", { domainId });
    const zone = domain?.domain ?? was.zone ?? "";
    return { ...record, zone, fqdn: record.name ? `${record.name}.${zone}` : zone };
  },
});
