import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "vitest";
import type { Kind } from "../../provider/engine/definition";
import { UNKNOWN } from "../../provider/engine/values";
import { fromStruct, toStruct } from "../../provider/plugin/values";
import { kinds } from "../../provider/resources";
import { responseTo } from "../../testing/native-plugin";
import { check, create, diff, stage, test, urnOf, volume } from "./native-calls";

test("secrets of the program are secret in inputs, outputs, and outputs that contain them", async ({ it }) => {
  const client = await it.start();
  const secrets = { label: true, tags: { "*": true } } as const;
  const inputs = { ...volume, tags: ["prod"] };
  const checked = fromStruct((await check(client, "Volume", inputs, secrets)).getInputs());
  expect(checked).toEqual({ bag: inputs, secrets });
  const created = await create(client, "Volume", inputs, { secrets });
  expect(fromStruct(created.getProperties()).secrets).toEqual({ ...secrets, filesystemPath: true });
});

test("a preview returns the declared inputs, and unknown values as the placeholder that SDKs know", async ({ it }) => {
  const client = await it.start();
  const response = await create(client, "Volume", { ...volume, computeId: UNKNOWN, tags: UNKNOWN }, { preview: true });
  expect(response.getProperties()?.toJavaScript()).toEqual({
    ...volume,
    computeId: UNKNOWN,
    tags: UNKNOWN,
    created: UNKNOWN,
    filesystemPath: UNKNOWN,
    hardwareType: UNKNOWN,
    status: UNKNOWN,
    __version: 1,
  });
  expect(it.world.volumes.all()).toEqual([]);
});

