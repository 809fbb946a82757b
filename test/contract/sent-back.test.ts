import { describe, expect, test } from "vitest";
import { type Cloud, cloud } from "./cloud";
import { certificate } from "./load-balancers/certificate";
import { type Account, freshAccount } from "./matrix/plan";
import { type Row, updates, viewed } from "./matrix/updates";

/** Removes the time of the last update, which changes even if nothing else does. */
const lasting = ({ updated: _, ...rest }: Row): Row => rest;

test("finds all operations that update an object with a view operation", () => {
  expect(updates.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "instances.update",
      "volumes.update",
      "firewalls.updateRules",
      "objectStorageObjects.updateAcl",
    ]),
  );
  expect(updates).toHaveLength(24);
});

test.each(updates)("$name accepts the response of GET, and nothing changes", async (one) => {
  await using it = await viewed(one);
  const response = await it.put(it.before);
  expect([response.status, response.body.errors]).toEqual([200, undefined]);
  expect(lasting(await it.look())).toEqual(lasting(it.before));
});

/**
 * Creates objects in states that the other tests do not cover, for example a load balancer port with a certificate.
 * Each function returns the path of its object.
 */
const states: Record<string, (one: Account) => Promise<string>> = {
  async "a config of a load balancer with a certificate"({ api }) {
    const { id: nodeBalancerId } = await api.nodeBalancers.create({ body: { region: "us-east" } });
    const body = { port: 443, protocol: "https" as const, ...(await certificate("example.org")) };
    const { id } = await api.nodeBalancerConfigs.create({ path: { nodeBalancerId }, body });
    return `/nodebalancers/${nodeBalancerId}/configs/${id}`;
  },
  async "an SRV record"({ api }) {
    const path = await zone(api);
    const srv = { type: "SRV" as const, target: "sip", priority: 10, weight: 5, port: 5060, service: "sip" };
    return `/domains/${path.domainId}/records/${(await api.domainRecords.create({ path, body: srv })).id}`;
  },
  async "a Null MX record"({ api }) {
    const path = await zone(api);
    const { id } = await api.domainRecords.create({ path, body: { type: "MX", target: "" } });
    return `/domains/${path.domainId}/records/${id}`;
  },
  async "a CAA record"({ api }) {
    const path = await zone(api);
    const body = { type: "CAA" as const, target: "letsencrypt.org", tag: "issue" as const };
    return `/domains/${path.domainId}/records/${(await api.domainRecords.create({ path, body })).id}`;
  },
  async "an image that waits for its data"({ api }) {
    return `/images/${encodeURIComponent((await api.images.upload({ body: { label: "own", region: "us-east" } })).image.id)}`;
  },
  async "a disabled firewall"({ api }) {
    const rules = { inbound_policy: "DROP" as const, outbound_policy: "ACCEPT" as const };
    const path = { firewallId: (await api.firewalls.create({ body: { label: "edge", rules } })).id };
    await api.firewalls.update({ path, body: { status: "disabled" } });
    return `/networking/firewalls/${path.firewallId}`;
  },
  async "the account with a promotion"(one) {
    await one.send("POST /_emulator/promo-codes", { body: { code: "WELCOME", credit: 100 } });
    await one.api.account.addPromoCredit({ body: { promo_code: "WELCOME" } });
    return "/account";
  },
  async "a key that is limited to a bucket"({ api }) {
    await api.objectStorageBuckets.create({ body: { label: "photos", cluster: "us-east-1" } });
    const access = { bucket_name: "photos", cluster: "us-east-1", permissions: "read_only" as const };
    return `/object-storage/keys/${(await api.objectStorageKeys.create({ body: { label: "one", bucket_access: [access] } })).id}`;
  },
  async "a config in a VLAN, with limits and a volume"({ api, settle }) {
    const { id: computeId } = await api.instances.create({ body: { region: "eu-central", type: "g6-nanode-1" } });
    const volume = await api.volumes.create({ body: { label: "data", region: "eu-central" } });
    const path = { computeId };
    await api.instanceConfigs.create({ path, body: { label: "main", devices: {} } });
    settle();
    await api.volumes.attach({ path: { volumeId: volume.id }, body: { compute_id: computeId } });
    settle();
    const interfaces = [{ purpose: "vlan" as const, label: "inner", ipam_address: "10.0.0.1/24" }];
    const more = { comments: "Ours", memory_limit: 512, devices: { sda: { volume_id: volume.id } }, interfaces };
    return `/compute/instances/${computeId}/configs/${(await api.instanceConfigs.create({ path, body: { label: "two", ...more } })).id}`;
  },
  async "a pool that follows its load"({ api, settle }) {
    const pool = { type: "g6-standard-1", count: 2, autoscaler: { enabled: true, min: 1, max: 3 }, tags: ["prod"] };
    const body = { label: "main", region: "us-east", k8s_version: "1.20", node_pools: [pool] };
    const path = { clusterId: (await api.lkeClusters.create({ body })).id };
    settle();
    return `/lke/clusters/${path.clusterId}/pools/${(await api.lkePools.list({ path })).data[0]?.id}`;
  },
};

