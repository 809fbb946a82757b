import type { Section } from "./section";

/** The rules, limits and state tables in part 2 of the API documentation, in its order. */
export const part2: readonly Section[] = [
  {
    name: "part 2 · States",
    kind: "state",
    statements: ["Image", "Managed service"],
  },
  {
    name: "part 2 · Endpoints · Managed",
    kind: "rule",
    statements: [
      "Secrets have their own update",
      "The account's SSH key",
      "Access ends when the credential is deleted",
      "Monitoring from creation to deletion",
      "Updating and switching services",
    ],
  },
  {
    name: "part 2 · Endpoints · Images",
    kind: "rule",
    statements: ["Capturing a disk", "Uploading an image", "Private images only, permanently"],
  },
  {
    name: "part 2 · Endpoints · Object storage",
    kind: "rule",
    statements: [
      "Creating a bucket again",
      "Removing by force",
      "Paging the contents",
      "Signed URLs",
      "Limited keys",
      "Certificates, one at a time",
      "Cancelling requires empty buckets",
      "A terabyte of transfer",
    ],
  },
  {
    name: "part 2 · Endpoints · Kubernetes",
    kind: "rule",
    statements: [
      "Clusters take minutes to become ready",
      "Versions and high availability",
      "Characters of a label",
      "Bounds of the autoscaler",
      "Custom disks",
      "Objects deleted with a cluster",
      "Counts after nodes and pools are deleted",
      "Recycling",
    ],
  },
  {
    name: "part 2 · Endpoints · Tags",
    kind: "rule",
    statements: ["Permissions for tags"],
  },
  {
    name: "part 2 · Limits",
    kind: "limit",
    statements: ["Managed", "Images", "Object storage", "Kubernetes", "Tags"],
  },
];
