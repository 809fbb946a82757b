import { byUrl, instance, nothing, on, onInstance, privateAddress, region, rules, types } from "./move";
import { of, one } from "./picks";
import type { Move } from "./service";

/**
 * Random API requests that contain ids of existing objects. They may be invalid, in which case the emulator must reject
 * them.
 */
export const apiMoves: Readonly<Record<string, Move>> = {
  createInstance: ({ send }, [a = 0, b = 0, c = 0]) =>
    send("POST", "/compute/instances", {
      region: region(a),
      type: of(types, b),
      ...(c % 4 && { image: "compute/debian11", root_pass: "correct horse" }),
      private_ip: c % 2 === 0,
      backups_enabled: c % 3 === 0,
      tags: c % 5 === 0 ? ["prod"] : [],
    }),
  deleteInstance: onInstance("DELETE", () => [""]),
  boot: onInstance("POST", () => ["/boot"]),
  shutdown: onInstance("POST", () => ["/shutdown"]),
  reboot: onInstance("POST", () => ["/reboot"]),
  resize: onInstance("POST", (_, __, [, b]) => ["/resize", { type: of(types, b) }]),
  rebuild: onInstance("POST", () => ["/rebuild", { image: "compute/debian11", root_pass: "correct horse" }]),
  clone: onInstance("POST", (service, _, [, b = 0, c]) => [
    "/clone",
    b % 2 ? { region: region(b), type: of(types, c) } : { compute_id: instance(service, c) },
  ]),
  migrate: onInstance("POST", (_, __, [, b]) => ["/migrate", { region: region(b) }]),
  rescue: onInstance("POST", (service, id) => {
    const disk = service.world.disks.by("compute_id", id)[0];
    return ["/rescue", { devices: disk ? { sda: { disk_id: disk.id } } : {} }];
  }),
  createDisk: onInstance("POST", (_, __, [, b = 0]) => ["/disks", { label: `disk-${b}`, size: 500 + (b % 20_000) }]),
  resizeDisk: onInstance("POST", ({ world }, id, [, b = 0, c]) => {
    const disk = one(world.disks.by("compute_id", id), c);
    return disk && [`/disks/${disk.id}/resize`, { size: 300 + b * 20 }];
  }),
  deleteDisk: onInstance("DELETE", ({ world }, id, [, b]) => {
    const disk = one(world.disks.by("compute_id", id), b);
    return disk && [`/disks/${disk.id}`];
  }),
  createConfig: onInstance("POST", ({ world }, id, [, b]) => {
    const disk = one(world.disks.by("compute_id", id), b);
    return ["/configs", { label: "more", devices: disk ? { sda: { disk_id: disk.id } } : {} }];
  }),
  configureVolume: onInstance("PUT", ({ world }, id, [, b, c]) => {
    const config = one(world.instanceConfigs.by("compute_id", id), b);
    const volume = one(world.volumes.all(), c);
    return config && [`/configs/${config.id}`, { devices: volume ? { sdd: { volume_id: volume.id } } : {} }];
  }),
  setPassword: onInstance("POST", () => ["/password", { root_pass: "battery staple" }]),
  deleteConfig: onInstance("DELETE", ({ world }, id, [, b]) => {
    const config = one(world.instanceConfigs.by("compute_id", id), b);
    return config && [`/configs/${config.id}`];
  }),
  enableBackups: onInstance("POST", () => ["/backups/enable"]),
  cancelBackups: onInstance("POST", () => ["/backups/cancel"]),
  snapshot: onInstance("POST", (_, __, [, b]) => ["/backups", { label: `taken-${b}` }]),
  restore: onInstance("POST", (service, id, [, b]) => {
    const backup = one(service.world.instanceBackups.by("compute_id", id), b);
    return backup && [`/backups/${backup.id}/restore`, { compute_id: instance(service, b), overwrite: true }];
  }),
  addAddress: onInstance("POST", (_, __, [, b = 0]) => ["/ips", { type: "ipv4", public: b % 2 === 0 }]),
  removeAddress: onInstance("DELETE", ({ world }, id, [, b]) => {
    const address = one(world.addresses.by("compute_id", id), b);
    return address && [`/ips/${encodeURIComponent(address.id)}`];
  }),
  assign: ({ world, send }, [a, b, c]) => {
    const address = one(world.addresses.all(), a);
    const other = one(world.addresses.all(), c);
    const [from, to] = [address?.compute_id ?? 1, other?.compute_id ?? 1];
    return send("POST", "/networking/ipv4/assign", {
      region: region(b),
      assignments: [
        { address: address?.id ?? "198.18.0.1", compute_id: to },
        { address: other?.id ?? "198.18.0.1", compute_id: from },
      ],
    });
  },
  share: (service, [a, b]) =>
    service.send("POST", "/networking/ipv4/share", {
      compute_id: instance(service, a),
      ips: service.world.addresses
        .where((row) => row.public && row.type === "ipv4")
        .slice(0, (b ?? 0) % 3)
        .map(({ id }) => id),
    }),
  createVolume: (service, [a = 0, b = 0]) =>
    service.send("POST", "/volumes", {
      label: `v${a}-${b}`,
      size: 10 + (b % 20),
      ...(a % 2 ? { region: region(b) } : { compute_id: instance(service, b) }),
    }),
  attachVolume: on(
    ({ volumes }) => volumes.all(),
    "POST",
    (id) => `/volumes/${id}/attach`,
    (service, [, b]) => ({ compute_id: instance(service, b) }),
  ),
  detachVolume: on(
    ({ volumes }) => volumes.all(),
    "POST",
    (id) => `/volumes/${id}/detach`,
  ),
  deleteVolume: on(
    ({ volumes }) => volumes.all(),
    "DELETE",
    (id) => `/volumes/${id}`,
  ),
  cloneVolume: on(
    ({ volumes }) => volumes.all(),
    "POST",
    (id) => `/volumes/${id}/clone`,
    (_, [, b]) => ({ label: `copy${b}` }),
  ),
  createFirewall: (service, [a, b = 0]) =>
    service.send("POST", "/networking/firewalls", {
      label: `wall${a}`,
      rules,
      ...(b % 2 && { devices: { computes: [instance(service, b)] } }),
    }),
  setFirewall: on(
    ({ firewalls }) => firewalls.all(),
    "PUT",
    (id) => `/networking/firewalls/${id}`,
    (_, [, b = 0]) => ({ status: b % 2 ? "enabled" : "disabled" }),
  ),
  addDevice: on(
    ({ firewalls }) => firewalls.all(),
    "POST",
    (id) => `/networking/firewalls/${id}/devices`,
    (service, [, b]) => ({ id: instance(service, b), type: "compute" }),
  ),
  deleteFirewall: on(
    ({ firewalls }) => firewalls.all(),
    "DELETE",
    (id) => `/networking/firewalls/${id}`,
  ),
  createDomain: ({ send }, [a]) =>
    send("POST", "/domains", { domain: `d${a}.example.org`, type: "master", soa_email: "me@example.org" }),
  createRecord: on(
    ({ domains }) => domains.all(),
    "POST",
    (id) => `/domains/${id}/records`,
    (_, [, b]) => ({ type: "A", name: `w${b}`, target: "192.0.2.1" }),
  ),
  deleteDomain: on(
    ({ domains }) => domains.all(),
    "DELETE",
    (id) => `/domains/${id}`,
  ),
  createCluster: ({ send }, [a, b = 0]) =>
    send("POST", "/lke/clusters", {
      label: `k${a}`,
      region: region(a),
      k8s_version: "1.21",
      node_pools: [{ type: "g6-standard-1", count: 1 + (b % 3) }],
    }),
  resizePool: on(
    ({ lkePools }) => lkePools.all(),
    "PUT",
    (id, { world }) => `/lke/clusters/${world.lkePools.get(id).cluster_id}/pools/${id}`,
    (_, [, b = 0]) => ({ count: 1 + (b % 4) }),
  ),
  recycleCluster: on(
    ({ lkeClusters }) => lkeClusters.all(),
    "POST",
    (id) => `/lke/clusters/${id}/recycle`,
  ),
  deleteCluster: on(
    ({ lkeClusters }) => lkeClusters.all(),
    "DELETE",
    (id) => `/lke/clusters/${id}`,
  ),
  createBalancer: (service, [a, b]) =>
    service.send("POST", "/nodebalancers", {
      region: region(a),
      configs: [{ port: 80, nodes: [{ label: "one", address: `${privateAddress(service, b)}:80` }] }],
    }),
  addConfig: on(
    ({ nodeBalancers }) => nodeBalancers.all(),
    "POST",
    (id) => `/nodebalancers/${id}/configs`,
    (_, [, b = 0]) => ({ port: 80 + (b % 3) }),
  ),
  addNode: on(
    ({ nodeBalancerConfigs }) => nodeBalancerConfigs.all(),
    "POST",
    (id, { world }) => `/nodebalancers/${world.nodeBalancerConfigs.get(id).nodebalancer_id}/configs/${id}/nodes`,
    (service, [, b]) => ({ label: `n${b}`, address: `${privateAddress(service, b)}:${80 + ((b ?? 0) % 9)}` }),
  ),
  deleteBalancer: on(
    ({ nodeBalancers }) => nodeBalancers.all(),
    "DELETE",
    (id) => `/nodebalancers/${id}`,
  ),
  createBucket: ({ send }, [a = 0]) =>
    send("POST", "/object-storage/buckets", { label: `bucket-${a % 4}`, cluster: "us-east-1" }),
  deleteBucket: ({ send }, [a = 0, b = 0]) =>
    send("DELETE", `/object-storage/buckets/us-east-1/bucket-${a % 4}${b % 2 ? "?force=true" : ""}`),
  putObject: (service, [a = 0, b = 0, c = 0]) => byUrl(service, "PUT", a, { name: `o${b % 6}`, text: "x".repeat(c) }),
  deleteObject: (service, [a = 0, b = 0]) => byUrl(service, "DELETE", a, { name: `o${b % 6}` }),
  capture: on(
    ({ disks }) => disks.all(),
    "POST",
    () => "/images",
    (service, [a]) => ({
      disk_id: one(service.world.disks.all(), a)?.id ?? 1,
    }),
  ),
  deleteImage: async ({ world, send }, [a]) => {
    const image = one(
      world.images.where(({ is_public }) => !is_public),
      a,
    );
    return image ? send("DELETE", `/images/${image.id}`) : nothing;
  },
  offer: (service, [a]) =>
    service.send("POST", "/account/entity-transfers", { entities: { computes: [instance(service, a)] } }),
  tag: (service, [a, b]) => service.send("POST", "/tags", { label: `tag${a}`, computes: [instance(service, b)] }),
  untag: async ({ world, send }, [a]) => {
    const tag = one(world.tags.all(), a);
    return tag ? send("DELETE", `/tags/${encodeURIComponent(String(tag.id))}`) : nothing;
  },
};
