import { z } from "zod";
import {
  addressKind,
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
import { resource } from "../engine/definition";
import { pick } from "../engine/values";

interface Addressed {
  type?: string | undefined;
  target?: string | undefined;
}

/** Whether the current target is an address and the placeholder is declared, which the service replaces with one. */
const getsAddress = (declared: Addressed, { target = "" }: Addressed): boolean =>
  declared.type === "A" && declared.target === remoteAddress && addressKind(target) === "ipv4";

/** An empty text means the same as null, which the API returns for records of other types than SRV. */
const serviceOrNull = (service: string): string | null => (service === "" ? null : canonicalService(service));

export const domainRecord = resource({
  name: "DomainRecord",
  summary: "Manages a DNS record of a domain.",
  elsewhere: { terraform: "linode_domain_record", pulumi: "DomainRecord" },
  inputs: DomainRecordCreate.extend({ domain_id: Id.describe("Domain that the record belongs to.") }),
  outputs: DomainRecord.extend({
    zone: z.string().describe("Name of the domain."),
    fqdn: z.string().describe("Fully qualified name of the record."),
  }),
  identity: {
    area: "domainRecords",
    parents: { domain_id: "domainId" },
    displayName: ({ type, fqdn }) => type && fqdn && `${type} record of ${fqdn}`,
    async extend({ host, path: { domainId }, state }, record) {
      const domain = await host.reads.view("domains", { domainId }, { age: "any" });
      if (!domain) return undefined;
      const zone = domain.domain ?? state.zone ?? "";
      // The API returns the address by which the service has replaced the placeholder.
      const target = getsAddress(state, record) ? remoteAddress : record.target;
      return { ...record, target, zone, fqdn: record.name ? `${record.name}.${zone}` : zone };
    },
    lostCreate: { match: ["domain_id", "type", "name", "target", "tag"] },
  },
  inventory: {
    file: "dns",
    list: "operation",
    title: "name",
    titleWithin: ({ name, type }, zone) => `${name ? `${name}.` : ""}${zone}-${type}`,
    known: ({ name }) => ({ fqdn: name }),
  },
  fields: {
    domain_id: "replace",
    type: { change: "edit", touches: ["name", "fqdn", "priority", "weight", "port", "service", "protocol", "tag"] },
    name: {
      change: "edit",
      touches: ["fqdn"],
      // The API returns the name relative to the domain. If it ends with the domain even so, it is completed, because it
      // would be made relative once more otherwise. That of an SRV record is generated, so the declared one stays.
      current({ name, type, zone }, want) {
        if (type === "SRV") return want.name ?? name;
        return name && zone && canonicalName(name, zone) !== name ? `${name}.${zone}` : name;
      },
      canonical: (name, { type, zone }) => (type === "SRV" ? "" : canonicalName(name, zone ?? "")),
    },
    target: {
      change: "edit",
      // In an A record, the service replaces the placeholder `[remote_addr]` with the client's address. If the program
      // declares the placeholder, every IPv4 address of the record therefore counts as equal to it.
      canonical: (target, { zone, ...declared }) =>
        getsAddress(declared, { target }) ? remoteAddress : canonicalTarget(declared.type ?? "", target, zone ?? ""),
    },
    ttl_sec: { change: "edit", round: roundTtl },
    priority: "edit",
    weight: "edit",
    port: "edit",
    service: { change: "edit", touches: ["name", "fqdn"], canonical: serviceOrNull },
    protocol: {
      change: "edit",
      touches: ["name", "fqdn"],
      canonical: serviceOrNull,
      // Null and an empty text mean the default.
      current: ({ protocol }, want) =>
        want.protocol !== undefined && !want.protocol && canonicalService(protocol ?? "") === "_tcp"
          ? want.protocol
          : protocol,
    },
    tag: "edit",
  },
  steps: {
    edit: {
      async run({ api, path, want, observed, changed, setState }) {
        // If the type changes, the API resets the fields that only some types have, and the name that it has generated for
        // an SRV record, so these fields are sent again.
        const { priority, weight, port, service, protocol, tag } = want;
        const { name } = observed.type === "SRV" ? want : changed;
        const ofType = changed.type && { name, priority, weight, port, service, protocol, tag };
        await api.domainRecords.update({ path, body: { ...changed, ...ofType } });
        setState(pick(changed, ["type", "target"]));
      },
    },
    locate: {
      // The record has an address that the program or another client has set.
      when: (observed, want) => getsAddress(want, observed),
      preview: ({ want, state }) =>
        getsAddress(want, state) ? `its target ${state.target} becomes the IPv4 address of the client` : undefined,
      async run({ api, path, setState }) {
        await api.domainRecords.update({ path, body: { target: remoteAddress } });
        setState({ target: remoteAddress });
      },
    },
  },
  checks: { rules: recordInputRules },
  async create({ api, want: { domain_id: domainId, ...body }, setState }) {
    const { id } = await api.domainRecords.create({ path: { domainId }, body });
    setState(pick(body, ["type", "target"]));
    return { domainId, recordId: id };
  },
});
