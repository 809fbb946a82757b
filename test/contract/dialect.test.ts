import { expect, test } from "vitest";
import { cloud, restricted } from "./cloud";

/** An emulator with the names of the public service, and an instance with a volume. */
async function linode() {
  const service = await cloud({ dialect: "linode", account: "empty" });
  const instance = await service.send("POST /linode/instances", {
    body: {
      region: "us-east",
      type: "g6-nanode-1",
      label: "compute",
      image: "linode/debian11",
      root_pass: "Correct-Horse-42",
      tags: ["linode_id"],
    },
  });
  expect(instance.status).toBe(200);
  service.settle();
  const id: number = instance.body.id;
  return { service, send: service.send, id, instance: instance.body, [Symbol.asyncDispose]: () => service.close() };
}

test("an instance has the public ids of its image, and the texts of its user", async () => {
  await using it = await linode();
  expect(it.instance).toMatchObject({ label: "compute", image: "linode/debian11", tags: ["linode_id"] });
  expect((await it.send(`GET /linode/instances/${it.id}`)).body).toMatchObject({ image: "linode/debian11" });
  const { data } = (await it.send("GET /linode/instances")).body;
  expect(data).toMatchObject([{ id: it.id, label: "compute", image: "linode/debian11" }]);
});

test("the contract's own paths, fields, values and ids are unknown", async () => {
  await using it = await linode();
  expect((await it.send("GET /compute/instances")).status).toBe(404);
  expect((await it.send("GET /images/compute/debian11")).status).toBe(404);
  expect(
    (await it.send("POST /volumes", { body: { label: "data", size: 20, compute_id: it.id } })).body.errors,
  ).toContainEqual({
    field: "compute_id",
    reason: "Is not a known field",
  });
  const { errors } = (
    await it.send("POST /linode/instances", {
      body: { region: "us-east", type: "g6-nanode-1", image: "compute/debian11", root_pass: "Correct-Horse-42" },
    })
  ).body;
  expect(errors).toEqual([
    { field: "image", reason: 'There is no image "compute/debian11"; GET /v4/images lists them' },
  ]);
});

test("volumes, their device paths and their filters have public names", async () => {
  await using it = await linode();
  const { body } = await it.send("POST /volumes", { body: { label: "compute", size: 20, linode_id: it.id } });
  expect(body).toMatchObject({
    label: "compute",
    linode_id: it.id,
    linode_label: "compute",
    filesystem_path: "/dev/disk/by-id/scsi-0Linode_Volume_compute",
  });
  expect(body).not.toHaveProperty("compute_id");
  const addresses = await it.send("GET /networking/ips", { filter: { linode_id: it.id, "+order_by": "linode_id" } });
  expect(addresses.body.data.map(({ linode_id }: { linode_id: number }) => linode_id)).toContain(it.id);
  const rejected = await it.send("GET /networking/ips", { filter: { compute_id: it.id } });
  expect(rejected.body.errors).toEqual([{ field: "X-Filter", reason: "Cannot filter on compute_id" }]);
});

test("events have public actions and entities, and can be filtered by them", async () => {
  await using it = await linode();
  const { data } = (
    await it.send("GET /account/events", { filter: { action: "linode_create", "entity.type": "linode" } })
  ).body;
  expect(data).toMatchObject([
    {
      action: "linode_create",
      entity: { id: it.id, label: "compute", type: "linode", url: `/v4/linode/instances/${it.id}` },
      secondary_entity: { id: "linode/debian11", type: "image" },
    },
  ]);
});

test("catalogues have public ids, also in paths with and without an escaped slash", async () => {
  await using it = await linode();
  for (const path of ["linode/debian11", "linode%2Fdebian11"] as const)
    expect((await it.send(`GET /images/${path}`)).body).toMatchObject({ id: "linode/debian11", created_by: "linode" });
  expect((await it.send("GET /linode/kernels/linode/latest-64bit")).body).toMatchObject({ id: "linode/latest-64bit" });
  expect((await it.send("GET /regions/us-east")).body.capabilities).toContain("Linodes");
});

test("firewalls, tags and managed settings have public names", async () => {
  await using it = await linode();
  const rules = { inbound: [], inbound_policy: "ACCEPT", outbound: [], outbound_policy: "ACCEPT" };
  const { body: firewall } = await it.send("POST /networking/firewalls", {
    body: { label: "linode", rules, devices: { linodes: [it.id] } },
  });
  const devices = await it.send(`GET /networking/firewalls/${firewall.id}/devices`);
  expect(devices.body.data).toMatchObject([
    { entity: { id: it.id, type: "linode", url: `/v4/linode/instances/${it.id}` } },
  ]);
  expect((await it.send("POST /tags", { body: { label: "computes", linodes: [it.id] } })).body).toEqual({
    label: "computes",
  });
  const tagged = await it.send("GET /tags/computes");
  expect(tagged.body.data).toMatchObject([{ type: "linode", data: { id: it.id, image: "linode/debian11" } }]);
  expect((await it.send("GET /managed/linode-settings")).status).toBe(200);
});

