/** What a section of the documents states, in words of ours; or why no test can hold the service to it. */
type Statement = string | { title: string; untestable: string };

export interface Section {
  /** Document and section, as `source` names them. */
  place: string;
  /**
   * Numbered rules, or what a section of prose says, sentence by sentence; limits are the bullets of a list. States have
   * no number but a name: a table of transitions each.
   */
  kind: "rule" | "limit" | "state";
  statements: readonly Statement[];
}

/** Every rule and limit of the three documents, in their order. */
export const sections: readonly Section[] = [
  {
    place: "part 1 · Resources · Network interface object",
    kind: "rule",
    statements: [
      "No entries, the public interface",
      "An update names all interfaces",
      "Changes wait for a reboot",
      "VLANs in some regions only",
      "No move away from VLANs",
    ],
  },
  {
    place: "part 1 · States",
    kind: "state",
    statements: ["Compute instance", "Volume"],
  },
  {
    place: "part 1 · Endpoints · Common rules",
    kind: "rule",
    statements: [
      "JSON bodies with content type",
      "Paging of lists",
      "An empty object for nothing",
      "Names and kinds of ids",
    ],
  },
  {
    place: "part 1 · Endpoints · Compute instances",
    kind: "rule",
    statements: [
      "Creating needs add_computes",
      "Deploying an image",
      "Deploying a script",
      "Restoring another instance's backup",
      "An instance without an image",
      "Tags by unrestricted users",
      "Mail ports are closed",
      "What a deletion takes along",
      "A snapshot replaces another",
      "Rescue keeps sdh to itself",
      "What a resize requires",
      "No shutdown while busy",
      "Statistics of a month",
      "Transfer of a month",
      "What automatic backups hold",
    ],
  },
  {
    place: "part 1 · Endpoints · Disk create",
    kind: "rule",
    statements: [
      "A label or an image",
      "An image needs a password",
      "Which filesystem it gets",
      "A script needs an image",
    ],
  },
  {
    place: "part 1 · Endpoints · Kernels and regions",
    kind: "rule",
    statements: ["Services differ by region"],
  },
  {
    place: "part 1 · Endpoints · Volumes",
    kind: "rule",
    statements: [
      "Create and clone need add_volumes",
      "Region, instance and config",
      "Growing and cloning active ones",
      "What attaching requires",
      "Volumes outside of the config",
      "Deletion, not while migrating",
    ],
  },
  {
    place: "part 1 · Authentication",
    kind: "rule",
    statements: [
      "A bearer token",
      "Scopes, all of them",
      "What needs no token",
      "Restricted users and grants",
      "Applications as OAuth clients",
    ],
  },
  {
    place: "part 1 · Errors",
    kind: "rule",
    statements: ["Fields and reasons", "Success without a result", "What is an error", "A status for each refusal"],
  },
  {
    place: "part 1 · Limits",
    kind: "limit",
    statements: [
      "Pages",
      "Lengths of labels and passwords",
      "One snapshot",
      "The watchdog's patience",
      "Attached volumes",
      "Periods of statistics",
      "Rate limits",
    ],
  },
  {
    place: "part 1 · Versioning",
    kind: "rule",
    statements: [
      "Beta operations under v4beta",
      "The version's number",
      "What is deprecated",
      { title: "Deprecation and negotiation", untestable: "the documents only say that they do not show it" },
    ],
  },
  {
    place: "part 2 · States",
    kind: "state",
    statements: ["Image", "Managed service"],
  },
  {
    place: "part 2 · Endpoints · Managed",
    kind: "rule",
    statements: [
      "Secrets have their own update",
      "The account's SSH key",
      "Access ends with the credential",
      "Monitoring from creation to deletion",
      "Updating and switching services",
    ],
  },
  {
    place: "part 2 · Endpoints · Images",
    kind: "rule",
    statements: ["Capturing a disk", "Uploading an image", "Private images only, for good"],
  },
  {
    place: "part 2 · Endpoints · Object storage",
    kind: "rule",
    statements: [
      "Creating a bucket again",
      "Removing by force",
      "Paging the contents",
      "Signed URLs",
      "Limited keys",
      "Certificates, one at a time",
      "Cancelling needs empty buckets",
      "A terabyte of transfer",
    ],
  },
  {
    place: "part 2 · Endpoints · Kubernetes",
    kind: "rule",
    statements: [
      "Clusters take minutes to come",
      "Versions and high availability",
      "Characters of a label",
      "Bounds of the autoscaler",
      "Custom disks",
      "What deleting a cluster removes",
      "Counts follow nodes and pools",
      "Recycling",
    ],
  },
  {
    place: "part 2 · Endpoints · Tags",
    kind: "rule",
    statements: ["Who may tag what"],
  },
  {
    place: "part 2 · Limits",
    kind: "limit",
    statements: ["Managed", "Images", "Object storage", "Kubernetes", "Tags"],
  },
  {
    place: "part 3 · Resources · Domain",
    kind: "rule",
    statements: ["Times are rounded up"],
  },
  {
    place: "part 3 · Resources · Load balancer config",
    kind: "rule",
    statements: ["Certificates by protocol", "What each check needs"],
  },
  {
    place: "part 3 · States",
    kind: "state",
    statements: ["Domain", "Firewall"],
  },
  {
    place: "part 3 · Endpoints · Domains",
    kind: "rule",
    statements: [
      { title: "Registrars are elsewhere", untestable: "it is about what customers do at another company" },
      "Import by zone transfer",
      "Deletion takes the records along",
      "A clone has all records",
      "A name is there once",
    ],
  },
  {
    place: "part 3 · Endpoints · Load balancers",
    kind: "rule",
    statements: [
      "Serves nothing until configured",
      "What deleting removes and leaves",
      "One config a port",
      "Deleting a config",
      "Rebuilding a config",
      "Statistics",
    ],
  },
  {
    place: "part 3 · Endpoints · Firewalls",
    kind: "rule",
    statements: [
      "Policies and actions",
      "One active on an instance",
      "Who assigns it to what",
      "Rules are replaced, not updated",
      "Deletion takes its rules off",
      "How many rules and addresses",
      "The form of ports",
    ],
  },
  {
    place: "part 3 · Endpoints · IP addresses and VLANs",
    kind: "rule",
    statements: [
      "Further addresses by support",
      "Reverse names",
      "Assigning addresses",
      "Sharing addresses",
      "IPv6 pools and ranges",
      "Joining and leaving VLANs",
    ],
  },
  {
    place: "part 3 · Endpoints · Account and billing",
    kind: "rule",
    statements: [
      "Cancelling charges the card",
      "What unrestricted users see",
      "Payment methods",
      "Paying by card",
      "Paying elsewhere",
      "Promo credit",
      "Secrets of OAuth clients",
      "Transfers of instances",
      "Notifications go by themselves",
      { title: "Operations that are not listed", untestable: "the documents only say that they do not show them" },
    ],
  },
  {
    place: "part 3 · Endpoints · Events",
    kind: "rule",
    statements: ["Seen up to this one", "Ids are whole numbers"],
  },
  {
    place: "part 3 · Events",
    kind: "rule",
    statements: [
      "firewall_create",
      "firewall_delete",
      "firewall_enable",
      "firewall_disable",
      "firewall_device_add",
      "firewall_device_remove",
      "payment_method_add",
      "payment_submitted",
    ],
  },
  {
    place: "part 3 · Limits",
    kind: "limit",
    statements: [
      "Firewalls",
      "Load balancers",
      "Domains and records",
      "Payment methods",
      "Payments",
      "History of 90 days",
      "Promo credit",
      "Three hours for a transfer",
      "OAuth clients, codes, contact data",
    ],
  },
];
