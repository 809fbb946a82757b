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
