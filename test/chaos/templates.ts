import type { Bag } from "../../provider/engine/values";
import type { KindName } from "../../provider/resources";

/** The outputs and the id of a resource, as other resources use them. */
export type Outputs = Bag;

/**
 * How a random program declares a resource: inputs from the test data of the resource class, and references to other
 * resources of the program.
 */
export interface Template {
  kind: KindName;
  /** The resources that this resource refers to: templates by role, for example `{ volume: "Volume" }`. */
  needs?: Record<string, string>;
  /** Roles in which a resource can be used once: `{ volume: "attachment" }` allows one attachment per volume. */
  alone?: Record<string, string>;
  /** Returns the inputs that refer to other resources. `roles` contains the outputs of these resources, by role. */
  inputs?(roles: Record<string, Outputs>, at: { name: string; nth: number; given: Bag }): Bag;
  /** Inputs that are not edited, because their values in the test data refer to objects that do not exist here. */
  skip?: readonly string[];
  /** Inputs that are edited only if no other resource depends on this resource. */
  solo?: readonly string[];
  /** Inputs whose changes cannot be reverted. */
  oneWay?: readonly string[];
  /** Changes of inputs, in addition to the changes in the test data of the resource class. */
  more?: readonly Bag[];
  most?: number;
}

const id = (roles: Record<string, Outputs>, role: string): unknown => roles[role]?.id;

/** The first element of a list output that meets the condition. Unknown if the output is, as in a preview. */
function first(outputs: Outputs | undefined, key: string, fits: (text: string) => boolean): unknown {
  const list = outputs?.[key];
  return Array.isArray(list) ? list.find((one) => fits(String(one))) : outputs?.id;
}
const isPrivate = (address: string): boolean => address.startsWith("192.168.");
const isPublic = (address: string): boolean => !isPrivate(address);

/**
 * The templates, each after those that it refers to. A kind without one is not part of random programs, only of the tests
 * of single resources. `make chaos` prints these kinds.
 */
