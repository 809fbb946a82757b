import type { Section } from "./section";

/** The rules, limits and state tables in part 1 of the API documentation, in its order. */
export const part1: readonly Section[] = [
  {
    name: "part 1 · Resources · Network interface object",
    kind: "rule",
    statements: [
      "Without entries, the public interface",
      "An update lists all interfaces",
      "Changes take effect at a reboot",
      "Regions with VLANs",
      "No migration to regions without VLANs",
    ],
  },
  {
    name: "part 1 · States",
    kind: "state",
    statements: ["Compute instance", "Volume"],
  },
  {
    name: "part 1 · Endpoints · Common rules",
    kind: "rule",
    statements: [
      "JSON bodies with content type",
      "Paging of lists",
      "Empty objects as results",
      "Names and kinds of ids",
    ],
  },
  {
    name: "part 1 · Endpoints · Compute instances",
    kind: "rule",
    statements: [
      "Creating an instance requires add_computes",
      "Deploying an image",
      "Deploying a script",
      "Restoring another instance's backup",
      "An instance without an image",
      "Only unrestricted users set tags",
      "Mail ports are closed",
      "Objects deleted with an instance",
      "A snapshot replaces another",
      "Rescue mode reserves sdh",
      "Requirements of a resize",
      "No shutdown while busy",
      "Statistics of a month",
      "Transfer of a month",
      "Contents of automatic backups",
    ],
  },
  {
    name: "part 1 · Endpoints · Disk create",
    kind: "rule",
    statements: [
      "A label or an image",
      "An image requires a password",
      "Default filesystem",
      "A script requires an image",
    ],
  },
  {
    name: "part 1 · Endpoints · Kernels and regions",
    kind: "rule",
    statements: ["Services differ by region"],
  },
  {
    name: "part 1 · Endpoints · Volumes",
    kind: "rule",
    statements: [
      "Create and clone need add_volumes",
      "Region, instance and config",
      "Growing and cloning active volumes",
      "Requirements of attaching",
      "Volumes outside of the config",
      "Deletion, not while migrating",
    ],
  },
  {
    name: "part 1 · Authentication",
    kind: "rule",
    statements: [
      "A bearer token",
      "Scopes, all of them",
      "Operations without a token",
      "Restricted users and grants",
      "Applications as OAuth clients",
    ],
  },
  {
    name: "part 1 · Errors",
    kind: "rule",
    statements: ["Fields and reasons", "Success without a result", "Errors", "Status codes of errors"],
  },
  {
    name: "part 1 · Limits",
    kind: "limit",
    statements: [
      "Pages",
      "Lengths of labels and passwords",
      "One snapshot",
      "Limits of the watchdog",
      "Attached volumes",
      "Periods of statistics",
      "Rate limits",
    ],
  },
  {
    name: "part 1 · Versioning",
    kind: "rule",
    statements: [
      "Beta operations under v4beta",
      "The version's number",
      "Deprecated fields",
      { title: "Deprecation and negotiation", untestable: "the documents only say that they do not show it" },
    ],
  },
];