const zone = async (api: Account["api"]) => ({
  domainId: (await api.domains.create({ body: { domain: "example.org", type: "master", soa_email: "a@example.org" } }))
    .id,
});

test.each(Object.keys(states))("%s accepts the response of GET, and nothing changes", async (name) => {
  await using created = await freshAccount();
  const path = (await states[name]?.(created)) as "/";
  const before = (await created.send(`GET ${path}`)).body;
  const response = await created.send(`PUT ${path}`, { body: before });
  expect([response.status, response.body.errors]).toEqual([200, undefined]);
  expect(lasting((await created.send(`GET ${path}`)).body)).toEqual(lasting(before));
});

test("a config without a memory limit has none after its response is sent back", async () => {
  await using created = await freshAccount();
  const { api, settle } = created;
  const path = { computeId: (await api.instances.create({ body: { region: "us-east", type: "g6-nanode-1" } })).id };
  const { id } = await api.instanceConfigs.create({ path, body: { label: "main", devices: {} } });
  const config = `/compute/instances/${path.computeId}/configs/${id}` as const;
  await created.send(`PUT ${config}`, { body: (await created.send(`GET ${config}`)).body });
  settle();
  await api.instances.resize({ path, body: { type: "g6-standard-1" } });
  settle();
  expect((await created.send(`GET ${config}`)).body.memory_limit).toBe(2048);
});

/** The paths of all objects that match a path template. Ids are read from the lists of the parent paths. */
async function objectsAt(one: Cloud, template: string): Promise<string[]> {
  const index = template.lastIndexOf("/{");
  if (index < 0) return [template];
  const rest = template.slice(index).replace(/^\/\{\w+\}/, "");
  const paths: string[] = [];
  for (const list of await objectsAt(one, template.slice(0, index))) {
    const { data } = (await one.send(`GET ${list as "/"}?page_size=100`)).body;
    // Public images cannot be updated, so they are omitted.
    for (const entry of data.filter(({ is_public }: Row) => !is_public))
      paths.push(`${list}/${encodeURIComponent(entry.id ?? entry.address ?? entry.label)}${rest}`);
  }
  return paths;
}

describe("in an account with a few objects of every kind", () => {
  const listed = updates.filter(
    ({ name }) => !["instanceAddresses.update", "objectStorageObjects.updateAcl"].includes(name),
  );

  test.each(listed)("$name accepts the response of GET, and nothing changes", async ({ update: { path } }) => {
    await using one = await cloud({ account: "small" });
    const all = await objectsAt(one, path);
    expect(all.length).toBeGreaterThan(0);
    for (const each of all) {
      const before = (await one.send(`GET ${each as "/"}`)).body;
      const response = await one.send(`PUT ${each as "/"}`, { body: before });
      expect([each, response.status, response.body.errors]).toEqual([each, 200, undefined]);
      expect(lasting((await one.send(`GET ${each as "/"}`)).body)).toEqual(lasting(before));
    }
  });
});
