import type { World } from "../../../emulator/core/world";

/**
 * Conditions that every account must meet. Each function returns the violations of its condition. References to missing
 * objects are not checked here, because the validation of snapshots finds them.
 */
export const invariants: Readonly<Record<string, (world: World) => readonly string[]>> = {
  "no address is held twice": ({ addresses, balancerAddresses, instances }) =>
    repeated([
      ...addresses.all().map(({ id }) => id),
      ...balancerAddresses.all().map(({ id }) => String(id)),
      ...instances.all().flatMap(({ ipv6 }) => (ipv6 && !addresses.find(ipv6.replace(/\/128$/, "")) ? [ipv6] : [])),
    ]),

  "an instance shows the addresses that it holds": ({ addresses, instances }) =>
    instances.all().flatMap(({ id, ipv4 }) => {
      const held = addresses.by("compute_id", id).flatMap((row) => (row.type === "ipv4" ? [row.id] : []));
      return held.toSorted().join() === ipv4.toSorted().join() ? [] : [`${id}: ${held} but shows ${ipv4}`];
    }),

  "an address is in the region of its instance": ({ addresses, instances }) =>
    addresses
      .all()
      .flatMap(({ id, compute_id, region }) =>
        instances.find(compute_id)?.region === region ? [] : [`${id} of ${compute_id}`],
      ),

  "disks fit into their instance": ({ disks, instances }) =>
    instances.all().flatMap(({ id, specs }) => {
      const size = disks.by("compute_id", id).reduce((sum, disk) => sum + disk.size, 0);
      return size <= specs.disk ? [] : [`${id}: ${size} of ${specs.disk}`];
    }),

  "an instance is in one enabled firewall at most": ({ firewallDevices, firewalls, instances }) =>
    instances.all().flatMap(({ id }) => {
      const walls = firewallDevices.by("compute_id", id).map((device) => firewalls.get(device.firewall_id));
      return walls.filter(({ status }) => status === "enabled").length <= 1 ? [] : [String(id)];
    }),

  "configs name disks of their instance and volumes that are attached to it": ({ instanceConfigs, disks, volumes }) =>
    instanceConfigs.all().flatMap(({ id, compute_id, devices }) =>
      Object.values(devices).flatMap((device) => {
        const disk = device?.disk_id == null ? undefined : disks.find(device.disk_id);
        const volume = device?.volume_id == null ? undefined : volumes.find(device.volume_id);
        const whole =
          (device?.disk_id == null || disk?.compute_id === compute_id) &&
          (device?.volume_id == null || volume?.compute_id === compute_id);
        return whole ? [] : [`config ${id}: ${JSON.stringify(device)}`];
      }),
    ),

  "a volume is in the region of its instance": ({ volumes, instances }) =>
    volumes
      .all()
      .flatMap(({ id, compute_id, region }) =>
        compute_id === null || instances.find(compute_id)?.region === region ? [] : [String(id)],
      ),

  "labels that are unique are": ({ instances, volumes, firewalls, nodeBalancers, domains }) => [
    ...[instances, volumes, firewalls, nodeBalancers].flatMap((table) =>
      repeated(table.all().map(({ label }) => label)),
    ),
    ...repeated(domains.all().map(({ domain }) => domain)),
  ],

  "a node of a cluster runs on an instance of its own": ({ lkeNodes }) =>
    repeated(lkeNodes.all().flatMap(({ instance_id }) => (instance_id === null ? [] : [String(instance_id)]))),

  "a bucket counts its objects and their bytes": ({ objectStorageBuckets, objectStorageObjects }) =>
    objectStorageBuckets.all().flatMap(({ id, objects, size }) => {
      const held = objectStorageObjects.by("bucket_id", id);
      const bytes = held.reduce((sum, object) => sum + object.size, 0);
      return objects === held.length && size === bytes
        ? []
        : [`${id}: ${held.length} of ${objects}, ${bytes} of ${size}`];
    }),

  "a balancer has one config per port": ({ nodeBalancerConfigs }) =>
    repeated(nodeBalancerConfigs.all().map(({ nodebalancer_id, port }) => `${nodebalancer_id}:${port}`)),

  "an instance is in one open transfer at most": ({ transfers }) =>
    repeated(
      transfers
        .where(({ status }) => status === "pending" || status === "accepted")
        .flatMap(({ computes }) => computes.map(String)),
    ),

  "jobs are about what is there, one of an instance's runs": ({ jobs, instances }) => [
    ...jobs.table
      .all()
      .flatMap(({ compute_id: id, task }) => (id === null || instances.find(id) ? [] : [`${task} of ${id}`])),
    ...repeated(
      jobs.table.all().flatMap(({ compute_id: id, state }) => (id === null || state === "queued" ? [] : [String(id)])),
    ),
  ],
};

const repeated = (values: readonly string[]): string[] => values.filter((value, at) => values.indexOf(value) !== at);
