import { status } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "vitest";
import { toStruct } from "../../provider/plugin/values";
import { read, test } from "./native-calls";

const listed = async (client: ResourceProviderClient, kind: string, query: object = {}) => {
  const request = new pb.ListRequest().setToken(`cloudinfra:index:${kind}`).setQuery(toStruct({ ...query }));
  const responses: pb.ListResponse[] = await client.list(request).toArray();
  return responses.map((response) => response.getResult()?.toObject());
};

test("finds buckets, tags, snapshots and addresses by their own ids", async ({ it }) => {
  await it.api.objectStorageBuckets.create({ body: { cluster: "us-east-1", label: "photos" } });
  await it.api.tags.create({ body: { label: "prod" } });
  const { id } = await it.api.instances.create({
    body: {
      region: "us-east",
      type: "g6-nanode-1",
      label: "web-1",
      backups_enabled: true,
      image: "compute/debian11",
      root_pass: "Correct-Horse-42",
    },
  });
  it.emulator.settle();
  const snapshot = await it.api.instanceBackups.snapshot({ path: { computeId: id }, body: { label: "before" } });
  const client = await it.start();
  expect(await listed(client, "ObjectStorageBucket")).toEqual([{ id: "us-east-1/photos", name: "photos" }]);
  expect(await listed(client, "Tag")).toEqual([{ id: "prod", name: "prod" }]);
  expect((await listed(client, "InstanceSnapshot", { computeId: id })).map((one) => one?.id)).toEqual([
    `${id}/${snapshot.id}`,
  ]);
  const { ipv4 } = await it.api.instances.view({ path: { computeId: id } });
  expect((await listed(client, "InstanceIp", { computeId: String(id) })).map((one) => one?.id)).toEqual([
    `${id}/${ipv4[0]}`,
  ]);
});

test("rejects a query that the API does not support", async ({ it }) => {
  const client = await it.start();
  await expect(listed(client, "Volume", { region: "us-east" })).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: "Volume: region cannot be used in a query to list objects; this kind is listed without a query",
  });
  await expect(listed(client, "DomainRecord", { domain: 7 })).rejects.toMatchObject({
    details: 'DomainRecord: domain cannot be used in a query to list objects; must be "domainId"',
  });
  await expect(listed(client, "DomainRecord", { domainId: "../7" })).rejects.toMatchObject({
    details: 'DomainRecord: domainId is not a valid id (given "../7")',
  });
  await expect(listed(client, "InstanceAction")).rejects.toMatchObject({
    details: expect.stringContaining("the objects of this kind cannot be listed"),
  });
});

test("a bucket of another cluster with the same label is not found", async ({ it }) => {
  await it.api.objectStorageBuckets.create({ body: { cluster: "eu-central-1", label: "photos" } });
  const client = await it.start();
  await expect(read(client, "ObjectStorageBucket", "us-east-1/photos")).rejects.toMatchObject({
    code: status.NOT_FOUND,
  });
});

test("finds a domain whose name the service has in another notation", async ({ it }) => {
  const { id } = await it.api.domains.create({
    body: { domain: "example.org", type: "master", soa_email: "admin@example.org" },
  });
  it.world.domains.patch(id, { domain: "Example.ORG" });
  const client = await it.start();
  expect((await read(client, "Domain", "example.org")).getId()).toBe(String(id));
});

test("an id that no snapshot has is not found", async ({ it }) => {
  const client = await it.start();
  await expect(read(client, "InstanceSnapshot", "123/456")).rejects.toMatchObject({
    code: status.NOT_FOUND,
    details: 'InstanceSnapshot: no object has the id "123/456"; an id looks like computeId/backupId, such as 12/345',
  });
});
