import type { Image, InstanceType, Kernel, LkeVersion, ObjectStorageCluster, Region } from "../../api";

const region = (id: string, country: string, without: readonly string[] = []): Region => ({
  id,
  country,
  capabilities: [
    "Instances",
    "NodeBalancers",
    "Block Storage",
    "Object Storage",
    "Kubernetes",
    "Cloud Firewall",
    "Vlans",
  ].filter((capability) => !without.includes(capability)),
  status: "ok",
  resolvers: resolvers(id),
});

/** Addresses for documentation (RFC 5737, RFC 3849): no request ever leaves for them. */
const resolvers = (id: string): Region["resolvers"] => {
  const place = 10 * (1 + places.indexOf(id));
  return {
    ipv4: [1, 2, 3].map((host) => `203.0.113.${place + host}`).join(","),
    ipv6: [1, 2, 3].map((host) => `2001:db8:${place}::${host}`).join(","),
  };
};

const places = [
  "ap-west",
  "ca-central",
  "ap-southeast",
  "us-central",
  "us-west",
  "us-southeast",
  "us-east",
  "eu-west",
  "ap-south",
  "eu-central",
  "ap-northeast",
];
const noObjects = ["Object Storage"];
const neither = ["Object Storage", "Vlans"];

export const regions: Region[] = [
  region("ap-west", "in", noObjects),
  region("ca-central", "ca", noObjects),
  region("ap-southeast", "au", noObjects),
  region("us-central", "us", neither),
  region("us-west", "us", neither),
  region("us-southeast", "us"),
  region("us-east", "us"),
  region("eu-west", "uk", noObjects),
  region("ap-south", "sg"),
  region("eu-central", "de"),
  region("ap-northeast", "jp", noObjects),
];

const cluster = (region: string): ObjectStorageCluster => ({
  id: `${region}-1`,
  domain: `${region}-1.objects.cloudinfra.example`,
  static_site_domain: `website-${region}-1.objects.cloudinfra.example`,
  status: "available",
  region,
});

export const objectStorageClusters: ObjectStorageCluster[] = [
  cluster("us-east"),
  cluster("eu-central"),
  cluster("ap-south"),
  cluster("us-southeast"),
];

const price = (monthly: number): InstanceType["price"] => ({
  hourly: Math.round((monthly / 666.67) * 10_000) / 10_000,
  monthly,
});

const type = (
  kind: InstanceType["class"],
  id: string,
  label: string,
  [vcpus, memory, disk, transfer, monthly]: readonly [number, number, number, number, number],
  gpus = 0,
): InstanceType => ({
  id,
  label,
  class: kind,
  vcpus,
  memory,
  disk,
  transfer,
  gpus,
  network_out: Math.min(12_000, Math.max(1000, transfer)),
  price: price(monthly),
  addons: { backups: { price: price(Math.max(2, Math.round(monthly / 4))) } },
  successor: null,
});

const retired = (successor: string, old: InstanceType): InstanceType => ({ ...old, successor });

export const types: InstanceType[] = [
  type("nanode", "g6-nanode-1", "Nanode 1GB", [1, 1024, 25_600, 1000, 5]),
  type("standard", "g6-standard-1", "Standard 2GB", [1, 2048, 51_200, 2000, 10]),
  type("standard", "g6-standard-2", "Standard 4GB", [2, 4096, 81_920, 4000, 20]),
  type("standard", "g6-standard-4", "Standard 8GB", [4, 8192, 163_840, 5000, 40]),
  type("standard", "g6-standard-6", "Standard 16GB", [6, 16_384, 327_680, 8000, 80]),
  type("standard", "g6-standard-8", "Standard 32GB", [8, 32_768, 655_360, 16_000, 160]),
  type("dedicated", "g6-dedicated-2", "Dedicated 4GB", [2, 4096, 81_920, 4000, 30]),
  type("dedicated", "g6-dedicated-4", "Dedicated 8GB", [4, 8192, 163_840, 5000, 60]),
  type("dedicated", "g6-dedicated-8", "Dedicated 16GB", [8, 16_384, 327_680, 6000, 120]),
  type("dedicated", "g6-dedicated-16", "Dedicated 32GB", [16, 32_768, 655_360, 7000, 240]),
  type("highmem", "g7-highmem-1", "High Memory 24GB", [2, 24_576, 20_480, 5000, 60]),
  type("highmem", "g7-highmem-2", "High Memory 48GB", [2, 49_152, 40_960, 6000, 120]),
  type("highmem", "g7-highmem-4", "High Memory 90GB", [4, 92_160, 92_160, 7000, 240]),
  type("gpu", "g1-gpu-rtx6000-1", "GPU 32GB", [8, 32_768, 655_360, 16_000, 1000], 1),
  type("gpu", "g1-gpu-rtx6000-2", "GPU 64GB", [16, 65_536, 1_310_720, 20_000, 2000], 2),
  retired("g6-nanode-1", type("nanode", "g5-nanode-1", "Nanode 1GB (retired)", [1, 1024, 20_480, 1000, 5])),
  retired("g6-standard-1", type("standard", "g5-standard-1", "Standard 2GB (retired)", [1, 2048, 30_720, 2000, 10])),
  retired("g6-standard-2", type("standard", "g5-standard-2", "Standard 4GB (retired)", [2, 4096, 49_152, 3000, 20])),
];

