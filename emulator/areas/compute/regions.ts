import { Region } from "../../../api";
import type { Reasons } from "../../core/error-response";
import { type OldRow, table } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";

const services = [
  "Computes",
  "NodeBalancers",
  "Block Storage",
  "Object Storage",
  "Kubernetes",
  "Cloud Firewall",
  "Vlans",
];
const noObjects = ["Object Storage"];
const neither = ["Object Storage", "Vlans"];

/** Id and country of each region, and the services that the region does not offer. */
const places: [id: string, country: string, without?: string[]][] = [
  ["ap-west", "in", noObjects],
  ["ca-central", "ca", noObjects],
  ["ap-southeast", "au", noObjects],
  ["us-central", "us", neither],
  ["us-west", "us", neither],
  ["us-southeast", "us"],
  ["us-east", "us"],
  ["eu-west", "uk", noObjects],
  ["ap-south", "sg"],
  ["eu-central", "de"],
  ["ap-northeast", "jp", noObjects],
];

/**
 * IP addresses of DNS resolvers. They are in ranges for documentation (RFC 5737, RFC 3849), so that requests never
 * reach a real server.
 */
const resolvers = (subnet: number): Region["resolvers"] => ({
  ipv4: [1, 2, 3].map((host) => `203.0.113.${subnet + host}`).join(","),
  ipv6: [1, 2, 3].map((host) => `2001:db8:${subnet}::${host}`).join(","),
});

/** A row of the table `regions`. `at` determines the addresses of its DNS resolvers. */
export const regionRow = (id: string, country: string, without: readonly string[], at: number): Region => ({
  id,
  country,
  capabilities: services.filter((service) => !without.includes(service)),
  status: "ok",
  resolvers: resolvers(10 * (at % 24) + 10),
});

const catalogue = places.map(([id, country, without = []], at) => regionRow(id, country, without, at));

/** Renames the capability `Instances` in regions from snapshots that earlier versions of the emulator have written. */
const upgrade = ({ capabilities, ...row }: OldRow): OldRow => ({
  ...row,
  capabilities: Array.isArray(capabilities)
    ? capabilities.map((name) => (name === "Instances" ? "Computes" : name))
    : capabilities,
});

export const regions: AreaModule<"regions", { regions: Region }> = {
  tables: { regions: table<Region>(catalogue, { shape: Region, upgrade }) },
  handlers: {
    list: ({ world }) => world.regions,
    view: ({ world, path }) => world.regions.get(path.regionId),
  },
};

/** The objects that regions offer, by the capability that stands for them. */
const offers = {
  Computes: "instances",
  NodeBalancers: "load balancers",
  "Block Storage": "volumes",
  Kubernetes: "Kubernetes",
};

/** Rejects a new object in a region that has an outage or does not offer objects of its kind. */
export function checkRegion(
  world: World,
  id: string,
  capability: keyof typeof offers,
  problems: Reasons,
  field?: string,
): void {
  const { status, capabilities } = world.regions.get(id);
  problems.addUnless(status === "ok", `Region ${id} has an outage`, field);
  problems.addUnless(capabilities.includes(capability), `Region ${id} does not offer ${offers[capability]}`, field);
}
