/** The program in docs/functions.md. test/engine/functions.test.ts runs it. */
export const examples = `These lists can change. In later updates, another region would replace the instance and the cluster, another type would resize the instance,
and another version would upgrade the cluster. \`ignoreChanges\` keeps what the first update has chosen. \`index.ts\`:

\`\`\`ts
import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";

const config = new pulumi.Config();

// Promises for existing objects: the smallest type with 2 GB, in a region that offers Kubernetes.
const region = cloudinfra
  .listRegions()
  .then(({ regions }) => regions.find(({ capabilities }) => capabilities.includes("Kubernetes"))?.id ?? "");
const type = cloudinfra
  .listInstanceTypes({ filter: { class: "standard", memory: { gte: 2048 } }, orderBy: "memory" })
  .then(({ instanceTypes }) => instanceTypes[0]?.id ?? "");

const web = new cloudinfra.Instance(
  "web",
  { label: "web", region, type, image: "compute/debian11", rootPass: config.requireSecret("rootPass") },
  { ignoreChanges: ["region", "type"] },
);

// Outputs for values that depend on a resource.
export const transfer = cloudinfra.getInstanceTransferOutput({ computeId: web.id }).quota;
export const configs = cloudinfra
  .listInstanceConfigsOutput({ computeId: web.id })
  .instanceConfigs.apply((all) => all.map(({ label }) => label));

// An object of another program, by its name.
const zone = cloudinfra.getDomainOutput({ domain: config.require("domain") });
export const zoneFile = cloudinfra.getDomainZoneFileOutput({ domainId: zone.id }).zoneFile;

const data = new cloudinfra.Volume("data", { label: "web-data", computeId: web.id, tags: ["backup"] });
export const toBackUp = cloudinfra
  .listVolumesOutput({ filter: { tags: "backup", label: { contains: "web" } } }, { dependsOn: data })
  .volumes.apply((volumes) => volumes.map(({ label, size }) => \`\${label}: \${size} GiB\`));

// The newest version of Kubernetes. With "numeric", 1.9 comes before 1.10.
const newest = cloudinfra.listLkeVersions().then(({ lkeVersions }) => {
  const versions = lkeVersions.map(({ id }) => id);
  return versions.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1) ?? "";
});

const cluster = new cloudinfra.LkeCluster(
  "apps",
  { label: "apps", region, k8sVersion: newest, pools: { workers: { type, count: 1 } } },
  { ignoreChanges: ["region", "k8sVersion", "pools"] },
);
// The result contains a secret, so the output is secret.
export const kubeconfig = cloudinfra.getLkeKubeconfigOutput({ clusterId: cluster.id }).kubeconfig;
\`\`\``;
