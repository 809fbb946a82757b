import * as pulumi from "@pulumi/pulumi";
import { Domain, DomainRecord, Firewall, Instance, Provider } from "pulumi-cloudinfra/native";

const config = new pulumi.Config();
const domain = config.get("domain") ?? "example.org";

/** The provider of an account. Objects that are created with it have the account's name as a tag. */
const account = (name: string): Provider =>
  new Provider(name, {
    url: config.require(`${name}Url`),
    token: config.requireSecret(`${name}Token`),
    // A provider that a program creates does not have the stack's settings.
    dialect: new pulumi.Config("cloudinfra").get("dialect"),
    defaultTags: [name],
  });

/** A server with its firewall. Both accounts have one, of different sizes. */
function website(name: string, type: string, provider: Provider): Instance {
  const server = new Instance(name, { region: "us-east", type, tags: ["website"] }, { provider });
  new Firewall(
    name,
    {
      rules: {
        inboundPolicy: "DROP",
        inbound: [
          { action: "ACCEPT", protocol: "TCP", ports: "80, 443", addresses: { ipv4: ["0.0.0.0/0"], ipv6: ["::/0"] } },
        ],
        outboundPolicy: "ACCEPT",
      },
      devices: { computes: [server.id] },
    },
    { provider },
  );
  return server;
}

const production = account("production");
const staging = account("staging");

const servers = {
  www: website("website", "g6-standard-1", production),
  staging: website("website-staging", "g6-nanode-1", staging),
};

// The production account has the domain, with a record for the server of each account.
const zone = new Domain("zone", { domain, type: "master", soaEmail: `admin@${domain}` }, { provider: production });
for (const [name, { ipv4 }] of Object.entries(servers)) {
  const target = ipv4.apply((all) => all.find((address) => !address.startsWith("192.168.")) ?? "");
  new DomainRecord(name, { domainId: zone.id, type: "A", name, target, ttlSec: 300 }, { provider: production });
}

export const addresses = { production: servers.www.ipv4, staging: servers.staging.ipv4 };