test.each([
  ["booted", "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7"],
  ["swapSize", "3eeb2bf0-c639-47a8-9e75-3b44932eb421"],
  ["image", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"],
  ["tags", "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"],
  ["alerts", "dd056dcd-154b-4c76-9bd3-c8f88648b5ff"],
])("accepts Pulumi's placeholder for an unknown value of the type of %s", async (input, placeholder) => {
  await using it = await stage();
  const client = await it.start();
  const web = {
    label: "web",
    region: "us-east",
    type: "g6-nanode-1",
    image: "compute/debian11",
    rootPass: "Horse-42!",
  };
  const checked = await check(client, "Instance", { ...web, [input]: placeholder });
  expect(checked.getFailuresList()).toEqual([]);
  expect(fromStruct(checked.getInputs()).bag[input]).toBe("04da6b54-80e4-46f7-96ec-b56ff0331ba9");
  const created = await create(client, "Instance", { ...web, [input]: placeholder }, { preview: true });
  expect(fromStruct(created.getProperties()).bag[input]).toBe("04da6b54-80e4-46f7-96ec-b56ff0331ba9");
});

test("a preview shows at which indices of lists and keys of objects the program differs", async ({ it }) => {
  const client = await it.start();
  const accepting = (ports: string) => ({
    action: "ACCEPT",
    protocol: "TCP",
    ports,
    addresses: { ipv4: ["0.0.0.0/0"] },
  });
  const wall = (...ports: string[]) => ({
    label: "wall",
    rules: { inboundPolicy: "DROP", outboundPolicy: "ACCEPT", inbound: ports.map(accepting) },
  });
  const inputs = wall("22", "80");
  const id = (await create(client, "Firewall", inputs)).getId();
  const response = await diff(client, id, { kind: "Firewall", inputs, news: wall("22", "443", "8080") });
  const paths = [...response.getDetaileddiffMap().keys()];
  expect(paths.sort()).toEqual(["rules.inbound[1].ports", "rules.inbound[2]"]);
});

test("equal seeds give equal labels to new objects of all kinds, and other seeds other labels", async ({ it }) => {
  const client = await it.start();
  const labelOf = async (kind: string, seed: string) => {
    const request = new pb.CheckRequest().setUrn(urnOf(kind, "data")).setNews(toStruct({}));
    request.setRandomseed(Buffer.from(seed));
    const checked = await responseTo<pb.CheckResponse>((response) => client.check(request, response));
    return fromStruct(checked.getInputs()).bag.label;
  };
  const named = Object.entries<Kind>(kinds).flatMap(([name, { identity }]) => (identity.autoname ? [name] : []));
  expect(named).toContain("Volume");
  for (const kind of named) {
    const label = await labelOf(kind, "one");
    expect(label, kind).toMatch(/^data-[0-9a-f]{7}$/);
    expect(await labelOf(kind, "one"), kind).toBe(label);
    expect(await labelOf(kind, "two"), kind).not.toBe(label);
  }
  expect(await labelOf("Volume", ""), "a Pulumi that sends no seed").not.toBe(await labelOf("Volume", ""));
});

test("a preview does not rely on the outputs of a create or update that failed", async ({ it }) => {
  const client = await it.start();
  const state = { ...volume, status: "creating", hardwareType: "hdd", __version: 1 };
  const preview = (marks: object) => {
    const request = new pb.UpdateRequest().setUrn(urnOf("Volume", "data")).setId("7").setPreview(true);
    request.setOlds(toStruct({ ...state, ...marks })).setNews(toStruct({ ...volume }));
    return responseTo<pb.UpdateResponse>((response) => client.update(request, response));
  };
  const finished = fromStruct((await preview({})).getProperties()).bag;
  expect(finished).toMatchObject({ label: "data", hardwareType: "hdd" });
  const unfinished = fromStruct((await preview({ __unfinished: true })).getProperties()).bag;
  expect(unfinished).toMatchObject({ label: "data", hardwareType: UNKNOWN, status: UNKNOWN });
  const moved = fromStruct((await preview({ __unfinished: ["/compute_id"] })).getProperties()).bag;
  expect(moved).toMatchObject({ label: "data", hardwareType: "hdd", computeId: UNKNOWN, configId: UNKNOWN });
});

test("ids of other objects are strings, and a program can set numbers", async ({ it }) => {
  const client = await it.start();
  for (const computeId of ["4711", 4711]) {
    const checked = fromStruct((await check(client, "Volume", { ...volume, computeId })).getInputs());
    expect(checked.bag).toMatchObject({ computeId: "4711" });
  }
});

test("a refresh does not replace a deleted object with another one whose label is its id", async ({ it }) => {
  const { id } = await it.api.managedCredentials.create({ body: { label: "login", password: "x" } });
  await it.api.managedCredentials.delete({ path: { credentialId: id } });
  const other = await it.api.managedCredentials.create({ body: { label: String(id), password: "x" } });
  const client = await it.start();
  /**
   * Calls the plugin's `Read`. A request with properties is a refresh; a request without them is an import or a `get`.
   */
  const read = async (properties: object) => {
    const request = new pb.ReadRequest().setUrn(urnOf("ManagedCredential", "data")).setId(String(id));
    request.setProperties(toStruct({ ...properties }));
    return (await responseTo<pb.ReadResponse>((response) => client.read(request, response))).getId();
  };
  expect(await read({ label: "login" })).toBe("");
  expect(await read({})).toBe(String(other.id));
});

test("the timeout that Pulumi passes limits a create", async ({ it }) => {
  it.emulator.faults.add({ path: "volumes.create", kind: "job-stall" });
  const client = await it.start();
  const request = new pb.CreateRequest().setUrn(urnOf("Volume", "data")).setProperties(toStruct(volume)).setTimeout(60);
  const creation = responseTo<pb.CreateResponse>((response) => client.create(request, response));
  await expect(creation).rejects.toThrow("create timed out after 60 s");
});

test("lists the objects of a kind with their ids and names", async ({ it }) => {
  const zone = await it.api.domains.create({
    body: { domain: "a.example", type: "master", soa_email: "a@example.org" },
  });
  const record = await it.api.domainRecords.create({
    path: { domainId: zone.id },
    body: { type: "A", name: "www", target: "192.0.2.1" },
  });
  const client = await it.start();
  const listed = async (kind: string, query: object = {}) => {
    const request = new pb.ListRequest().setToken(`cloudinfra:index:${kind}`).setQuery(toStruct({ ...query }));
    const responses: pb.ListResponse[] = await client.list(request).toArray();
    return responses.map((response) => response.getResult()?.toObject());
  };
  expect(await listed("Domain")).toEqual([{ id: String(zone.id), name: "a.example" }]);
  expect(await listed("DomainRecord", { domainId: zone.id })).toEqual([{ id: `${zone.id}/${record.id}`, name: "www" }]);
  await expect(listed("DomainRecord")).rejects.toThrow(
    "DomainRecord: domainId must be set to list the objects of this kind",
  );
});
