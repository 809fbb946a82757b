import {
  canonicalAddress,
  Domain,
  type DomainCreate,
  type DomainRecordCreate,
  domainRules,
  type Operations,
  type Received,
  roundTtlUp,
} from "../../../api";
import { Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { table } from "../../core/store";
import { grant } from "../../core/users";
import type { World } from "../../core/world";
import { allowedTags } from "../../http/account-checks";
import type { Caller } from "../../http/auth";
import type { AreaModule } from "../../http/handlers";
import { addRecord, withFullName } from "./domain-records";
import { zoneFile } from "./zone-file";

export interface DomainRow extends Domain {
  /** Serial number of the zone, which each change increments. */
  serial: number;
  /** The zone file that the name servers keep serving while the zone is disabled. */
  rendered: readonly string[];
}

/** A zone on a simulated external name server, from which `POST /domains/import` can copy the records. */
export interface RemoteZoneRow {
  id: number;
  nameserver: string;
  domain: string;
  soa_email: string;
  records: readonly DomainRecordCreate[];
}

/** Addresses from which the service requests zone transfers, as listed in the API documentation. */
const transferrers = ["96.126.114.97", "96.126.114.98", "2600:3c00::5e", "2600:3c00::5f"];

export const domains: AreaModule<"domains", { domains: DomainRow; remoteZones: RemoteZoneRow }> = {
  tables: {
    domains: table<DomainRow>([], {
      shape: Domain,
      upgrade: (row) => ({ description: "", group: "", soa_email: "", ...row }),
    }),
    remoteZones: table<RemoteZoneRow>(),
  },
  rules: { create: domainRules },
  handlers: {
    list: ({ world }) => world.domains,

    create({ world, caller, body, emit }) {
      const problems = new Reasons();
      allowedTags(caller, body.tags, []);
      rejectTaken(world, problems, body.domain);
      problems.throwIfAny();
      const domain = add(world, body);
      emit(domainEntity(domain));
      return domain;
    },

    import({ world, caller, body, emit }) {
      const problems = new Reasons();
      rejectTaken(world, problems, body.domain);
      const zone = world.remoteZones
        .by("nameserver", lower(body.remote_nameserver))
        .find(({ domain }) => domain === lower(body.domain));
      if (!zone)
        problems.add(
          `The name server rejected the transfer of ${body.domain}. Allow AXFR from ${transferrers.join(", ")}`,
          "remote_nameserver",
        );
      problems.throwIfAny();
      const { soa_email, records } = zone as Readonly<RemoteZoneRow>;
      const domain = add(world, { ...fresh, domain: body.domain, type: "master", soa_email });
      for (const record of records) addRecord(world, domain, record);
      grantTo(world, caller, domain);
      emit(domainEntity(domain));
      return domain;
    },

    view: ({ world, path }) => world.domains.get(path.domainId),

    update({ world, caller, path, body, emit }) {
      const before = world.domains.get(path.domainId);
      const { type = before.type, soa_email = before.soa_email, master_ips = before.master_ips } = body;
      const problems = new Reasons();
      const tags = allowedTags(caller, body.tags, before.tags);
      problems.addBreaches(domainRules, { type, soa_email, master_ips });
      if (body.domain !== undefined) rejectTaken(world, problems, body.domain, before.id);
      const records = type === "slave" ? world.domainRecords.by("domain_id", before.id).length : 0;
      if (records > 0)
        problems.add(
          `A slave domain cannot have its own records; delete the records of the domain first (${records})`,
          "type",
        );
      problems.throwIfAny();
      const rendered = type === "master" && body.status === "disabled" ? zoneOf(world, before) : before.rendered;
      const domain = world.domains.patch(before.id, {
        ...normalized({ ...body, tags }),
        rendered,
        serial: before.serial + 1,
      });
      emit(domainEntity(domain));
      return domain;
    },

    delete({ world, path, emit }) {
      const domain = world.domains.remove(path.domainId);
      for (const { id } of world.domainRecords.by("domain_id", domain.id)) world.domainRecords.remove(id);
      emit(domainEntity(domain));
      return {};
    },

    clone({ world, caller, path, body, emit }) {
      const { id, serial: _serial, rendered: _rendered, ...source } = world.domains.get(path.domainId);
      const problems = new Reasons();
      rejectTaken(world, problems, body.domain);
      problems.throwIfAny();
      const tags = caller.restricted ? [] : source.tags;
      const domain = add(world, { ...source, tags, domain: body.domain });
      for (const record of world.domainRecords.by("domain_id", id))
        addRecord(world, domain, withFullName(record, domain.domain));
      grantTo(world, caller, domain);
      emit(domainEntity(domain), { secondary_entity: domainEntity({ id, domain: source.domain }) });
      return domain;
    },

    zoneFile: ({ world, path }) => ({ zone_file: [...zoneOf(world, world.domains.get(path.domainId))] }),
  },
};

const domainEntity = ({ id, domain }: Pick<Domain, "id" | "domain">) => entity("domain", { id, label: domain });
const lower = (name: string): string => name.toLowerCase().replace(/\.$/, "");

const fresh = { status: "active", expire_sec: 0, refresh_sec: 0, retry_sec: 0, ttl_sec: 0 } as const;

function add(world: World, fields: DomainCreate): Readonly<DomainRow> {
  const { description = "", group = "", soa_email = "", ...rest } = normalized(fields);
  const { master_ips = [], axfr_ips = [], tags = [], ...zone } = rest;
  const set = { description, group, soa_email, master_ips, axfr_ips, tags };
  return world.domains.insert({ ...zone, ...set, serial: 1, rendered: [] });
}

/**
 * Converts the fields of a request to the form that the service stores: names in lower case, addresses without
 * duplicates, and durations such as the TTL rounded to a supported value.
 */
function normalized<F extends Received<Operations["domains"]["update"]>["body"]>(fields: F): F {
  const normal: Received<Operations["domains"]["update"]>["body"] = { ...fields };
  if (fields.domain !== undefined) normal.domain = lower(fields.domain);
  for (const list of ["master_ips", "axfr_ips"] as const)
    if (fields[list]) normal[list] = [...new Set(fields[list].map((text) => canonicalAddress(text) ?? text))];
  for (const time of ["expire_sec", "refresh_sec", "retry_sec", "ttl_sec"] as const)
    if (fields[time] !== undefined) normal[time] = roundTtlUp(fields[time]);
  return normal as F;
}

/**
 * The zone that the name servers serve. A disabled domain keeps its last zone, and the zone of a slave domain comes
 * from its masters.
 */
function zoneOf(world: World, domain: Readonly<DomainRow>): readonly string[] {
  if (domain.type === "slave") return [];
  return domain.status === "active"
    ? zoneFile(domain, world.domainRecords.by("domain_id", domain.id))
    : domain.rendered;
}

/** Rejects a domain name that exists already, because a name can exist only once on the whole platform. */
function rejectTaken(world: World, problems: Reasons, name: string, self?: number): void {
  const taken = world.domains.by("domain", lower(name)).some(({ id }) => id !== self);
  problems.addUnless(!taken, `Domain ${lower(name)} already exists`, "domain");
}

/** Grants a restricted user access to a domain that they cloned or imported. */
function grantTo(world: World, { restricted, username }: Caller, { id }: Readonly<DomainRow>): void {
  if (restricted) grant(world, username as string, "domain", id, "read_write");
}
