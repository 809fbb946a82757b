import { hostTypes, zoneDefaults } from "../../../api";
import type { RowOf } from "../../core/store";

/** The platform's name servers. The API documentation does not name them. */
const nameServers = [1, 2, 3, 4, 5].map((number) => `ns${number}.cloudinfra.example.`);

/** The zone as a zone file (RFC 1035), with names relative to the domain. */
export function zoneFile(domain: RowOf<"domains">, records: readonly RowOf<"domainRecords">[]): string[] {
  const { refresh_sec, retry_sec, expire_sec, ttl_sec } = zoneDefaults;
  const ttl = domain.ttl_sec || ttl_sec;
  const times = [
    domain.refresh_sec || refresh_sec,
    domain.retry_sec || retry_sec,
    domain.expire_sec || expire_sec,
    ttl,
  ];
  return [
    `; ${domain.domain} [${domain.id}]`,
    `$ORIGIN ${domain.domain}.`,
    `$TTL ${ttl}`,
    `@ IN SOA ${nameServers[0]} ${mailbox(domain.soa_email ?? "")} ${domain.serial} ${times.join(" ")}`,
    ...nameServers.map((server) => `@ IN NS ${server}`),
    ...records.map((record) =>
      [record.name || "@", record.ttl_sec || [], "IN", record.type, data(record)].flat().join(" "),
    ),
  ];
}

/** Converts an email address to a DNS name: `j.doe@example.org` becomes `j\.doe.example.org.`. */
function mailbox(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, at).replaceAll(".", "\\.")}.${email.slice(at + 1)}.`;
}

function data({ type, target, priority, weight, port, tag }: RowOf<"domainRecords">): string {
  const value = hostTypes.has(type) ? `${target}.` : target;
  if (type === "MX") return `${priority} ${value}`;
  if (type === "SRV") return `${priority} ${weight} ${port} ${value}`;
  if (type === "CAA") return `0 ${tag} ${quoted(value)}`;
  return type === "TXT" ? (value.match(/.{1,255}/gsu) ?? [""]).map(quoted).join(" ") : value;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
