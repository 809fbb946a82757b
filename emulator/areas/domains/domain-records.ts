import {
  applicable,
  canonicalName,
  canonicalService,
  canonicalTarget,
  DomainRecord,
  type DomainRecordCreate,
  nameProblem,
  recordRules,
  remoteAddress,
  roundTtl,
  srvName,
} from "../../../api";
import { ErrorResponse, notFound, Reasons, sentence } from "../../core/error-response";
import { entity } from "../../core/events";
import { type New, type RowOf, table } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";

export interface DomainRecordRow extends DomainRecord {
  domain_id: number;
}

export const domainRecords: AreaModule<"domainRecords", { domainRecords: DomainRecordRow }> = {
  tables: {
    domainRecords: table<DomainRecordRow>([], { refs: { domain_id: "domains" }, shape: DomainRecord }),
  },
  handlers: {
    list({ world, path }) {
      const { id } = world.domains.get(path.domainId);
      return world.domainRecords.by("domain_id", id);
    },

    create({ world, path, body: sent, address, emit }) {
      const domain = world.domains.get(path.domainId);
      if (domain.type === "slave")
        throw new ErrorResponse(
          400,
          `${domain.domain} is a slave domain: its records are copied from its master servers and cannot be changed here`,
        );
      const body = resolved(sent, address);
      rejectUnsuitable(world, domain, body);
      const record = addRecord(world, domain, body);
      emit(entity("domain", { id: domain.id, label: domain.domain }), { message: named(record, domain) });
      return record;
    },

    view: ({ world, path }) => recordOf(world, path),

    update({ world, path, body, address, emit }) {
      const before = recordOf(world, path);
      const domain = world.domains.get(path.domainId);
      const unchanged = stays(withFullName(before, domain.domain), body.type);
      const wanted = resolved({ ...unchanged, ...body, type: body.type ?? before.type }, address);
      rejectUnsuitable(world, domain, wanted, before.id);
      const record = world.domainRecords.patch(before.id, normalized(wanted, domain));
      turn(world, domain.id);
      emit(entity("domain", { id: domain.id, label: domain.domain }), { message: named(record, domain) });
      return record;
    },

    delete({ world, path, emit }) {
      const record = recordOf(world, path);
      const domain = world.domains.get(path.domainId);
      world.domainRecords.remove(record.id);
      turn(world, domain.id);
      emit(entity("domain", { id: domain.id, label: domain.domain }), { message: named(record, domain) });
      return {};
    },
  },
};

/** Adds a record in the form in which the service stores it, for example with a name relative to the domain. */
export function addRecord(
  world: World,
  domain: RowOf<"domains">,
  record: DomainRecordCreate,
): Readonly<DomainRecordRow> {
  const row = world.domainRecords.insert(normalized(record, domain));
  turn(world, domain.id);
  return row;
}

/** Increments the serial number of the domain's zone, which shows name servers that the zone has changed. */
function turn(world: World, id: number): void {
  world.domains.patch(id, { serial: world.domains.get(id).serial + 1 });
}

function recordOf(world: World, path: { domainId: number; recordId: number }): Readonly<DomainRecordRow> {
  const { id } = world.domains.get(path.domainId);
  const record = world.domainRecords.get(path.recordId);
  if (record.domain_id !== id) throw notFound();
  return record;
}

/** Replaces the placeholder `[remote_addr]` in an A record with the client's IPv4 address. */
const resolved = <R extends DomainRecordCreate>(record: R, address: string): R =>
  record.type === "A" && record.target === remoteAddress ? { ...record, target: address } : record;

/**
 * A stored record with its name as a client would send it for the domain. A name that is relative to the domain can itself
 * end with the domain, and then it would be made relative once more.
 */
export const withFullName = <R extends Readonly<DomainRecordRow>>(record: R, domain: string): R =>
  record.name === "" || record.type === "SRV" ? record : { ...record, name: `${record.name}.${domain}` };

/** The fields of a record that an update keeps. If the type changes, only the fields that all types have are kept. */
function stays(record: Readonly<DomainRecordRow>, type: DomainRecord["type"] | undefined): Partial<DomainRecordRow> {
  if (type === undefined || type === record.type) return record;
  const { name, target, ttl_sec } = record;
  return { target, ttl_sec, ...(record.type !== "SRV" && { name }) };
}

function normalized(record: DomainRecordCreate, { id, domain }: RowOf<"domains">): New<DomainRecordRow> {
  const { type, name = "", target = "", ttl_sec = 0, ...rest } = applicable(record);
  const { priority = 0, weight = 0, port = 0, tag = null } = rest;
  const srv = type === "SRV" ? { service: record.service ?? "", protocol: record.protocol || "tcp" } : undefined;
  return {
    domain_id: id,
    type,
    name: srv ? srvName(srv.service, srv.protocol) : canonicalName(name, domain),
    target: canonicalTarget(type, target, domain),
    ttl_sec: roundTtl(ttl_sec),
    priority,
    weight,
    port,
    service: srv ? canonicalService(srv.service) : null,
    protocol: srv ? canonicalService(srv.protocol) : null,
    tag,
  };
}

/** Rejects a record that is invalid for its type or conflicts with the domain's other records. */
function rejectUnsuitable(world: World, domain: RowOf<"domains">, record: DomainRecordCreate, self?: number): void {
  const problems = new Reasons();
  problems.addBreaches(recordRules, record);
  const misnamed = record.type === "SRV" ? undefined : nameProblem(record.name ?? "", domain.domain);
  if (misnamed) problems.add(sentence(misnamed), "name");
  problems.throwIfAny();
  const { type, name, target } = normalized(record, domain);
  const others = world.domainRecords.by("domain_id", domain.id).filter(({ id }) => id !== self);
  if (type === "CNAME" && name === "")
    problems.add(`Must be a name within ${domain.domain}: the domain itself cannot be an alias`, "name");
  const namesake = others.find((other) => other.name === name && (type === "CNAME" || other.type === "CNAME"));
  if (namesake)
    problems.add(
      `Record ${namesake.id} of type ${namesake.type} already has this name; a CNAME record must be the only record with its name`,
      "name",
    );
  if (type === "MX") rejectMail(others, { name, target }, problems);
  problems.throwIfAny();
}

/** Rejects an MX record next to a Null MX record, which declares that the domain does not accept mail. */
function rejectMail(
  others: readonly Readonly<DomainRecordRow>[],
  { name, target }: Pick<DomainRecord, "name" | "target">,
  problems: Reasons,
): void {
  const mail = others.filter(({ type }) => type === "MX");
  const none = mail.find((other) => other.target === "");
  if (none) problems.add(`Record ${none.id} is a Null MX; delete it before you add another MX record`, "target");
  if (target !== "") return;
  problems.addUnless(name === "", "Must be empty for a Null MX record, which is one with an empty target", "name");
  if (!none && mail.length > 0)
    problems.add(
      `A Null MX record must be the only MX record: delete the others first (${mail.map(({ id }) => id).join(", ")})`,
      "target",
    );
}

/** The type and full name of a record, as events show it: `A www.example.org`. */
const named = ({ type, name }: Readonly<DomainRecordRow>, { domain }: RowOf<"domains">): string =>
  `${type} ${name === "" ? domain : `${name}.${domain}`}`;
