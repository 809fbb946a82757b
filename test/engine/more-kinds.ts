import type { Emulator } from "../../emulator";
import { connect } from "../../provider/client";
import type { ConfigValue } from "../../testing/engine";
import { certificates } from "../lifecycle/kinds/certificates";

/**
 * Secrets in the program that `moreKinds` is a part of. State, logs and output must not contain any of them in plain
 * text.
 */
export const morePlanted = {
  diskPass: "Planted-Disk-43!",
  login: "planted-login-5f1b",
  rebuildPass: "Planted-Anew-44!",
  card: "4111111111111111",
};

/**
 * Stack configuration with the program's secrets. To find a leaked private key, tests search for one line of it,
 * because its line breaks may be missing in state.
 */
export async function moreConfig(): Promise<Record<string, ConfigValue>> {
  const [pair] = await certificates;
  const secrets = { ...morePlanted, sslCert: pair.sslCert, sslKey: pair.sslKey };
  return Object.fromEntries(Object.entries(secrets).map(([key, secret]) => [key, { secret }]));
}

/** Adds a payment card outside the program, so that the program's card is not the last one: that cannot be deleted. */
export async function ownCard({ url, token }: Pick<Emulator, "url" | "token">): Promise<void> {
  const client = connect({ url, token });
  const data = { card_number: "5555555555554444", expiry_month: 12, expiry_year: 2032, cvv: "321" };
  await client.api.paymentMethods.add({ body: { data } });
  await client.close();
}

/** For each resource, the input that `moreKinds` changes in place if `edit` is set. */
export const moreEdits = {
  "AccountContact account": "city",
  "DomainRecord alias": "ttlSec",
  "Image golden": "description",
  "InstanceAction rebuild": "triggers",
  "InstanceConfig boots": "comments",
  "InstanceDisk root": "size",
  "IpAssignment holders": "assignments",
  "IpSharing failover": "ips",
  "ManagedComputeSettings support": "ssh",
  "ManagedContact oncall": "phone",
  "ManagedCredential login": "label",
  "ManagedService site": "timeout",
  "NodeBalancer front": "clientConnThrottle",
  "NodeBalancerConfig https": "algorithm",
  "NodeBalancerNode backend": "weight",
  "OAuthClient shop": "redirectUri",
  "ObjectStorageBucket photos": "acl",
  "ObjectStorageKey app": "label",
  "ObjectStorageObject hello": "content",
  "PaymentMethod card": "isDefault",
  "LkeNodeRecycle follow": "triggers",
  "ReverseDns web": "rdns",
  "Tag team": "computes",
  "VolumeAttachment logs": "computeId",
};

