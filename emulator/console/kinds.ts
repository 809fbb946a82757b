import { type Operation, operations } from "../../api";
import type { World } from "../areas";
import { nodesOf } from "../areas/kubernetes/lke-nodes";
import { statusOf } from "../areas/load-balancers/node-balancer-backends";
import type { Key, RowOf, Tables } from "../core/store";

/** An object of the account as the console draws it. All texts come from users and are displayed as text. */
export interface ConsoleObject {
  /** The kind of resource, such as `Volume`. */
  kind: string;
  id: string;
  name: string;
  region?: string | undefined;
  /** State, such as `running`; omitted for kinds without one. */
  state?: string | undefined;
  /** A short description, such as the type and address of an instance. */
  note?: string | undefined;
  /** The objects that the object belongs to or is attached to, as `Kind/id`. */
  on?: readonly string[] | undefined;
}

/** How a row becomes an object of the console. */
interface KindSpec<T extends keyof Tables> {
  table: T;
  /** The operation that returns the object, if there is one, and the values of its path. */
  view?: Operation;
  path?(row: RowOf<T>): readonly Key[];
  /** Whether the row belongs to the account. Defaults to true; public images do not. */
  isOwn?(row: RowOf<T>): boolean;
  draw(world: World, row: RowOf<T>): Omit<ConsoleObject, "kind" | "id">;
}

/** A kind whose table is not part of its type, so that all kinds fit into one list. */
export type Kind = KindSpec<never> & { name: string };

const kind = <T extends keyof Tables>(spec: KindSpec<T>): KindSpec<never> => spec as unknown as KindSpec<never>;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const instance = (id: number | null): readonly string[] | undefined => (id === null ? undefined : [`Instance/${id}`]);

