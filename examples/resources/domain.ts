import { Domain } from "pulumi-cloudinfra";

const zone = new Domain("zone", {
  domain: "example.org",
  type: "master",
  soaEmail: "admin@example.org",
  ttlSec: 3600,
  tags: ["production"],
});

// The same zone from a server of one's own.
new Domain("copy", { domain: "example.net", type: "slave", masterIps: ["203.0.113.5"] });

export const domainId = zone.id;