const kernel = (name: string, label: string, version: string, flags: Partial<Kernel> = {}): Kernel => ({
  id: `compute/${name}`,
  label,
  version,
  architecture: "x86_64",
  kvm: true,
  xen: false,
  pvops: true,
  deprecated: false,
  built: "2021-12-01T12:00:00",
  ...flags,
});

const i386 = { architecture: "i386", deprecated: true } as const;

export const kernels: Kernel[] = [
  kernel("latest-64bit", "Latest 64 bit (5.15.10-x86_64)", "5.15.10"),
  kernel("latest-32bit", "Latest 32 bit (5.15.10-x86)", "5.15.10", i386),
  kernel("grub2", "GRUB 2", "2.06"),
  kernel("direct-disk", "Direct Disk", "", { pvops: false }),
  kernel("5.15.10-x86_64-compute152", "5.15.10-x86_64-compute152", "5.15.10"),
  kernel("5.14.17-x86_64-compute150", "5.14.17-x86_64-compute150", "5.14.17"),
  kernel("5.10.13-x86_64-compute141", "5.10.13-x86_64-compute141", "5.10.13"),
  kernel("4.14.120-x86-compute131", "4.14.120-x86-compute131", "4.14.120", i386),
];

const image = (name: string, label: string, vendor: string, size: number, eol: string, deprecated = false): Image => ({
  id: `compute/${name}`,
  label,
  description: null,
  status: "available",
  type: "manual",
  is_public: true,
  deprecated,
  vendor,
  size,
  created_by: "compute",
  expiry: null,
  eol: `${eol}T00:00:00`,
  created: "2021-09-01T12:00:00",
  updated: "2021-12-01T12:00:00",
});

export const images: Image[] = [
  image("almalinux8", "AlmaLinux 8", "AlmaLinux", 1200, "2029-12-31"),
  image("alpine3.14", "Alpine 3.14", "Alpine", 300, "2023-05-01"),
  image("alpine3.15", "Alpine 3.15", "Alpine", 300, "2023-11-01"),
  image("arch", "Arch Linux", "Arch", 2500, "2099-12-31"),
  image("centos7", "CentOS 7", "CentOS", 1500, "2024-06-30", true),
  image("debian9", "Debian 9", "Debian", 1100, "2022-06-30"),
  image("debian10", "Debian 10", "Debian", 1500, "2024-06-30"),
  image("debian11", "Debian 11", "Debian", 1300, "2026-06-30"),
  image("fedora35", "Fedora 35", "Fedora", 2000, "2022-12-13"),
  image("opensuse15.3", "openSUSE Leap 15.3", "openSUSE", 1700, "2022-12-31"),
  image("rocky8", "Rocky Linux 8", "Rocky", 1200, "2029-05-31"),
  image("slackware14.2", "Slackware 14.2", "Slackware", 6000, "2024-01-01", true),
  image("ubuntu18.04", "Ubuntu 18.04 LTS", "Ubuntu", 1600, "2023-04-02"),
  image("ubuntu20.04", "Ubuntu 20.04 LTS", "Ubuntu", 2500, "2025-04-02"),
  image("ubuntu22.04", "Ubuntu 22.04 LTS", "Ubuntu", 2500, "2027-04-01"),
];

export const lkeVersions: LkeVersion[] = ["1.20", "1.21", "1.22"].map((id) => ({ id }));