test("transfers have public names", async () => {
  await using it = await linode();
  const offer = await it.send("POST /account/entity-transfers", { body: { entities: { linodes: [it.id] } } });
  expect(offer.body.entities).toEqual({ linodes: [it.id] });
});

test("errors name public fields, scopes and the public noun", async () => {
  await using it = await linode();
  const token = await restricted(it.service, {}, ["volumes:read_write"]);
  const rejected = await it.send("GET /linode/instances", { token });
  expect(rejected.status).toBe(403);
  expect(rejected.body.errors[0].reason).toBe(
    "Your OAuth token is not authorized to use this endpoint: it needs linodes:read_only",
  );
  expect(rejected.headers.get("x-accepted-oauth-scopes")).toBe("linodes:read_only");
  it.service.faults.add({ path: "instances.reboot", kind: "busy" });
  expect((await it.send(`POST /linode/instances/${it.id}/reboot`, { body: {} })).body.errors).toEqual([
    { reason: "Linode busy." },
  ]);
  const attach = await it.send("POST /volumes", { body: { label: "data", size: 20, linode_id: 999_999 } });
  expect(attach.body.errors[0].field).toBe("linode_id");
});

test("beta operations have the beta version", async () => {
  await using it = await linode();
  const origin = it.service.url.slice(0, -"/v4".length);
  const headers = { authorization: `Bearer ${it.service.token}` };
  expect((await fetch(`${origin}/v4beta/linode/types`, { headers })).status).toBe(200);
});

test("a page has up to 500 entries", async () => {
  await using it = await linode();
  expect((await it.send("GET /volumes?page_size=500")).status).toBe(200);
  expect((await it.send("GET /volumes?page_size=501")).body.errors).toEqual([
    { field: "page_size", reason: "Must be at most 500" },
  ]);
});

test("an empty device slot is null, and a memory limit that was never set is 0", async () => {
  await using it = await linode();
  const configs = `/linode/instances/${it.id}/configs` as const;
  const { body: disks } = await it.send(`GET /linode/instances/${it.id}/disks`);
  const sda = { disk_id: disks.data[0].id, volume_id: null };
  const { body } = await it.send(`POST ${configs}`, { body: { label: "compute", devices: { sda } } });
  expect(body.devices).toEqual({ sda, sdb: null, sdc: null, sdd: null, sde: null, sdf: null, sdg: null, sdh: null });
  expect(body).toMatchObject({ label: "compute", kernel: "linode/latest-64bit", memory_limit: 0 });
  const limited = await it.send(`PUT ${configs}/${body.id}`, { body: { memory_limit: 512 } });
  expect(limited.body.memory_limit).toBe(512);
  const { id, ...sentBack } = limited.body;
  expect((await it.send(`PUT ${configs}/${id}`, { body: sentBack })).body).toEqual(limited.body);
});

test("service and protocol of an SRV record have no underscore", async () => {
  await using it = await linode();
  const { body: domain } = await it.send("POST /domains", {
    body: { domain: "example.org", type: "master", soa_email: "admin@example.org" },
  });
  const record = {
    type: "SRV",
    service: "_sip",
    protocol: "tcp",
    target: "sip.example.org",
    port: 5060,
    priority: 1,
    weight: 1,
  };
  const { body } = await it.send(`POST /domains/${domain.id}/records`, { body: record });
  expect(body).toMatchObject({ name: "_sip._tcp", service: "sip", protocol: "tcp" });
});

test("an emulator without a dialect in the same process has the contract's names", async () => {
  await using it = await linode();
  await using plain = await cloud();
  expect((await it.send("GET /images/linode/debian11")).status).toBe(200);
  expect((await plain.send("GET /images/compute/debian11")).body.id).toBe("compute/debian11");
  expect((await plain.send("GET /linode/instances")).status).toBe(404);
  expect((await plain.send("GET /volumes?page_size=500")).status).toBe(400);
});

