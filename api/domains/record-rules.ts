import { addressKind } from "../networking/addresses";
import type { Rule } from "../schema/rule";
import { isHostName, MAX_NAME, remoteAddress, srvName } from "./dns";
import type { DomainRecordCreate } from "./domain-records";

type Type = DomainRecordCreate["type"];
/** Returns the problem with a record's target, or undefined if the target is valid. */
type Check = (target: string) => string | undefined;

const name: Check = (target) => (isHostName(target) ? undefined : "must be a host name like mail.example.org");
const fullName: Check = (target) =>
  /[^.]\.[^.]/.test(target) ? name(target) : "must be a full host name like mail.example.org";

/** The check of the target for each type of record. For CAA records, it depends on the tag. */
const targets: Record<Exclude<Type, "CAA">, Check> = {
  A: (target) =>
    addressKind(target) === "ipv4" || target === remoteAddress
      ? undefined
      : `must be an IPv4 address, or ${remoteAddress} for the address of the client`,
  AAAA: (target) => (addressKind(target) === "ipv6" ? undefined : "must be an IPv6 address"),
  NS: fullName,
  MX: (target) => (target === "" ? undefined : fullName(target)),
  CNAME: fullName,
  TXT: (target) => (target === "" ? "must not be empty" : undefined),
  SRV: name,
  PTR: fullName,
};

/**
 * The target of a CAA record: a certificate authority's domain, with optional parameters after a semicolon. A semicolon
 * alone means that no authority is allowed.
 */
const issuer: Check = (target) => {
  const [domain = "", ...parameters] = target.split(";").map((part) => part.trim());
  const fine = domain === "" ? parameters.length > 0 : isHostName(domain) && !domain.endsWith(".");
  return fine ? undefined : "must be the domain of a certificate authority, without a period at the end";
};

const tags: Record<NonNullable<DomainRecordCreate["tag"]>, Check> = {
  issue: issuer,
  issuewild: issuer,
  iodef: (target) =>
    /^(https?:\/\/|mailto:)\S*[^\s.]$/.test(target)
      ? undefined
      : "must be an http or mailto URL, without a period at the end",
};

const needed: Partial<Record<Type, readonly (keyof DomainRecordCreate)[]>> = {
  CNAME: ["name"],
  SRV: ["priority", "weight", "port", "service"],
  CAA: ["tag"],
};

/** Fields that only records of some types have. */
const reserved = {
  priority: ["MX", "SRV"],
  weight: ["SRV"],
  port: ["SRV"],
  service: ["SRV"],
  protocol: ["SRV"],
  tag: ["CAA"],
} as const satisfies Partial<Record<keyof DomainRecordCreate, readonly Type[]>>;

const reservedFields = Object.keys(reserved) as (keyof typeof reserved)[];
const hasField = (type: Type, field: keyof typeof reserved): boolean =>
  (reserved[field] as readonly Type[]).includes(type);

/** Removes the fields that records of this type do not have, because the service ignores them. */
export function applicable(record: DomainRecordCreate): DomainRecordCreate {
  const rest = { ...record };
  for (const field of reservedFields) if (!hasField(record.type, field)) delete rest[field];
  return rest;
}

const source = "part 3 · Resources · Domain record";

/**
 * Rules that depend on the type of a record. For an update, they are applied to the record as it would be afterwards.
 */
export const recordRules: Rule<DomainRecordCreate>[] = [
  {
    reads: ["type", "target", "tag"],
    *check({ type, target, tag }) {
      const check = type !== "CAA" ? targets[type] : tag ? tags[tag] : undefined;
      const reason = target === undefined ? `is required for a record of type ${type}` : check?.(target);
      if (reason) yield { field: "target", reason };
    },
    source,
  },
  {
    reads: ["type", "name", "priority", "weight", "port", "service", "tag"],
    *check(record) {
      for (const field of needed[record.type] ?? [])
        if (record[field] === undefined || record[field] === null || record[field] === "")
          yield { field, reason: `is required for a record of type ${record.type}` };
    },
    source,
  },
  {
    reads: ["type", "service", "protocol"],
    *check({ type, service, protocol }) {
      const { length } = type === "SRV" && service ? srvName(service, protocol) : "";
      if (length > MAX_NAME)
        yield {
          field: "service",
          reason: `must be shorter: with the protocol, the name of the record has ${length} characters, and at most ${MAX_NAME} are allowed`,
        };
    },
    source,
  },
  {
    reads: ["type", "target", "priority"],
    *check({ type, target, priority }) {
      if (type === "MX" && target === "" && priority)
        yield { field: "priority", reason: "must be 0 for a Null MX record, which is one with an empty target" };
    },
    source,
  },
];

/**
 * Rules for records in Pulumi programs. In addition to `recordRules`, they reject fields that the record's type does
 * not have, such as `port` in an A record: the service ignores these, so every refresh would report drift.
 */
export const recordInputRules: Rule<DomainRecordCreate>[] = [
  ...recordRules,
  {
    reads: ["type", ...reservedFields],
    *check(record) {
      for (const field of reservedFields)
        if (record[field] && !hasField(record.type, field))
          yield {
            field,
            reason: `must be omitted for a record of type ${record.type}; only ${reserved[field].join(" and ")} records have it`,
          };
    },
    source,
  },
];
