export interface Resource {
  kind: Kind;
  name: string;
  /** Whether the program declares the label, which is unique in the account. */
  isLabelled: boolean;
  /** Names of the resources that this resource refers to. */
  parents: string[];
  /** Number of edits that have changed the resource in place. */
  revision: number;
  /** Number of edits that have replaced the resource. */
  generation: number;
}

interface Form {
  parents?: Kind[];
  /** The resource's inputs as JavaScript source text, for example `region: "us-east", size: 20`. */
  inputs(resource: Resource): string;
  isReplaceable?: boolean;
  /** Name of the emulator's table that contains the objects. */
  table: string;
  /** For nested objects, the column of the table with the id of the containing object. */
  within?: string;
}

const regions = ["us-east", "eu-west", "ap-south"];
const region = ({ generation }: Resource): string => `region: "${regions[generation % regions.length]}"`;
const label = ({ isLabelled, name }: Resource): string => (isLabelled ? `, label: "${name}"` : "");
const tags = ({ revision }: Resource): string => `tags: ["revision-${revision}"]`;

const all = {
  Volume: {
    inputs: (it) => `${region(it)}, size: ${20 + it.revision}${label(it)}`,
    isReplaceable: true,
    table: "volumes",
  },
  Instance: {
    inputs: (it) => `${region(it)}, type: "g6-nanode-1", ${tags(it)}${label(it)}`,
    isReplaceable: true,
    table: "instances",
  },
  Firewall: {
    inputs: (it) =>
      `rules: { inboundPolicy: "${it.revision % 2 ? "ACCEPT" : "DROP"}", outboundPolicy: "ACCEPT" }${label(it)}`,
    table: "firewalls",
  },
  FirewallDevice: {
    parents: ["Firewall", "Instance"],
    inputs: ({ parents: [firewall, instance] }) => `firewallId: ${firewall}.id, entityId: ${instance}.id`,
    table: "firewallDevices",
    within: "firewall_id",
  },
  Domain: {
    inputs: ({ name, revision }) =>
      `domain: "${name}.example", type: "master", soaEmail: "revision-${revision}@example.org"`,
    table: "domains",
  },
  DomainRecord: {
    parents: ["Domain"],
    inputs: ({ name, parents: [domain], revision }) =>
      `domainId: ${domain}.id, type: "TXT", name: "${name}", target: "text", ttlSec: ${revision % 2 ? 300 : 3600}`,
    table: "domainRecords",
    within: "domain_id",
  },
  NodeBalancer: {
    inputs: (it) => `${region(it)}, clientConnThrottle: ${it.revision}${label(it)}`,
    isReplaceable: true,
    table: "nodeBalancers",
  },
  NodeBalancerConfig: {
    parents: ["NodeBalancer"],
    inputs: ({ name, parents: [balancer], revision }) =>
      `nodebalancerId: ${balancer}.id, port: ${8000 + Number(name.replace(/\D/g, ""))}, checkAttempts: ${1 + revision}`,
    table: "nodeBalancerConfigs",
    within: "nodebalancer_id",
  },
  LkeCluster: {
    inputs: (it) =>
      `${region(it)}, k8sVersion: "1.21", pools: { one: { type: "g6-standard-1", count: ${1 + (it.revision % 2)} } }`,
    isReplaceable: true,
    table: "lkeClusters",
  },
  LkeNodePool: {
    parents: ["LkeCluster"],
    inputs: ({ parents: [cluster], revision }) =>
      `clusterId: ${cluster}.id, type: "g6-standard-2", count: ${1 + (revision % 2)}`,
    table: "lkePools",
    within: "cluster_id",
  },
  ObjectStorageKey: { inputs: ({ name, revision }) => `label: "${name}-${revision}"`, table: "objectStorageKeys" },
} as const satisfies Record<
  string,
  Omit<Form, "parents" | "inputs"> & { parents?: string[]; inputs(it: Resource): string }
>;

export type Kind = keyof typeof all;

export const forms: Record<Kind, Form> = all as Record<Kind, Form>;

export const kinds = Object.keys(forms) as Kind[];

/** The text of the program, in which parents precede the resources that refer to them. */
export const textOf = (resources: readonly Resource[]): string =>
  resources
    .map((it) => `const ${it.name} = new cloudinfra.${it.kind}("${it.name}", { ${forms[it.kind].inputs(it)} });`)
    .join("\n");