test("records have the fields that came after the documentation, with the values that stand for not used", async () => {
  await using it = await linode();
  const { body } = await it.send(`GET /linode/instances/${it.id}`);
  expect(body).toMatchObject({
    host_uuid: expect.stringMatching(/^[0-9a-f]{40}$/),
    has_user_data: false,
    placement_group: null,
    disk_encryption: "disabled",
    lke_cluster_id: null,
    capabilities: [],
    interface_generation: "legacy_config",
    maintenance_policy: "linode/migrate",
    locks: [],
    specs: { gpus: 0, accelerated_devices: 0, memory: 1024 },
    backups: { available: false },
  });
  const region = (await it.send("GET /regions/us-east")).body;
  expect(region).toMatchObject({ label: "Newark, NJ", site_type: "core", monitors: { alerts: [], metrics: [] } });
  const type = (await it.send("GET /linode/types/g6-nanode-1")).body;
  expect(type).toMatchObject({ accelerated_devices: 0, region_prices: [], addons: { backups: { region_prices: [] } } });
  const image = (await it.send("GET /images/linode/debian11")).body;
  expect(image).toMatchObject({ capabilities: [], regions: [], tags: [], total_size: image.size, is_shared: false });
  const { ipv4 } = (await it.send(`GET /linode/instances/${it.id}/ips`)).body;
  const entity = { id: it.id, label: "compute", type: "linode", url: `/v4/linode/instances/${it.id}` };
  expect(ipv4).toMatchObject({ vpc: [], public: [{ reserved: false, tags: [], assigned_entity: entity }] });
  await it.send(`PUT /linode/instances/${it.id}`, { body: { label: "renamed" } });
  const addresses = (await it.send("GET /networking/ips")).body.data;
  const renamed = { assigned_entity: { ...entity, label: "renamed" } };
  expect(addresses).toMatchObject([renamed, renamed]);
});

test("a firewall lists what it protects, and its rules have a fingerprint", async () => {
  await using it = await linode();
  const rules = { inbound: [], inbound_policy: "ACCEPT", outbound: [], outbound_policy: "ACCEPT" };
  const created = await it.send("POST /networking/firewalls", { body: { label: "edge", rules } });
  expect(created.body).toMatchObject({ entities: [], rules: { version: 1, fingerprint: expect.any(String) } });
  const firewall = `/networking/firewalls/${created.body.id}` as const;
  await it.send(`POST ${firewall}/devices`, { body: { type: "linode", id: it.id } });
  const { body } = await it.send(`GET ${firewall}`);
  expect(body.entities).toMatchObject([{ id: it.id, label: "compute", type: "linode" }]);
  // Clients send back what they have read.
  const changed = await it.send(`PUT ${firewall}/rules`, { body: { ...body.rules, inbound_policy: "DROP" } });
  expect(changed.body).toMatchObject({ inbound_policy: "DROP" });
  expect(changed.body.fingerprint).not.toBe(body.rules.fingerprint);
});

test("newer settings of a request are kept and returned, others have no effect", async () => {
  await using it = await linode();
  const newer = { disk_encryption: "enabled", metadata: { user_data: "I2Nsb3Vk" }, placement_group: { id: 5 } };
  const place = { region: "us-ord", type: "g6-standard-1" };
  const { body } = await it.send("POST /linode/instances", { body: { ...place, ...newer, firewall_id: 7 } });
  expect(body).toMatchObject({ disk_encryption: "enabled", has_user_data: true, placement_group: null });
  expect(body).not.toHaveProperty("firewall_id");
  const one = `/linode/instances/${body.id}` as const;
  const moved = await it.send(`PUT ${one}`, { body: { maintenance_policy: "linode/power_off_on" } });
  expect(moved.body).toMatchObject({ maintenance_policy: "linode/power_off_on", disk_encryption: "enabled" });
  expect((await it.send(`GET ${one}`)).body).toEqual(moved.body);
  const rejected = await it.send(`PUT ${one}`, { body: { disk_encryption: "on" } });
  expect(rejected.body.errors).toEqual([{ field: "disk_encryption", reason: 'Must be "enabled" or "disabled"' }]);
});

test("an uploaded image keeps its tags from the request for the upload", async () => {
  await using it = await linode();
  const upload = { label: "golden", region: "us-east", tags: ["base"], cloud_init: true };
  const { body } = await it.send("POST /images/upload", { body: upload });
  expect(body).toMatchObject({ image: { label: "golden", tags: ["base"] }, upload_to: expect.any(String) });
  expect((await it.send(`GET /images/${body.image.id}`)).body).toMatchObject({ tags: ["base"] });
});

test("the pools of a cluster keep labels and taints, from its creation and from updates", async () => {
  await using it = await linode();
  const taints = [{ key: "gpu", value: "yes", effect: "NoSchedule" }];
  const pools = [
    { type: "g6-standard-1", count: 1, labels: { tier: "web" } },
    { type: "g6-standard-2", count: 1, taints },
  ];
  const { body: cluster } = await it.send("POST /lke/clusters", {
    body: { label: "prod", region: "us-east", k8s_version: "1.34", tier: "standard", node_pools: pools },
  });
  expect(cluster).toMatchObject({ status: "ready", tier: "standard", control_plane: { audit_logs_enabled: false } });
  const path = `/lke/clusters/${cluster.id}/pools` as const;
  const { data } = (await it.send(`GET ${path}`)).body;
  expect(data).toMatchObject([
    { type: "g6-standard-1", labels: { tier: "web" }, taints: [] },
    { type: "g6-standard-2", labels: {}, taints },
  ]);
  const changed = await it.send(`PUT ${path}/${data[0].id}`, { body: { labels: { tier: "api" }, count: 2 } });
  expect(changed.body).toMatchObject({ labels: { tier: "api" }, count: 2 });
  const node = (await it.send(`GET /linode/instances/${data[0].nodes[0].instance_id}`)).body;
  expect(node.lke_cluster_id).toBe(cluster.id);
});

