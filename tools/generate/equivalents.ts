import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kebab } from "../../api";
import { type KindName, kinds } from "../../provider/resources";
import type { Files } from "./mark";

/** The names of a kind in other providers, and its differences there. */
interface Equivalent {
  /** The resource of Terraform's provider. */
  terraform?: string;
  /** The class of `@pulumi/linode`. */
  pulumi?: string;
  note?: string | { terraform: string; pulumi: string };
}

/** The kinds that other providers have too, or for which a remark helps. All others exist only in this package. */
const equivalents: { readonly [K in KindName]?: Equivalent } = {
  AccountContact: {
    note: {
      terraform: "The contact of the account. `linode_account_settings` covers other settings.",
      pulumi: "The contact of the account. `AccountSettings` covers other settings.",
    },
  },
  Domain: { terraform: "linode_domain", pulumi: "Domain" },
  DomainRecord: { terraform: "linode_domain_record", pulumi: "DomainRecord" },
  Firewall: {
    terraform: "linode_firewall",
    pulumi: "Firewall",
    note: {
      terraform: "`linodes` is `devices.computes`, which an import omits. `inbound` and `outbound` are in `rules`.",
      pulumi: "`linodes` is `devices.computes`. `inbounds` and `outbounds` are in `rules`.",
    },
  },
  FirewallDevice: { terraform: "linode_firewall_device", pulumi: "FirewallDevice" },
  Image: {
    terraform: "linode_image",
    pulumi: "Image",
    note: {
      terraform: "`linode_id` is not needed: `diskId` identifies the disk.",
      pulumi: "`linodeId` is not needed: `diskId` identifies the disk.",
    },
  },
  Instance: {
    terraform: "linode_instance",
    pulumi: "Instance",
    note: {
      terraform:
        "`root_pass` is required with `image`. `disk` and `config` blocks are `InstanceDisk` and `InstanceConfig`.",
      pulumi: "`rootPass` is required with `image`. `disks` and `configs` are `InstanceDisk` and `InstanceConfig`.",
    },
  },
  InstanceAction: { note: "Runs an action once, such as a reboot." },
  InstanceConfig: { terraform: "linode_instance_config", pulumi: "InstanceConfig" },
  InstanceDisk: { terraform: "linode_instance_disk", pulumi: "InstanceDisk" },
  InstanceIp: { terraform: "linode_instance_ip", pulumi: "InstanceIp" },
  InstanceSnapshot: { note: "Takes a snapshot." },
  IpAssignment: { terraform: "linode_networking_ip_assignment", pulumi: "NetworkingIpAssignment" },
  IpSharing: { terraform: "linode_instance_shared_ips", pulumi: "InstanceSharedIps" },
  Ipv6Range: {
    terraform: "linode_ipv6_range",
    pulumi: "Ipv6Range",
    note: "Refers to an existing range. In release 4.108.1, only customer support can create ranges.",
  },
  LkeCluster: {
    terraform: "linode_lke_cluster",
    pulumi: "LkeCluster",
    note: {
      terraform: "`pool` blocks are `pools`, a map with a name for each pool.",
      pulumi: "`pools` is a map here, with a name for each pool.",
    },
  },
  LkeNodePool: { terraform: "linode_lke_node_pool", pulumi: "LkeNodePool" },
  LkeNodeRecycle: { note: "Replaces nodes one by one." },
  NodeBalancer: { terraform: "linode_nodebalancer", pulumi: "NodeBalancer" },
  NodeBalancerConfig: { terraform: "linode_nodebalancer_config", pulumi: "NodeBalancerConfig" },
  NodeBalancerNode: { terraform: "linode_nodebalancer_node", pulumi: "NodeBalancerNode" },
  ObjectStorageBucket: {
    terraform: "linode_object_storage_bucket",
    pulumi: "ObjectStorageBucket",
    note: "The id is `{cluster}/{label}` instead of `{cluster}:{label}`.",
  },
  ObjectStorageKey: { terraform: "linode_object_storage_key", pulumi: "ObjectStorageKey" },
  ObjectStorageObject: { terraform: "linode_object_storage_object", pulumi: "ObjectStorageObject" },
  ReverseDns: { terraform: "linode_rdns", pulumi: "Rdns" },
  Tag: {
    note: {
      terraform: "In Terraform, tags exist only as `tags` of objects. `Tag` also manages a tag itself.",
      pulumi: "In `@pulumi/linode`, tags exist only as `tags` of objects. `Tag` also manages a tag itself.",
    },
  },
  Volume: {
    terraform: "linode_volume",
    pulumi: "Volume",
    note: { terraform: "`linode_id` is `computeId`.", pulumi: "`linodeId` is `computeId`." },
  },
  VolumeAttachment: {
    note: {
      terraform:
        "Terraform attaches a volume with its `linode_id`; this package with `computeId` of `Volume`, or with this kind.",
      pulumi:
        "`@pulumi/linode` attaches a volume with its `linodeId`; this package with `computeId` of `Volume`, or with this kind.",
    },
  },
  VolumeClone: {
    note: {
      terraform: "Terraform clones a volume with `source_volume_id`.",
      pulumi: "`@pulumi/linode` clones a volume with `sourceVolumeId`.",
    },
  },
};

const pages = { "docs/from-terraform.md": "terraform", "docs/from-pulumi-linode.md": "pulumi" } as const;

/** The table of kinds on the pages about moving from other providers, whose other text is written by hand. */
export function equivalentsFiles(root: string): Files {
  return Object.fromEntries(
    Object.entries(pages).flatMap(([page, provider]) => {
      const file = join(root, page);
      if (!existsSync(file)) return [];
      const table = /(?<=^\| Here \| .* \| Differences \|\n\| --- \| --- \| --- \|\n)(?:\| .*\n)*/m;
      const text = readFileSync(file, "utf8");
      if (!table.test(text))
        throw new Error(`${page} has no table of kinds, which starts with "| Here | … | Differences |"`);
      const rows = (Object.keys(kinds) as KindName[]).sort().map((kind) => rowOf(kind, provider));
      return [[page, text.replace(table, () => rows.join(""))]];
    }),
  );
}

function rowOf(kind: KindName, provider: "terraform" | "pulumi"): string {
  const { note = "", ...names } = equivalents[kind] ?? {};
  const name = names[provider];
  const remark = typeof note === "string" ? note : note[provider];
  return `| [\`${kind}\`](resources/${kebab(kind)}.md) | ${name ? `\`${name}\`` : "–"} | ${remark} |\n`;
}
