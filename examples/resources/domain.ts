import { Domain } from "pulumi-cloudinfra";

const zone = new Domain("zone", {
  domain: "example.org",
  type: "master",
  soaEmail: "admin@example.org",
  ttlSec: 3600,
  tags: ["production"],
});

// A zone whose records are copied from another name server.
new Domain("copy", { domain: "example.net", type: "slave", masterIps: ["203.0.113.5"] });

export const domainId = zone.id;
