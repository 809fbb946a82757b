import { createHash } from "node:crypto";
import { z } from "zod";
import {
  bucketParams,
  Disk,
  deviceNames,
  Firewall,
  FirewallRules,
  Image,
  Instance,
  InstanceAddresses,
  InstanceConfig,
  InstanceType,
  IPAddress,
  LkeCluster,
  LkePool,
  NodeBalancer,
  NodeBalancerConfig,
  NodeBalancerNode,
  ObjectStorageBucket,
  ObjectStorageKey,
  operations,
  Region,
  translationOf,
  Volume,
} from "../../../api";
import type { World } from "../../core/world";
import type { Behavior } from "../behavior";
import { type RecordFields, record } from "../newer-fields";
import { regionNames } from "./catalogue";

type Values = Readonly<Record<string, unknown>>;

/** Whether the service encrypts a disk or a volume. */
const Encryption = z.enum(["enabled", "disabled"]);

const instance = record(
  Instance,
  {
    table: "instances",
    added: {
      host_uuid: ({ id }) => createHash("sha1").update(`host of ${id}`).digest("hex"),
      has_user_data: false,
      placement_group: null,
      disk_encryption: "disabled",
      lke_cluster_id: ({ id }, world) => world.lkeNodes.by("instance_id", id)[0]?.cluster_id ?? null,
      capabilities: [],
      interface_generation: "legacy_config",
      maintenance_policy: "linode/migrate",
      locks: [],
    },
    settings: {
      disk_encryption: Encryption,
      has_user_data: z.boolean(),
      maintenance_policy: z.enum(["linode/migrate", "linode/power_off_on"]),
    },
    ignored: ["firewall_id", "network_helper", "boot_size", "kernel"],
    replaced: ({ metadata, ...body }) =>
      metadata === undefined ? body : { ...body, has_user_data: Boolean((metadata as Values | null)?.user_data) },
    inside: {
      specs: { added: { gpus: 0, accelerated_devices: 0 } },
      backups: { added: { available: ({ last_successful }: Values) => last_successful !== null } },
    },
  },
  { live: true },
);

const disk = record(Disk, {
  table: "disks",
  added: { disk_encryption: "disabled" },
  settings: { disk_encryption: Encryption },
});

const filled = (device: Values): Values | null =>
  device.disk_id === null && device.volume_id === null ? null : device;

/** An empty device slot is null, and a memory limit that was never set is 0. */
const config = record(InstanceConfig, {
  changed: ({ devices, memory_limit, hasMemoryLimit }) => ({
    devices: Object.fromEntries(deviceNames.map((name) => [name, filled(devices[name])])),
    memory_limit: hasMemoryLimit ? memory_limit : 0,
  }),
});

const volume = record(Volume, {
  table: "volumes",
  added: { encryption: "disabled", io_ready: true },
  settings: { encryption: Encryption },
});

const region = record(Region, {
  added: {
    label: ({ id }) => regionNames[id] ?? id,
    site_type: "core",
    placement_group_limits: { maximum_pgs_per_customer: 100, maximum_linodes_per_pg: 5 },
    monitors: { alerts: [], metrics: [] },
  },
});

const type = record(InstanceType, {
  added: { accelerated_devices: 0, region_prices: [] },
  inside: { addons: { inside: { backups: { added: { region_prices: [] } } } } },
});

const imageFields: RecordFields<Image> = {
  table: "images",
  added: { capabilities: [], regions: [], tags: [], total_size: ({ size }) => size, is_shared: false },
  settings: { tags: z.array(z.string()) },
  ignored: ["cloud_init"],
};
const image = record(Image, imageFields);

const pool: RecordFields = {
  table: "lkePools",
  added: {
    label: "",
    labels: {},
    taints: [],
    disk_encryption: "disabled",
    firewall_id: null,
    k8s_version: null,
    update_strategy: null,
  },
  settings: {
    label: z.string(),
    labels: z.record(z.string(), z.string()),
    taints: z.array(
      z.strictObject({
        key: z.string(),
        value: z.string().nullable().default(null),
        effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
      }),
    ),
    disk_encryption: Encryption,
    firewall_id: z.int().nullable(),
    k8s_version: z.string().nullable(),
    update_strategy: z.enum(["rolling_update", "on_recycle"]).nullable(),
  },
};

const cluster = record(LkeCluster, {
  table: "lkeClusters",
  added: { status: "ready", tier: "standard", apl_enabled: false },
  settings: { tier: z.enum(["standard", "enterprise"]), apl_enabled: z.boolean() },
  ignored: ["subnet_id", "vpc_id", "stack_type"],
  inside: {
    control_plane: { added: { audit_logs_enabled: false }, ignored: ["acl"] },
    node_pools: { ...pool, rows: ({ id }, world) => world.lkePools.by("cluster_id", id as number) },
  },
});

