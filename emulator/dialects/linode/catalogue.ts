import type { Image, InstanceType, LkeVersion, ObjectStorageCluster, Region } from "../../../api";
import { regionRow } from "../../areas/compute/regions";
import { instanceType } from "../../areas/compute/types";
import { clusterRow } from "../../areas/object-storage/object-storage-clusters";
import { publicImage } from "../../areas/storage/public-images";
import type { Behavior } from "../behavior";

/** Id, country and display name of the regions that came after the contract's release. */
const places: readonly (readonly [id: string, country: string, name: string])[] = [
  ["us-iad", "us", "Washington, DC"],
  ["us-ord", "us", "Chicago, IL"],
  ["fr-par", "fr", "Paris, FR"],
  ["us-sea", "us", "Seattle, WA"],
  ["br-gru", "br", "Sao Paulo, BR"],
  ["nl-ams", "nl", "Amsterdam, NL"],
  ["se-sto", "se", "Stockholm, SE"],
  ["es-mad", "es", "Madrid, ES"],
  ["in-maa", "in", "Chennai, IN"],
  ["jp-osa", "jp", "Osaka, JP"],
  ["it-mil", "it", "Milan, IT"],
  ["us-mia", "us", "Miami, FL"],
  ["id-cgk", "id", "Jakarta, ID"],
  ["us-lax", "us", "Los Angeles, CA"],
  ["gb-lon", "gb", "London 2, UK"],
  ["au-mel", "au", "Melbourne, AU"],
  ["in-bom-2", "in", "Mumbai 2, IN"],
  ["de-fra-2", "de", "Frankfurt 2, DE"],
  ["sg-sin-2", "sg", "Singapore 2, SG"],
  ["jp-tyo-3", "jp", "Tokyo 3, JP"],
];

/** The display names of all regions. */
export const regionNames: Readonly<Record<string, string>> = {
  "ap-west": "Mumbai, IN",
  "ca-central": "Toronto, CA",
  "ap-southeast": "Sydney, AU",
  "us-central": "Dallas, TX",
  "us-west": "Fremont, CA",
  "us-southeast": "Atlanta, GA",
  "us-east": "Newark, NJ",
  "eu-west": "London, UK",
  "ap-south": "Singapore, SG",
  "eu-central": "Frankfurt, DE",
  "ap-northeast": "Tokyo 2, JP",
  ...Object.fromEntries(places.map(([id, , name]) => [id, name])),
};

const regions: Region[] = places.map(([id, country], at) => regionRow(id, country, [], at));

const types: InstanceType[] = [
  instanceType("standard", "g6-standard-16", "Standard 64GB", [16, 65_536, 1_310_720, 20_000, 384]),
  instanceType("standard", "g6-standard-20", "Standard 96GB", [20, 98_304, 1_966_080, 20_000, 576]),
  instanceType("standard", "g6-standard-24", "Standard 128GB", [24, 131_072, 2_621_440, 20_000, 768]),
  instanceType("standard", "g6-standard-32", "Standard 192GB", [32, 196_608, 3_932_160, 20_000, 1152]),
  instanceType("dedicated", "g6-dedicated-32", "Dedicated 64GB", [32, 65_536, 1_310_720, 8000, 576]),
  instanceType("dedicated", "g6-dedicated-48", "Dedicated 96GB", [48, 98_304, 1_966_080, 9000, 864]),
  instanceType("dedicated", "g6-dedicated-50", "Dedicated 128GB", [50, 131_072, 2_560_000, 10_000, 1152]),
  instanceType("dedicated", "g6-dedicated-56", "Dedicated 256GB", [56, 262_144, 5_120_000, 11_000, 2304]),
  instanceType("dedicated", "g6-dedicated-64", "Dedicated 512GB", [64, 524_288, 7_372_800, 12_000, 4608]),
  instanceType("highmem", "g7-highmem-8", "High Memory 150GB", [8, 153_600, 204_800, 8000, 480]),
  instanceType("highmem", "g7-highmem-16", "High Memory 300GB", [16, 307_200, 348_160, 9000, 960]),
];

const images: Image[] = [
  publicImage("almalinux9", "AlmaLinux 9", "AlmaLinux", 2200, "2032-05-31"),
  publicImage("almalinux10", "AlmaLinux 10", "AlmaLinux", 2400, "2035-05-31"),
  publicImage("alpine3.20", "Alpine 3.20", "Alpine", 300, "2026-04-01"),
  publicImage("alpine3.21", "Alpine 3.21", "Alpine", 300, "2026-11-01"),
  publicImage("alpine3.22", "Alpine 3.22", "Alpine", 300, "2027-05-01"),
  publicImage("centos-stream9", "CentOS Stream 9", "CentOS", 2200, "2027-05-31"),
  publicImage("centos-stream10", "CentOS Stream 10", "CentOS", 2400, "2030-01-01"),
  publicImage("debian12", "Debian 12", "Debian", 1700, "2028-06-30"),
  publicImage("debian13", "Debian 13", "Debian", 1800, "2030-06-30"),
  publicImage("fedora41", "Fedora 41", "Fedora", 3200, "2025-11-19"),
  publicImage("fedora42", "Fedora 42", "Fedora", 3200, "2026-05-13"),
  publicImage("kali", "Kali Linux", "Kali", 4000, "2099-12-31"),
  publicImage("opensuse15.6", "openSUSE Leap 15.6", "openSUSE", 2400, "2026-04-30"),
  publicImage("rocky9", "Rocky Linux 9", "Rocky", 2400, "2032-05-31"),
  publicImage("rocky10", "Rocky Linux 10", "Rocky", 2500, "2035-05-31"),
  publicImage("slackware15.0", "Slackware 15.0", "Slackware", 11_000, "2028-02-02"),
  publicImage("ubuntu24.04", "Ubuntu 24.04 LTS", "Ubuntu", 3600, "2029-04-25"),
  publicImage("ubuntu25.04", "Ubuntu 25.04", "Ubuntu", 3600, "2026-01-15"),
];

const lkeVersions: LkeVersion[] = ["1.32", "1.33", "1.34"].map((id) => ({ id }));

const clusters: ObjectStorageCluster[] = [
  "us-iad",
  "us-ord",
  "fr-par",
  "us-sea",
  "br-gru",
  "nl-ams",
  "se-sto",
  "es-mad",
  "in-maa",
  "jp-osa",
  "it-mil",
  "us-mia",
  "id-cgk",
  "us-lax",
].map(clusterRow);

/**
 * The offers of the service that came after the contract's release, so that today's programs run unchanged.
 */
export const catalogue = {
  regions,
  types,
  images,
  lkeVersions,
  objectStorageClusters: clusters,
} satisfies Behavior["catalogue"];