export const templates: Readonly<Record<string, Template>> = {
  AccountContact: { kind: "AccountContact", most: 1 },
  PaymentMethod: { kind: "PaymentMethod", most: 1, skip: ["isDefault"] },
  ManagedContact: { kind: "ManagedContact" },
  ManagedCredential: { kind: "ManagedCredential" },
  ManagedService: {
    kind: "ManagedService",
    needs: { credential: "ManagedCredential" },
    skip: ["credentials"],
    inputs: (roles) => ({ credentials: [id(roles, "credential")] }),
  },
  OAuthClient: { kind: "OAuthClient" },
  Image: { kind: "Image", skip: ["diskId"] },
  Domain: {
    kind: "Domain",
    // `type` is not changed: a domain cannot become a slave zone while it has records, but Pulumi would delete the
    // records only after it has updated the domain.
    skip: ["cloneFrom", "importFrom", "type", "masterIps"],
    solo: ["tags", "status"],
    inputs: (_, { name, given }) => ({ domain: `${name}.${given.domain}` }),
  },
  DomainRecord: {
    kind: "DomainRecord",
    needs: { domain: "Domain" },
    skip: ["domainId"],
    inputs: (roles, { name, given }) => ({
      domainId: id(roles, "domain"),
      // An empty target would declare a Null MX, and a domain with a Null MX cannot have other MX records.
      target: given.target || "mail.example.net",
      // The records of a domain need different names or targets. Equal records could not be assigned to their resources
      // after an interrupted create.
      ...(given.type === "SRV" ? { target: `${name}.example.net` } : { name: `${given.name || "at"}-${name}` }),
    }),
  },
  Instance: {
    kind: "Instance",
    skip: ["backupId", "cloneFrom", "cloneDisks", "cloneConfigs", "allowReboot", "privateIp"],
    solo: ["region", "tags", "booted", "rescue", "backupsEnabled", "backups", "interfaces"],
    oneWay: ["type"],
    inputs: (_, { given }) => ({ privateIp: true, backupsEnabled: given.backupsEnabled ?? true }),
  },
  /** An instance without an image. Its disks and configs are separate resources. */
  EmptyInstance: {
    kind: "Instance",
    skip: [
      ...["backupId", "cloneFrom", "cloneDisks", "cloneConfigs", "allowReboot", "rootPass", "image", "stackscriptId"],
      ...["stackscriptData", "swapSize", "authorizedKeys", "authorizedUsers", "config", "interfaces", "rescue"],
      ...["booted", "type", "backups", "backupsEnabled", "privateIp"],
    ],
    solo: ["region"],
    inputs: () => ({ image: undefined, rootPass: undefined }),
  },
  InstanceDisk: {
    kind: "InstanceDisk",
    needs: { machine: "EmptyInstance" },
    skip: ["computeId", "allowReboot"],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
  InstanceConfig: {
    kind: "InstanceConfig",
    needs: { disk: "InstanceDisk" },
    alone: { disk: "config" },
    // Not `interfaces`, because the test data has a VLAN, and instances with a VLAN cannot change accounts.
    skip: ["computeId", "devices", "allowReboot", "booted", "interfaces"],
    more: [{ interfaces: [{ purpose: "public" }] }],
    inputs: ({ disk = {} }) => ({ computeId: disk.computeId, devices: { sda: { diskId: disk.id } } }),
  },
  InstanceIp: {
    kind: "InstanceIp",
    needs: { machine: "Instance" },
    skip: ["computeId", "type", "public"],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
  ReverseDns: {
    kind: "ReverseDns",
    needs: { machine: "Instance" },
    alone: { machine: "name" },
    skip: ["address"],
    inputs: ({ machine }) => ({ address: first(machine, "ipv4", isPublic) }),
  },
  IpSharing: {
    kind: "IpSharing",
    needs: { machine: "Instance", other: "Instance" },
    alone: { machine: "sharing" },
    skip: ["computeId", "ips"],
    inputs: ({ machine = {}, other }) => ({ computeId: machine.id, ips: [first(other, "ipv4", isPublic)] }),
  },
  InstanceAction: {
    kind: "InstanceAction",
    needs: { machine: "Instance" },
    skip: ["computeId", "allowReboot", "reboot", "rebuild", "resetPassword", "rescue", "mutate", "restore"],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
  InstanceSnapshot: {
    kind: "InstanceSnapshot",
    needs: { machine: "Instance" },
    alone: { machine: "snapshot" },
    skip: ["computeId"],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
  ManagedComputeSettings: {
    kind: "ManagedComputeSettings",
    needs: { machine: "Instance" },
    alone: { machine: "settings" },
    skip: ["computeId", "ssh"],
    more: [{ ssh: { user: "support", port: 2200 } }, { ssh: { access: false } }],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
  ServiceTransfer: {
    kind: "ServiceTransfer",
    needs: { machine: "EmptyInstance" },
    alone: { machine: "transfer" },
    skip: ["entities"],
    inputs: (roles) => ({ entities: { computes: [id(roles, "machine")] } }),
  },
  Volume: { kind: "Volume", skip: ["computeId", "configId"], solo: ["region", "tags"], oneWay: ["size"] },
  AttachedVolume: {
    kind: "Volume",
    needs: { machine: "Instance" },
    skip: ["computeId", "configId", "region"],
    oneWay: ["size"],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
  VolumeAttachment: {
    kind: "VolumeAttachment",
    needs: { volume: "Volume", machine: "Instance" },
    alone: { volume: "attachment" },
    skip: ["volumeId", "computeId", "configId"],
    inputs: (roles) => ({ volumeId: id(roles, "volume"), computeId: id(roles, "machine") }),
  },
  Firewall: { kind: "Firewall", skip: ["devices"] },
  FirewallDevice: {
    kind: "FirewallDevice",
    needs: { firewall: "Firewall", machine: "Instance" },
    alone: { machine: "firewall" },
    skip: ["firewallId", "entityId"],
    inputs: (roles) => ({ firewallId: id(roles, "firewall"), entityId: id(roles, "machine") }),
  },
  FirewallOfInstance: {
    kind: "Firewall",
    needs: { machine: "Instance" },
    alone: { machine: "firewall" },
    skip: ["devices"],
    inputs: (roles) => ({ devices: { computes: [id(roles, "machine")] } }),
  },
  NodeBalancer: { kind: "NodeBalancer", solo: ["region"] },
  NodeBalancerConfig: {
    kind: "NodeBalancerConfig",
    needs: { balancer: "NodeBalancer" },
    skip: ["nodebalancerId"],
    inputs: (roles, { nth, given }) => ({ nodebalancerId: id(roles, "balancer"), port: Number(given.port) + nth }),
  },
  NodeBalancerNode: {
    kind: "NodeBalancerNode",
    needs: { config: "NodeBalancerConfig", machine: "Instance" },
    skip: ["nodebalancerId", "configId", "address"],
    inputs({ config = {}, machine }, { nth }) {
      const address = first(machine, "ipv4", isPrivate);
      const isKnown = Array.isArray(machine?.ipv4);
      return {
        nodebalancerId: config.nodebalancerId,
        configId: config.id,
        address: isKnown ? `${address}:${8000 + nth}` : address,
      };
    },
  },
  LkeCluster: { kind: "LkeCluster", oneWay: ["controlPlane", "k8sVersion"] },
  LkeNodePool: {
    kind: "LkeNodePool",
    needs: { cluster: "LkeCluster" },
    skip: ["clusterId"],
    inputs: (roles) => ({ clusterId: id(roles, "cluster") }),
  },
  LkeNodeRecycle: {
    kind: "LkeNodeRecycle",
    needs: { cluster: "LkeCluster" },
    skip: ["clusterId", "poolId", "nodeId"],
    inputs: (roles) => ({ clusterId: id(roles, "cluster"), poolId: undefined }),
  },
  ObjectStorageBucket: { kind: "ObjectStorageBucket" },
  ObjectStorageKey: {
    kind: "ObjectStorageKey",
    needs: { bucket: "ObjectStorageBucket" },
    skip: ["bucketAccess"],
    inputs: ({ bucket = {} }) => ({
      bucketAccess: [{ bucketName: bucket.label, cluster: bucket.cluster, permissions: "read_only" }],
    }),
  },
  ObjectStorageObject: {
    kind: "ObjectStorageObject",
    needs: { bucket: "ObjectStorageBucket" },
    skip: ["cluster", "bucket"],
    more: [{ content: "<h1>Two</h1>" }],
    inputs: ({ bucket = {} }, { name, given }) => ({
      cluster: bucket.cluster,
      bucket: bucket.label,
      name: `${name}/${given.name}`,
    }),
  },
  Tag: {
    kind: "Tag",
    needs: { machine: "Instance", domain: "Domain" },
    skip: ["computes", "domains", "nodebalancers", "volumes"],
    inputs: (roles) => ({ computes: [id(roles, "machine")], domains: [id(roles, "domain")] }),
  },
};

/** Replaces the region in the test data, so that all resources of a program are in the same region. */
export const common = { region: "us-southeast" };