const balancerNode: RecordFields = { added: { vpc_config_id: null }, ignored: ["subnet_id"] };
const balancerConfig: RecordFields = {
  table: "nodeBalancerConfigs",
  added: { udp_check_port: null, udp_session_timeout: 16 },
  settings: { udp_check_port: z.int().nullable() },
  inside: { nodes: balancerNode },
};
const balancer = record(NodeBalancer, {
  table: "nodeBalancers",
  added: { client_udp_sess_throttle: 0, type: "common", lke_cluster: null, locks: [] },
  settings: { client_udp_sess_throttle: z.int().min(0).max(20) },
  ignored: ["firewall_id", "vpcs", "ipv4"],
  inside: { configs: balancerConfig },
});

const rules: RecordFields<FirewallRules> = {
  added: {
    version: 1,
    fingerprint: ({ inbound, inbound_policy, outbound, outbound_policy }) =>
      createHash("sha1")
        .update(JSON.stringify([inbound, inbound_policy, outbound, outbound_policy]))
        .digest("hex")
        .slice(0, 8),
  },
};
const firewall = record(
  Firewall,
  {
    added: {
      entities: ({ id }, world) =>
        world.firewallDevices.by("firewall_id", id).map(({ compute_id }) => entityOf(compute_id, world)),
    },
    inside: { rules: rules as RecordFields },
  },
  { live: true },
);

/** An instance as the entity that something else is assigned to. */
const entityOf = (id: number, world: World): Values => ({
  id,
  label: world.instances.find(id)?.label ?? null,
  type: "linode",
  url: `/v4${translationOf("linode").path(`/compute/instances/${id}`)}`,
  parent_entity: null,
});

const addressFields: RecordFields<IPAddress> = {
  added: {
    vpc_nat_1_1: null,
    interface_id: null,
    reserved: false,
    tags: [],
    assigned_entity: ({ compute_id }, world) => entityOf(compute_id, world),
  },
};
const address = record(IPAddress, addressFields, { live: true });
const eachAddress = addressFields as RecordFields;
const addresses = record(
  InstanceAddresses,
  {
    inside: {
      ipv4: {
        added: { vpc: [] },
        inside: { public: eachAddress, private: eachAddress, shared: eachAddress, reserved: eachAddress },
      },
      ipv6: { added: { vpc: [] }, inside: { link_local: eachAddress, slaac: eachAddress } },
    },
  },
  { live: true },
);

/** Today's clients name the region of a bucket, where the contract names the cluster. */
const clusterIn = (text: string, world: World): string =>
  world.objectStorageClusters.find(text) ? text : (world.objectStorageClusters.by("region", text)[0]?.id ?? text);

const withCluster = ({ region, ...body }: Values, world: World): Values =>
  typeof region === "string" && body.cluster === undefined ? { ...body, cluster: clusterIn(region, world) } : body;

const endpoint = { endpoint_type: "E1" };
const domainOf = (cluster: string, world: World): string => world.objectStorageClusters.get(cluster).domain;
const regionOf = (cluster: string, world: World): string => world.objectStorageClusters.get(cluster).region;

const bucket = record(
  ObjectStorageBucket,
  {
    added: {
      region: ({ cluster }, world) => regionOf(cluster, world),
      s3_endpoint: ({ cluster }, world) => domainOf(cluster, world),
      ...endpoint,
    },
    replaced: withCluster,
  },
  { live: true },
);

const key = record(
  ObjectStorageKey,
  {
    added: {
      regions: ({ bucket_access }, world) =>
        [...new Set((bucket_access ?? []).map(({ cluster }) => cluster))].map((cluster) => ({
          id: regionOf(cluster, world),
          s3_endpoint: domainOf(cluster, world),
          ...endpoint,
        })),
    },
    inside: {
      bucket_access: {
        added: { region: ({ cluster }: Values, world: World) => regionOf(String(cluster), world) },
        replaced: withCluster,
      },
    },
  },
  { live: true },
);

export const records = [
  instance,
  disk,
  config,
  volume,
  region,
  type,
  image,
  record(operations.images.upload.result, { inside: { image: imageFields as RecordFields } }, { live: true }),
  record(LkePool, pool as RecordFields<LkePool & Values>),
  cluster,
  balancer,
  record(NodeBalancerConfig, balancerConfig as RecordFields<NodeBalancerConfig & Values>),
  record(NodeBalancerNode, balancerNode as RecordFields<NodeBalancerNode & Values>),
  firewall,
  record(FirewallRules, rules),
  address,
  addresses,
  bucket,
  key,
] satisfies Behavior["records"];

/** `images.upload` returns the URL for the upload next to the image. */
export const requests = [
  [operations.images.upload, { ...(imageFields as RecordFields), within: "image" }],
] satisfies Behavior["requests"];

export const parameters = [[bucketParams.clusterId, clusterIn]] satisfies Behavior["parameters"];
