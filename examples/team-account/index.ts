import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";

const config = new pulumi.Config();
const region = config.require("region");
const domain = config.require("domain");
const office = config.get("office") ?? "192.0.2.0/24";

const everywhere = { ipv4: ["0.0.0.0/0"], ipv6: ["::/0"] };
const fromOffice = { ipv4: [office] };

/** Firewall rules that accept connections to some ports, and drop all others. */
const accept = (label: string, ports: string, addresses: typeof fromOffice) => ({
  inboundPolicy: "DROP" as const,
  inbound: [{ label, action: "ACCEPT" as const, protocol: "TCP" as const, ports, addresses }],
  outboundPolicy: "ACCEPT" as const,
});

/** A firewall for all servers with a tag, whether Pulumi manages them or not. */
function firewallFor(tag: string, ports: string, addresses: typeof fromOffice): cloudinfra.Firewall {
  const tagged = cloudinfra.listInstancesOutput({ filter: { tags: tag }, orderBy: "id" });
  const computes = tagged.instances.apply((instances) => instances.map(({ id }) => id));
  return new cloudinfra.Firewall(tag, { rules: accept(tag, ports, addresses), devices: { computes } });
}

firewallFor("public-web", "80, 443", everywhere);
firewallFor("internal", "22, 443", fromOffice);

// Where invoices and notices of the account are sent. Fields that are not set here keep their values.
new cloudinfra.AccountContact("billing", { company: "Example Ltd", email: `billing@${domain}`, phone: "555-0100" });

// The contact that is called if a monitored service is down.
new cloudinfra.ManagedContact("on-call", {
  name: "On call",
  email: `on-call@${domain}`,
  phone: { primary: "+1 555 0101" },
  group: "on-call",
});

// The team's dashboard logs people in with their accounts. Change `secretVersion` to rotate its secret.
const dashboard = new cloudinfra.OAuthClient("dashboard", {
  label: "Dashboard",
  redirectUri: `https://dashboard.${domain}/login`,
  secretVersion: "2026",
});

// The server and its volume contain data that no program can create again: the service backs the server up, and
// Pulumi does not delete either of them as long as they are protected.
const wiki = new cloudinfra.Instance(
  "wiki",
  {
    region,
    type: "g6-standard-1",
    image: "compute/debian11",
    rootPass: config.requireSecret("rootPass"),
    backupsEnabled: true,
  },
  { protect: true },
);
// A tag would protect the server only from the next update on, because servers are looked up before this one exists.
new cloudinfra.Firewall("wiki", { rules: accept("wiki", "22, 443", fromOffice), devices: { computes: [wiki.id] } });
const pages = new cloudinfra.Volume("pages", { region, size: 20, computeId: wiki.id }, { protect: true });

export const clientId = dashboard.id;
/** Secret: `pulumi stack output clientSecret --show-secrets` prints it. */
export const clientSecret = dashboard.secret;
export const backups = wiki.id.apply((id) => `npx cloudinfra api instance-backups list ${id}`);
export const path = pages.filesystemPath;
