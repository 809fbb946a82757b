import { addressKind, canonicalAddress } from "../networking/addresses";

/** The valid TTLs in seconds. */
export const ttls = [300, 3600, 7200, 14400, 28800, 57600, 86400, 172800, 345600, 604800, 1209600, 2419200] as const;

/** Default TTL, refresh, retry and expiry time of a zone, in seconds. In the API, 0 stands for the default. */
export const zoneDefaults = { expire_sec: 1209600, refresh_sec: 14400, retry_sec: 14400, ttl_sec: 86400 } as const;

/**
 * Canonical form of a zone's TTL, refresh, retry or expiry time in seconds: the next longer valid time, or the longest
 * one if there is none. 0 means the default.
 */
export const roundTtlUp = (seconds: number): number =>
  seconds === 0 ? 0 : (ttls.find((valid) => valid >= seconds) ?? Math.max(...ttls));

/**
 * Canonical form of a record's TTL: the nearest valid value, or the longer one of two equally near. 0 means the
 * domain's TTL.
 */
export const roundTtl = (seconds: number): number =>
  seconds === 0
    ? 0
    : ttls.reduce<number>(
        (best, valid) => (Math.abs(valid - seconds) <= Math.abs(best - seconds) ? valid : best),
        ttls[0],
      );

/** Placeholder for the target of an A record, which the service replaces with the client's IPv4 address. */
export const remoteAddress = "[remote_addr]";

/** Maximum length of the name of a record in its domain. */
export const MAX_NAME = 100;

/** Types of records whose target is a host name. */
export const hostTypes: ReadonlySet<string> = new Set(["NS", "MX", "CNAME", "SRV", "PTR"]);

const undotted = (name: string): string => name.replace(/\.$/, "");
const lower = (name: string): string => name.trim().toLowerCase();

/**
 * Canonical form of a record's name: lower case and relative to the domain, empty for the domain itself. Accepts `www`,
 * `www.example.org`, `www.example.org.` and `@`. The trailing period of a name in another domain is kept, so that
 * `nameProblem` can reject the name.
 */
export function canonicalName(name: string, domain: string): string {
  const lowerName = lower(name);
  const zone = undotted(lower(domain));
  const bare = undotted(lowerName);
  if (lowerName === "@" || bare === zone) return "";
  return bare.endsWith(`.${zone}`) ? bare.slice(0, -zone.length - 1) : lowerName;
}

export function nameProblem(name: string, domain: string): string | undefined {
  const canonical = canonicalName(name, domain);
  if (canonical.endsWith("."))
    return `must be a name in ${domain}: without a period at the end, or with ${domain}. at the end`;
  const host = canonical.replace(/^\*(\.|$)/, "");
  return host === "" || isDotted(host)
    ? undefined
    : "must consist of labels of at most 63 letters, digits, dashes or underscores each, separated by periods";
}

/**
 * Canonical form of a service or protocol of an SRV record: lower case, with a leading underscore, without a trailing
 * period.
 */
export const canonicalService = (service: string): string => `_${undotted(lower(service)).replace(/^_/, "")}`;

/** The name of an SRV record, from its service and protocol. The protocol defaults to TCP. */
export const srvName = (service: string, protocol?: string | null): string =>
  `${canonicalService(service)}.${canonicalService(protocol || "tcp")}`;

/**
 * Canonical form of a record's target: addresses in their shortest form, host names in lower case without a trailing
 * period. In an SRV record, a single label such as `sip` becomes `sip.example.org`. Other targets are unchanged.
 */
export function canonicalTarget(type: string, target: string, domain: string): string {
  if (type === "A" || type === "AAAA") return canonicalAddress(target.trim()) ?? target;
  if (!hostTypes.has(type)) return target;
  const host = lower(target);
  return type === "SRV" && host && !host.includes(".") ? `${host}.${undotted(lower(domain))}` : undotted(host);
}

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** Whether a name consists of DNS labels. A trailing period is allowed. An IPv4 address is not a host name. */
export const isHostName = (name: string): boolean => addressKind(name) === undefined && isDotted(name);

/**
 * Whether a name consists of valid DNS labels joined by periods. IPv4 addresses are allowed, because names in reverse
 * zones look like them: `10.2.0.192` in `in-addr.arpa`.
 */
const isDotted = (name: string): boolean =>
  name.length <= 255 &&
  undotted(name)
    .split(".")
    .every((part) => label.test(part));
