import { canonicalAddress, type EventEntity, type instanceAddresses, isHostName, reasons } from "../../api";
import { entity } from "../events";
import type { Handlers } from "../handlers";
import { notFound, Refusal } from "../refusal";
import type { World } from "../world";
import { type AddressRow, addIPv4, linkLocal, shown } from "./address-pool";
import type { InstanceRow } from "./instances";

export const handlers: Handlers<typeof instanceAddresses> = {
  list({ world, path }) {
    const instance = world.instances.get(path.computeId);
    const ipv4 = instance.ipv4.flatMap((id) => world.addresses.find(id) ?? []);
    const slaac = world.addresses.by("compute_id", instance.id).find(({ type }) => type === "ipv6");
    return {
      ipv4: {
        public: ipv4.filter((row) => row.public).map(shown),
        private: ipv4.filter((row) => !row.public).map(shown),
        shared: [],
        reserved: [],
      },
      ipv6: { link_local: linkLocal(instance), ...(slaac && { slaac: shown(slaac) }) },
    };
  },

  allocate({ world, path, body, emit }) {
    const instance = world.instances.get(path.computeId);
    refuseFurther(world, instance, body.public);
    const row = addIPv4(world, instance.id, instance.region, body.public);
    world.instances.patch(instance.id, { ipv4: [...instance.ipv4, row.id] });
    emit(entity("compute", instance), { message: row.id });
    return shown(row);
  },

  view({ world, path }) {
    const instance = world.instances.get(path.computeId);
    const local = linkLocal(instance);
    return canonicalAddress(path.address) === local.address ? local : shown(find(world, path).row);
  },

  update({ world, path, body, emit }) {
    const { instance, row } = find(world, path);
    const { rdns } = body;
    if (rdns !== undefined && !row.public) throw new Refusal(400, "A private address has no reverse lookup", "rdns");
    if (rdns != null) refuseUnresolved(world, rdns, row);
    const changed = world.addresses.patch(row.id, { rdns: rdns === null ? null : rdns?.toLowerCase() });
    emit(about(instance, row));
    return shown(changed);
  },

  delete({ world, path, emit }) {
    const { instance, row } = find(world, path);
    if (row.type === "ipv6")
      throw new Refusal(400, `${row.id} is the instance's own; only IPv4 addresses can be deleted`);
    const others = instance.ipv4.filter((id) => id !== row.id);
    if (!others.some((id) => world.addresses.get(id).public))
      throw new Refusal(400, `${row.id} is the instance's last public address; it must keep one`);
    world.addresses.remove(row.id);
    world.instances.patch(instance.id, { ipv4: others });
    emit(entity("compute", instance), { message: row.id });
    return {};
  },
};

/** One public address and at most one private; more need a support request (part 1 · Resources · Compute instance). */
function refuseFurther(world: World, instance: Readonly<InstanceRow>, isPublic: boolean): void {
  if (isPublic) {
    if (instance.extra_addresses) return;
    throw new Refusal(
      400,
      `Instance ${instance.id} is not enabled for further public addresses; that takes a support request`,
      "public",
    );
  }
  const held = instance.ipv4.find((id) => !world.addresses.get(id).public);
  if (held)
    throw new Refusal(400, `Instance ${instance.id} has the private address ${held} and takes no second`, "public");
}

/** Forward DNS must exist (part 3 · IP addresses and VLANs); the emulator knows only the DNS of the account itself. */
function refuseUnresolved(world: World, rdns: string, { id, type }: Readonly<AddressRow>): void {
  const name = rdns.toLowerCase().replace(/\.$/, "");
  if (!name.includes(".") || !isHostName(name)) throw new Refusal(400, reasons.rdnsInvalid, "rdns");
  const kind = type === "ipv4" ? "A" : "AAAA";
  const resolves = world.domainRecords.by("target", id).some((record) => {
    const { domain } = world.domains.get(record.domain_id);
    return record.type === kind && name === (record.name ? `${record.name}.${domain}` : domain);
  });
  if (!resolves)
    throw new Refusal(
      400,
      `Must resolve to ${id}: no domain of the account has the record ${kind} ${name} for it`,
      "rdns",
    );
}

const about = (instance: Readonly<InstanceRow>, { id }: Readonly<AddressRow>): EventEntity => ({
  id: instance.id,
  label: id,
  type: "ipaddress",
  url: `/v4/networking/ips/${id}`,
});

function find(world: World, { computeId, address }: { computeId: number; address: string }) {
  const instance = world.instances.get(computeId);
  const row = world.addresses.get(canonicalAddress(address) as string);
  if (row.compute_id !== instance.id) throw notFound();
  return { instance, row };
}
