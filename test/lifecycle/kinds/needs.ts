import type { Cloud } from "../../../testing/cloud";

type Needs = Pick<Cloud, "api" | "emulator">;

/** An instance without an image, which needs no time to be provisioned. */
export const instance = ({ api }: Needs, label: string, region = "us-east") =>
  api.instances.create({ body: { label, region, type: "g6-nanode-1" } });

/** A machine that volumes can be attached to: it has configs. */
export async function host(cloud: Needs, label: string, configs = 1) {
  const { id } = await instance(cloud, label);
  const path = { computeId: id };
  const made: number[] = [];
  for (let nth = 1; nth <= configs; nth++) {
    made.push((await cloud.api.instanceConfigs.create({ path, body: { label: `config ${nth}`, devices: {} } })).id);
  }
  return { id, configs: made };
}

/** A cluster with one pool that these tests must not change. */
export async function cluster({ api, emulator }: Needs, label: string) {
  const pool = { type: "g6-standard-1", count: 1 };
  const made = await api.lkeClusters.create({
    body: { label, region: "us-east", k8s_version: "1.21", node_pools: [pool] },
  });
  emulator.settle();
  return made;
}

/** A machine that support has enabled for further addresses, with as many public ones in all. */
export async function addressed(cloud: Needs & Pick<Cloud, "world">, label: string, count = 2, region = "us-east") {
  const { id, ipv4 } = await instance(cloud, label, region);
  cloud.world.instances.patch(id, { extra_addresses: true });
  const addresses = [...ipv4];
  while (addresses.length < count) {
    const body = { type: "ipv4", public: true } as const;
    addresses.push((await cloud.api.instanceAddresses.allocate({ path: { computeId: id }, body })).address);
  }
  return { id, addresses };
}

/** A machine with a disk and a config that boots it, in a region with VLANs; it runs if that is asked for. */
export async function bootable(cloud: Needs, label: string, { runs = false } = {}) {
  const { api, emulator } = cloud;
  const body = { label, region: "us-southeast", type: "g6-standard-1" };
  const { id } = await api.instances.create({ body });
  const path = { computeId: id };
  const disk = await api.instanceDisks.create({ path, body: { label: "root", size: 4096 } });
  emulator.settle();
  const config = await api.instanceConfigs.create({
    path,
    body: { label: "boots", devices: { sda: { disk_id: disk.id } } },
  });
  if (runs) await api.instances.boot({ path });
  emulator.settle();
  return { id, disk: disk.id, config: config.id };
}

/** A bucket that these tests must not change. */
export const bucket = ({ api }: Needs, label: string, cluster = "us-east-1") =>
  api.objectStorageBuckets.create({ body: { label, cluster } });

/** A machine that load balancers can send traffic to: it has a private address. */
export async function backend({ api }: Needs, label: string, region = "us-east") {
  const { id, ipv4 } = await api.instances.create({ body: { label, region, type: "g6-nanode-1", private_ip: true } });
  return { id, ip: ipv4.find((address) => address.startsWith("192.168.")) as string };
}
