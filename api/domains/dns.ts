import { addressKind, canonicalAddress } from "../networking/addresses";

/** The seconds that records can be cached for. */
export const ttls = [300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200] as const;

/** What the times of a zone are when their field is 0. */
export const zoneDefaults = { expire_sec: 1209600, refresh_sec: 14400, retry_sec: 14400, ttl_sec: 86400 } as const;

/** A time of a zone as the service keeps it: the next valid value, at most the longest; 0 stays, it means the default. */
export const roundTtlUp = (seconds: number): number =>
  seconds === 0 ? 0 : (ttls.find((valid) => valid >= seconds) ?? Math.max(...ttls));

/**
 * A record's TTL as the service keeps it: the nearest valid value, the longer of two that are equally near; 0 stays, it
 * means the domain's.
 */
export const roundTtl = (seconds: number): number =>
  seconds === 0
    ? 0
    : ttls.reduce<number>(
        (best, valid) => (Math.abs(valid - seconds) <= Math.abs(best - seconds) ? valid : best),
        ttls[0],
      );

/** As the target of an A record: the IPv4 address that the request comes from. */
export const remoteAddress = "[remote_addr]";

/** Types whose target is a host name. */
export const hostTypes: ReadonlySet<string> = new Set(["NS", "MX", "CNAME", "SRV", "PTR"]);

const undotted = (name: string): string => name.replace(/\.$/, "");
const lower = (name: string): string => name.trim().toLowerCase();

/**
 * A record's name as the service keeps it: lower case and relative to the domain, empty for the domain itself.
 * It can be written `www`, `www.example.org` or `www.example.org.`, the domain itself also `@`.
 * A name that ends with a period outside of the domain keeps it: see `nameProblem`.
 */
export function canonicalName(name: string, domain: string): string {
  const given = lower(name);
  const zone = undotted(lower(domain));
  const bare = undotted(given);
  if (given === "@" || bare === zone) return "";
  return bare.endsWith(`.${zone}`) ? bare.slice(0, -zone.length - 1) : given;
}

/** What must be otherwise in a record's name; undefined when it fits the domain. */
export function nameProblem(name: string, domain: string): string | undefined {
  const canonical = canonicalName(name, domain);
  if (canonical.endsWith(".")) return `must lie in ${domain}, so it must not end with a period or end with ${domain}.`;
  const host = canonical.replace(/^\*(\.|$)/, "");
  return host === "" || isDotted(host)
    ? undefined
    : "must be labels of at most 63 letters, digits, dashes and underscores, joined by periods";
}

/** A service or protocol of an SRV record as the service keeps it: lower case, an underscore before, no period after. */
export const canonicalService = (service: string): string => `_${undotted(lower(service)).replace(/^_/, "")}`;

/** The name of an SRV record, made of its service and protocol; without a protocol it is TCP. */
export const srvName = (service: string, protocol?: string | null): string =>
  `${canonicalService(service)}.${canonicalService(protocol || "tcp")}`;

/**
 * A record's target as the service keeps it, so that equal targets compare equal: addresses in their shortest form,
 * host names in lower case without the last period, an SRV record's bare label completed with the domain, texts as they are.
 */
export function canonicalTarget(type: string, target: string, domain: string): string {
  if (type === "A" || type === "AAAA") return canonicalAddress(target.trim()) ?? target;
  if (!hostTypes.has(type)) return target;
  const host = lower(target);
  return type === "SRV" && host && !host.includes(".") ? `${host}.${undotted(lower(domain))}` : undotted(host);
}

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** Whether a name is made of DNS labels; a last period is fine, an IPv4 address is not. */
export const isHostName = (name: string): boolean => addressKind(name) === undefined && isDotted(name);

/** Labels joined by periods; reverse zones have names that look like addresses. */
const isDotted = (name: string): boolean =>
  name.length <= 255 &&
  undotted(name)
    .split(".")
    .every((part) => label.test(part));
