import { isHostName, reasons } from "../../../api";
import { ErrorResponse } from "../../core/error-response";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";

/**
 * Sets the reverse DNS name of an address. Null resets the name to the platform's default, and undefined leaves it
 * unchanged.
 */
export function rename(world: World, row: RowOf<"addresses">, rdns: string | null | undefined): RowOf<"addresses"> {
  if (rdns != null && !row.public) throw new ErrorResponse(400, "Private addresses do not have reverse DNS", "rdns");
  const name = rdns?.toLowerCase().replace(/\.$/, "");
  if (name !== undefined && !resolves(world, name, row)) throw new ErrorResponse(400, reasons.rdnsInvalid, "rdns");
  return world.addresses.patch(row.id, { rdns: rdns === null ? null : name });
}

/**
 * Whether the name resolves to the address, which the API requires (API documentation, part 3 · IP addresses and
 * VLANs). The emulator knows only the zones of the account, because it cannot query other name servers.
 */
function resolves(world: World, name: string, { id, type }: RowOf<"addresses">): boolean {
  if (!name.includes(".") || !isHostName(name)) return false;
  const labels = name.split(".");
  for (let at = 0; at < labels.length; at++) {
    const [zone] = world.domains.by("domain", labels.slice(at).join("."));
    if (!zone) continue;
    // The records of a slave domain are on its master servers, so the name cannot be checked and is accepted.
    if (zone.type === "slave") return true;
    const kind = type === "ipv4" ? "A" : "AAAA";
    const host = labels.slice(0, at).join(".");
    const name = answering(world.domainRecords.by("domain_id", zone.id), host);
    const records = world.domainRecords.by("target", id).filter((record) => record.domain_id === zone.id);
    return zone.status !== "disabled" && records.some((record) => record.type === kind && record.name === name);
  }
  return true;
}

/**
 * The name of the records that apply to a host: its own, or that of a wildcard if neither the host nor a name below it
 * exists (RFC 4592). The wildcard is next to the longest existing part of the host's name.
 */
function answering(records: readonly RowOf<"domainRecords">[], host: string): string {
  const exists = (name: string): boolean =>
    name === "" || records.some((record) => record.name === name || record.name.endsWith(`.${name}`));
  if (exists(host)) return host;
  let parent = host;
  while (!exists(parent)) parent = parent.split(".").slice(1).join(".");
  return parent === "" ? "*" : `*.${parent}`;
}