/** The second part of the program that `allKinds` generates. It need not contain all kinds, and uses the first part. */
export const moreKinds = `
const region = "us-east";
const empty = (name) => new cloudinfra.Instance(name, { region, type: "g6-standard-1", tags });
const publicOf = (machine) => machine.ipv4.apply((all) => all.find((address) => !address.startsWith("192.168.")));

const db = new cloudinfra.Instance("db", { region, type: "g6-standard-1", backupsEnabled: true, tags });
const root = new cloudinfra.InstanceDisk("root", {
  computeId: db.id, label: "root", image: "compute/debian11", rootPass: config.requireSecret("diskPass"), size: edit ? 8000 : 6000,
});
const boots = new cloudinfra.InstanceConfig("boots", {
  computeId: db.id, label: "boots", devices: { sda: { diskId: root.id } }, booted: true, comments: edit ? "b" : "a",
});
const before = new cloudinfra.InstanceSnapshot("before", { computeId: db.id, label: "before" }, { dependsOn: boots });

const golden = new cloudinfra.Image("golden", { diskId: root.id, description: edit ? "new" : "old" }, { dependsOn: before });
new cloudinfra.InstanceIp("inside", { computeId: db.id, public: false });

const [standby, spare] = [empty("standby"), empty("spare")];
new cloudinfra.InstanceAction("rebuild", {
  computeId: spare.id,
  rebuild: { image: "compute/debian11", rootPass: config.requireSecret("rebuildPass") },
  triggers: [edit],
});
new cloudinfra.ServiceTransfer("gift", { entities: { computes: [empty("given").id] } });
new cloudinfra.IpSharing("failover", { computeId: standby.id, ips: edit ? [] : [publicOf(web)] });
const extra1 = publicOf(standby);
new cloudinfra.IpAssignment("holders", {
  region, assignments: edit ? [{ address: extra1, computeId: standby.id }, { address: publicOf(db), computeId: db.id }] : [{ address: extra1, computeId: standby.id }],
});
const alias = new cloudinfra.DomainRecord("alias", { domainId: zone.id, type: "A", name: "alias", target: publicOf(web), ttlSec: edit ? 3600 : 300 });
new cloudinfra.ReverseDns("web", { address: publicOf(web), rdns: edit ? "Alias.example.org." : "www.example.org" }, { dependsOn: [www, alias] });
const logs = new cloudinfra.Volume("logs", { region, size: 10, tags });
const attachable = (name) => new cloudinfra.Instance(name, { region, type: "g6-nanode-1", config: { kernel: "compute/grub2" } });
const [one, other] = [attachable("one"), attachable("other")];
new cloudinfra.VolumeAttachment("logs", { volumeId: logs.id, computeId: edit ? other.id : one.id });
new cloudinfra.Tag("team", { label: "Team-A", computes: edit ? [one.id] : [one.id, other.id] });

const front = new cloudinfra.NodeBalancer("front", { region, clientConnThrottle: edit ? 5 : "0", tags });
const https = new cloudinfra.NodeBalancerConfig("https", {
  nodebalancerId: front.id, port: "443", protocol: "HTTPS", algorithm: edit ? "leastconn" : "roundrobin",
  sslCert: config.requireSecret("sslCert"), sslKey: config.requireSecret("sslKey"),
});
new cloudinfra.NodeBalancerNode("backend", {
  nodebalancerId: front.id, configId: https.id, label: "backend", weight: edit ? 50 : 100,
  address: web.ipv4.apply((all) => all.find((address) => address.startsWith("192.168.")) + ":8080"),
});

const photos = new cloudinfra.ObjectStorageBucket("photos", {
  cluster: "us-east-1", label: "photos", acl: edit ? "public-read" : "private", forceDestroy: true,
  certificate: { certificate: config.requireSecret("sslCert"), privateKey: config.requireSecret("sslKey") },
});
const app = new cloudinfra.ObjectStorageKey("app", {
  label: edit ? "app-2" : "app", bucketAccess: [{ cluster: photos.cluster, bucketName: photos.label, permissions: "read_write" }],
});
new cloudinfra.ObjectStorageObject("hello", { cluster: photos.cluster, bucket: photos.label, name: "a/b.txt", content: edit ? "hello, you" : "hello" });

const login = new cloudinfra.ManagedCredential("login", { label: edit ? "root-2" : "root", password: config.requireSecret("login") });
new cloudinfra.ManagedContact("oncall", { name: "On call", email: "oncall@example.org", phone: { primary: edit ? "555-0101" : "555-0100" } });
new cloudinfra.ManagedService("site", {
  label: "site", serviceType: "url", address: "https://www.example.org/", timeout: edit ? 20 : 10, credentials: [login.id],
});
new cloudinfra.ManagedComputeSettings("support", { computeId: spare.id, ssh: { user: "support", port: edit ? 2222 : "22" } });
const shop = new cloudinfra.OAuthClient("shop", { label: "Shop", redirectUri: edit ? "https://shop.example.org/in" : "https://shop.example.org/" });
new cloudinfra.AccountContact("account", { city: edit ? "Chicago" : "Boston" });
new cloudinfra.PaymentMethod("card", {
  isDefault: edit, data: { cardNumber: config.requireSecret("card"), expiryMonth: 1, expiryYear: 2031, cvv: "123" },
});
new cloudinfra.LkeNodeRecycle("follow", { clusterId: apps.id, triggers: [edit] });

exports.objectSecret = app.secretKey;
exports.oauthSecret = shop.secret;`;