test("newer settings are part of a snapshot", async () => {
  await using it = await linode();
  const { body } = await it.send("POST /volumes", {
    body: { label: "data", region: "us-east", size: 20, encryption: "enabled" },
  });
  const state = await it.send("GET /_emulator/state");
  await it.send("POST /_emulator/reset");
  expect((await it.send("PUT /_emulator/state", { body: state.body })).status).toBe(200);
  expect((await it.send(`GET /volumes/${body.id}`)).body.encryption).toBe("enabled");
});

test("with strict, a request cannot have newer fields", async () => {
  await using it = await cloud({ dialect: "linode", strict: true });
  const body = { label: "data", region: "us-east", size: 20, encryption: "enabled" };
  const rejected = await it.send("POST /volumes", { body });
  expect(rejected.body.errors).toEqual([{ field: "encryption", reason: "Is not a known field" }]);
});

test("buckets and keys are found by region, as today's clients name them", async () => {
  await using it = await linode();
  const { body: bucket } = await it.send("POST /object-storage/buckets", {
    body: { region: "us-east", label: "photos" },
  });
  expect(bucket).toMatchObject({ cluster: "us-east-1", region: "us-east", endpoint_type: "E1" });
  expect((await it.send("GET /object-storage/buckets/us-east/photos")).body).toEqual(bucket);
  const access = [{ bucket_name: "photos", region: "us-east", permissions: "read_only" }];
  const { body: key } = await it.send("POST /object-storage/keys", {
    body: { label: "reader", bucket_access: access },
  });
  expect(key).toMatchObject({
    regions: [{ id: "us-east", endpoint_type: "E1" }],
    bucket_access: [{ region: "us-east", cluster: "us-east-1", bucket_name: "photos" }],
  });
});

test("operations that clients call when they start return a result", async () => {
  await using it = await linode();
  expect((await it.send("GET /profile")).body).toMatchObject({ username: "emulator", restricted: false });
  const settings = await it.send("PUT /account/settings", { body: { network_helper: false } });
  expect(settings.body).toMatchObject({ network_helper: false, interfaces_for_new_linodes: "legacy_config_only" });
  expect((await it.send("GET /account/settings")).body).toEqual(settings.body);
  expect((await it.send("GET /account/users")).body.data).toMatchObject([{ username: "emulator" }]);
  expect((await it.send("GET /regions/us-east/availability")).body).toEqual([]);
  expect((await it.send(`GET /linode/instances/${it.id}/interfaces`)).body).toEqual({ interfaces: [] });
  expect((await it.send("GET /lke/tiers/standard/versions")).body.data).toContainEqual({
    id: "1.34",
    tier: "standard",
  });
  expect((await it.send("GET /object-storage/endpoints")).body.data).toContainEqual(
    expect.objectContaining({ region: "us-east", endpoint_type: "E1" }),
  );
  for (const path of ["/volumes/types", "/nodebalancers/types", "/lke/types", "/network-transfer/prices"] as const)
    expect((await it.send(`GET ${path}`)).body.data[0]).toMatchObject({ price: { monthly: expect.any(Number) } });
});

test.each([
  ["/vpcs", "VPCs"],
  ["/placement/groups", "placement groups"],
] as const)("%s is empty, and creating one names the missing product", async (path, product) => {
  await using it = await linode();
  expect((await it.send(`GET ${path}`)).body).toMatchObject({ data: [], results: 0 });
  const created = await it.send(`POST ${path}`, { body: { label: "new", region: "us-east" } });
  expect(created.status).toBe(404);
  expect(created.body.errors).toEqual([{ reason: `Not found: release 4.108.1 of the API has no ${product}` }]);
  expect((await it.send(`GET ${path}/1`)).status).toBe(404);
});

test("today's images, types, regions and Kubernetes versions can be used", async () => {
  await using it = await linode();
  const { status, body } = await it.send("POST /linode/instances", {
    body: { region: "fr-par", type: "g6-dedicated-32", image: "linode/ubuntu24.04", root_pass: "Correct-Horse-42" },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ region: "fr-par", image: "linode/ubuntu24.04" });
});
