import type { Section } from "./section";

/** The rules, limits and state tables in part 3 of the API documentation, in its order. */
export const part3: readonly Section[] = [
  {
    name: "part 3 · Resources · Domain",
    kind: "rule",
    statements: ["Times are rounded up"],
  },
  {
    name: "part 3 · Resources · Load balancer config",
    kind: "rule",
    statements: ["Certificates by protocol", "Fields of each check"],
  },
  {
    name: "part 3 · States",
    kind: "state",
    statements: ["Domain", "Firewall"],
  },
  {
    name: "part 3 · Endpoints · Domains",
    kind: "rule",
    statements: [
      {
        title: "Registration is not part of the service",
        untestable: "it is about what customers do at another company",
      },
      "Import by zone transfer",
      "Deletion includes the records",
      "A clone contains all records",
      "Domain names are unique",
    ],
  },
  {
    name: "part 3 · Endpoints · Load balancers",
    kind: "rule",
    statements: [
      "No traffic until a config exists",
      "Objects deleted with it, and objects kept",
      "One config per port",
      "Deleting a config",
      "Rebuilding a config",
      "Statistics",
    ],
  },
  {
    name: "part 3 · Endpoints · Firewalls",
    kind: "rule",
    statements: [
      "Policies and actions",
      "One active firewall per instance",
      "Permissions for assignments",
      "Rules are replaced, not updated",
      "Deletion removes the rules from instances",
      "Maximum number of rules and addresses",
      "The form of ports",
    ],
  },
  {
    name: "part 3 · Endpoints · IP addresses and VLANs",
    kind: "rule",
    statements: [
      "Additional addresses from support",
      "Reverse DNS names",
      "Assigning addresses",
      "Sharing addresses",
      "IPv6 pools and ranges",
      "Joining and leaving VLANs",
    ],
  },
  {
    name: "part 3 · Endpoints · Account and billing",
    kind: "rule",
    statements: [
      "Cancelling charges the card",
      "Visibility for unrestricted users",
      "Payment methods",
      "Paying by card",
      "Paying elsewhere",
      "Promo credit",
      "Secrets of OAuth clients",
      "Transfers of instances",
      "Notifications end by themselves",
      { title: "Operations that are not listed", untestable: "the documents only say that they do not show them" },
    ],
  },
  {
    name: "part 3 · Endpoints · Events",
    kind: "rule",
    statements: ["Marking earlier events as seen", "Ids are whole numbers"],
  },
  {
    name: "part 3 · Events",
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
    name: "part 3 · Limits",
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