const specs: Readonly<Record<string, KindSpec<never>>> = {
  Instance: kind({
    table: "instances",
    view: operations.instances.view,
    draw(world, { id, label, region, status, type }) {
      const [address] = world.addresses.by("compute_id", id).filter((row) => row.public && row.type === "ipv4");
      const [node] = world.lkeNodes.by("instance_id", id);
      const on = node && [`LkeCluster/${node.cluster_id}`, `LkePool/${node.pool_id}`];
      return { name: label, region, state: status, note: [address?.id, type].filter(Boolean).join(" · "), on };
    },
  }),
  Volume: kind({
    table: "volumes",
    view: operations.volumes.view,
    draw: (_, { label, region, status, size, compute_id }) => ({
      name: label,
      region,
      state: status,
      note: `${size} GB`,
      on: instance(compute_id),
    }),
  }),
  NodeBalancer: kind({
    table: "nodeBalancers",
    view: operations.nodeBalancers.view,
    draw: (_, { label, region, ipv4 }) => ({ name: label ?? "", region, note: ipv4 ?? "" }),
  }),
  NodeBalancerConfig: kind({
    table: "nodeBalancerConfigs",
    view: operations.nodeBalancerConfigs.view,
    path: ({ nodebalancer_id, id }) => [nodebalancer_id, id],
    draw: (_, { nodebalancer_id, port, protocol }) => ({
      name: `${protocol} ${port}`,
      on: [`NodeBalancer/${nodebalancer_id}`],
    }),
  }),
  NodeBalancerNode: kind({
    table: "nodeBalancerNodes",
    view: operations.nodeBalancerNodes.view,
    path: ({ nodebalancer_id, config_id, id }) => [nodebalancer_id, config_id, id],
    draw(world, node) {
      const { label, address, nodebalancer_id, config_id, ip } = node;
      const backend = world.addresses.find(ip)?.compute_id;
      const config = world.nodeBalancerConfigs.find(config_id);
      return {
        name: label,
        state: config && statusOf(world, config, node),
        note: address,
        on: [`NodeBalancer/${nodebalancer_id}`, ...(backend === undefined ? [] : [`Instance/${backend}`])],
      };
    },
  }),
  Firewall: kind({
    table: "firewalls",
    view: operations.firewalls.view,
    draw(world, { id, label, status, rules }) {
      const devices = world.firewallDevices.by("firewall_id", id);
      const inbound = `${counted(rules.inbound.length, "inbound rule")}, otherwise ${rules.inbound_policy.toLowerCase()}`;
      return { name: label, state: status, note: inbound, on: devices.map((row) => `Instance/${row.compute_id}`) };
    },
  }),
  LkeCluster: kind({
    table: "lkeClusters",
    view: operations.lkeClusters.view,
    draw: (_, { label, region, k8s_version, up }) => ({
      name: label,
      region,
      state: up ? "ready" : "creating",
      note: `Kubernetes ${k8s_version}`,
    }),
  }),
  LkePool: kind({
    table: "lkePools",
    view: operations.lkePools.view,
    path: ({ cluster_id, id }) => [cluster_id, id],
    draw(world, { id, cluster_id, type }) {
      const nodes = nodesOf(world, id);
      const isReady = nodes.every(({ status }) => status === "ready");
      return {
        name: `${nodes.length} × ${type}`,
        state: isReady ? "ready" : "not_ready",
        on: [`LkeCluster/${cluster_id}`],
      };
    },
  }),
  Domain: kind({
    table: "domains",
    view: operations.domains.view,
    draw: (_, { domain, status, type }) => ({
      name: domain,
      state: status,
      note: type === "master" ? "primary zone" : "secondary zone",
    }),
  }),
  DomainRecord: kind({
    table: "domainRecords",
    view: operations.domainRecords.view,
    path: ({ domain_id, id }) => [domain_id, id],
    draw: (_, { domain_id, type, name, target }) => ({
      name: `${type} ${name || "@"}`,
      note: target,
      on: [`Domain/${domain_id}`],
    }),
  }),
  ObjectStorageBucket: kind({
    table: "objectStorageBuckets",
    view: operations.objectStorageBuckets.view,
    path: ({ cluster, label }) => [cluster, label],
    draw: (world, { id, label, cluster }) => ({
      name: label,
      region: world.objectStorageClusters.find(cluster)?.region,
      note: `${cluster} · ${counted(world.objectStorageObjects.by("bucket_id", id).length, "object")}`,
    }),
  }),
  ObjectStorageKey: kind({
    table: "objectStorageKeys",
    view: operations.objectStorageKeys.view,
    draw: (_, { label, limited }) => ({ name: label, note: limited ? "limited access" : "access to all buckets" }),
  }),
  Image: kind({
    table: "images",
    view: operations.images.view,
    isOwn: ({ is_public }) => !is_public,
    draw: (_, { label, status, size }) => ({ name: label, state: status, note: `${size} MB` }),
  }),
  Vlan: kind({
    table: "vlans",
    draw: (world, { id, label, region }) => ({
      name: label,
      region,
      on: world.vlanAttachments.by("vlan_id", id).map((row) => `Instance/${row.compute_id}`),
    }),
  }),
  OAuthClient: kind({
    table: "oauthClients",
    view: operations.oauthClients.view,
    draw: (_, { label, status, redirect_uri }) => ({ name: label, state: status, note: redirect_uri }),
  }),
  ManagedService: kind({
    table: "managedServices",
    view: operations.managedServices.view,
    draw: (_, { label, status, address }) => ({ name: label, state: status, note: address }),
  }),
  ManagedContact: kind({
    table: "managedContacts",
    view: operations.managedContacts.view,
    draw: (_, { name, email }) => ({ name, note: email }),
  }),
  ManagedCredential: kind({
    table: "managedCredentials",
    view: operations.managedCredentials.view,
    draw: (_, { label }) => ({ name: label }),
  }),
};

export const kinds: readonly Kind[] = Object.entries(specs).map(([name, spec]) => ({ name, ...spec }));

export const kindsByTable: ReadonlyMap<string, Kind> = new Map(kinds.map((one) => [one.table as string, one]));

/** A row whose type is that of no table in particular. */
export type AnyRow = { readonly id: Key } & Readonly<Record<string, unknown>>;

/** The objects, as `Kind/id`, that a row of another table is part of. They are drawn again when that row changes. */
export const dependents: Readonly<Record<string, (world: World, row: AnyRow) => readonly string[]>> = {
  addresses: (world, { id, compute_id }) => [
    `Instance/${compute_id}`,
    ...world.nodeBalancerNodes.by("ip", String(id)).map((node) => `NodeBalancerNode/${node.id}`),
  ],
  firewallDevices: (_, { firewall_id }) => [`Firewall/${firewall_id}`],
  instances: (world, { id }) =>
    world.addresses
      .by("compute_id", Number(id))
      .flatMap((row) => world.nodeBalancerNodes.by("ip", row.id).map((node) => `NodeBalancerNode/${node.id}`)),
  lkeNodes: (_, { pool_id, instance_id }) => [`LkePool/${pool_id}`, `Instance/${instance_id}`],
  nodeBalancerConfigs: (world, { id }) =>
    world.nodeBalancerNodes.by("config_id", Number(id)).map((node) => `NodeBalancerNode/${node.id}`),
  objectStorageObjects: (_, { bucket_id }) => [`ObjectStorageBucket/${bucket_id}`],
  vlanAttachments: (_, { vlan_id }) => [`Vlan/${vlan_id}`],
};
