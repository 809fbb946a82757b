import type { Cloud } from "../../../testing/cloud";

type Needs = Pick<Cloud, "api" | "emulator">;

/** Creates an instance without an image, which is ready immediately. */
export const instance = ({ api }: Needs, label: string, region = "us-east") =>
  api.instances.create({ body: { label, region, type: "g6-nanode-1" } });

/** Creates an instance to which volumes can be attached, with the given number of configuration profiles. */
export async function host(cloud: Needs, label: string, configs = 1) {
  const { id } = await instance(cloud, label);
  const path = { computeId: id };
  const created: number[] = [];
  for (let nth = 1; nth <= configs; nth++) {
    created.push((await cloud.api.instanceConfigs.create({ path, body: { label: `config ${nth}`, devices: {} } })).id);
  }
  return { id, configs: created };
}

export async function cluster({ api, emulator }: Needs, label: string) {
  const pool = { type: "g6-standard-1", count: 1 };
  const created = await api.lkeClusters.create({
    body: { label, region: "us-east", k8s_version: "1.21", node_pools: [pool] },
  });
  emulator.settle();
  return created;
}

/**
 * Creates an instance with the given number of public IPv4 addresses. The service rejects additional addresses unless
 * customer support has permitted them for the instance, so the permission is first set in the emulator.
 */
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

/**
 * Creates an instance with a disk and a configuration profile, in a region with VLANs. Boots the instance if `runs` is
 * true.
 */
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

export const bucket = ({ api }: Needs, label: string, cluster = "us-east-1") =>
  api.objectStorageBuckets.create({ body: { label, cluster } });

/** Creates an instance with a private address, which can be a backend of load balancers. */
export async function backend({ api }: Needs, label: string, region = "us-east") {
  const { id, ipv4 } = await api.instances.create({ body: { label, region, type: "g6-nanode-1", private_ip: true } });
  return { id, ip: ipv4.find((address) => address.startsWith("192.168.")) as string };
}
