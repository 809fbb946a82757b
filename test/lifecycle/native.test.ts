import { mkdtemp, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as pb from "@pulumi/pulumi/proto/provider_pb";
import { expect, test } from "vitest";
import { UNKNOWN } from "../../provider/engine/values";
import { Journal } from "../../provider/heads/native/journal";
import { received, type Secrets, sent } from "../../provider/heads/native/values";
import { cloud } from "../../testing/cloud";
import { pluginFor, responseTo } from "../../testing/native-plugin";

const urnOf = (kind: string, name: string): string => `urn:pulumi:test::test::cloudinfra:index:${kind}::${name}`;

const volume = { label: "data", region: "us-east", size: 20 };

const create = (
  client: ResourceProviderClient,
  kind: string,
  inputs: object,
  { preview = false, secrets = {} as Secrets } = {},
) => {
  const request = new pb.CreateRequest().setUrn(urnOf(kind, "data")).setPreview(preview);
  request.setProperties(sent({ ...inputs }, secrets));
  return responseTo<pb.CreateResponse>((answer) => client.create(request, answer));
};

const check = (client: ResourceProviderClient, kind: string, inputs: object, secrets: Secrets = {}) => {
  const request = new pb.CheckRequest().setUrn(urnOf(kind, "data")).setNews(sent({ ...inputs }, secrets));
  return responseTo<pb.CheckResponse>((answer) => client.check(request, answer));
};

const diff = (client: ResourceProviderClient, id: string) => {
  const state = () => sent({ ...volume });
  const request = new pb.DiffRequest().setUrn(urnOf("Volume", "data")).setId(id).setOlds(state()).setNews(state());
  return responseTo<pb.DiffResponse>((answer) => client.diff(request.setOldInputs(state()), answer));
};

/**
 * An emulator, a folder for the journal, and a function that starts a plugin with empty caches, as a new process would.
 */
async function stage() {
  const account = await cloud();
  const folder = await mkdtemp(join(tmpdir(), "journal-"));
  return {
    ...account,
    folder,
    entries: () => readdir(folder),
    journal: () => new Journal(folder),
    start: () => {
      const host = account.reconnect();
      return pluginFor(() => host, new Journal(folder));
    },
    async [Symbol.asyncDispose]() {
      await account[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

test("secrets of the program are secret in inputs, outputs, and outputs that contain them", async () => {
  await using it = await stage();
  const client = await it.start();
  const secrets = { label: true, tags: { "*": true } } as const;
  const inputs = { ...volume, tags: ["prod"] };
  const checked = received((await check(client, "Volume", inputs, secrets)).getInputs());
  expect(checked).toEqual({ bag: inputs, secrets });
  const created = await create(client, "Volume", inputs, { secrets });
  expect(received(created.getProperties()).secrets).toEqual({ ...secrets, filesystemPath: true });
});

test("a preview returns the declared inputs, and unknown values with their types", async () => {
  await using it = await stage();
  const client = await it.start();
  const answer = await create(client, "Volume", { ...volume, computeId: UNKNOWN, tags: UNKNOWN }, { preview: true });
  expect(answer.getProperties()?.toJavaScript()).toEqual({
    ...volume,
    computeId: UNKNOWN,
    tags: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    created: UNKNOWN,
    filesystemPath: UNKNOWN,
    hardwareType: UNKNOWN,
    status: UNKNOWN,
    __version: 1,
  });
  expect(it.world.volumes.all()).toEqual([]);
});

test("a preview does not rely on the outputs of a create or update that failed", async () => {
  await using it = await stage();
  const client = await it.start();
  const state = { ...volume, status: "creating", hardwareType: "hdd", __version: 1 };
  const preview = (marks: object) => {
    const request = new pb.UpdateRequest().setUrn(urnOf("Volume", "data")).setId("7").setPreview(true);
    request.setOlds(sent({ ...state, ...marks })).setNews(sent({ ...volume }));
    return responseTo<pb.UpdateResponse>((answer) => client.update(request, answer));
  };
  const finished = received((await preview({})).getProperties()).bag;
  expect(finished).toMatchObject({ label: "data", hardwareType: "hdd" });
  const unfinished = received((await preview({ __unfinished: true })).getProperties()).bag;
  expect(unfinished).toMatchObject({ label: "data", hardwareType: UNKNOWN, status: UNKNOWN });
});

test("ids of other objects are strings, and a program can set numbers", async () => {
  await using it = await stage();
  const client = await it.start();
  for (const computeId of ["4711", 4711]) {
    const checked = received((await check(client, "Volume", { ...volume, computeId })).getInputs());
    expect(checked.bag).toMatchObject({ computeId: "4711" });
  }
});

test("the next plugin continues with an object that is missing from state, without creating a duplicate", async () => {
  await using it = await stage();
  const first = await create(await it.start(), "Volume", volume);
  expect(await it.entries()).toHaveLength(1);
  const again = await create(await it.start(), "Volume", { ...volume, size: 30 });
  expect(again.getId()).toBe(first.getId());
  expect(it.world.volumes.all()).toMatchObject([{ label: "data", size: 30 }]);
});

test("the next plugin finds the object whose create response was lost with the last plugin", async () => {
  await using it = await stage();
  const since = it.host.now();
  it.journal()
    .attempts("", urnOf("Volume", "data"))
    .begin({ since, match: { label: "data-1a2b3c4" } });
  const { id } = await it.api.volumes.create({ body: { ...volume, label: "data-1a2b3c4" } });
  // Each run has another label. The next run finds the object although its label has changed.
  for (const label of ["data-9f8e7d6", "data-5c4b3a2"]) {
    const again = await create(await it.start(), "Volume", { ...volume, label });
    expect(again.getId()).toBe(String(id));
    expect(it.world.volumes.all()).toMatchObject([{ id, label }]);
  }
});

test("warns about an object that cannot get the declared inputs, and creates another one", async () => {
  await using it = await stage();
  const first = await create(await it.start(), "Volume", volume);
  const again = await create(await it.start(), "Volume", { ...volume, label: "other", region: "eu-west" });
  expect(again.getId()).not.toBe(first.getId());
  expect(it.said).toEqual([
    `Volume "other" (${first.getId()}) was created by an interrupted run, with a different region. ` +
      "It is not managed: delete it unless you need it",
  ]);
});

test("an object whose generated name cannot be changed is found again under that name", async () => {
  await using it = await stage();
  const inputs = { cluster: "us-east-1", forceDestroy: false, __autonamed: true };
  const first = await create(await it.start(), "ObjectStorageBucket", { ...inputs, label: "data-1a2b3c4" });
  const again = await create(await it.start(), "ObjectStorageBucket", { ...inputs, label: "data-9f8e7d6" });
  expect(again.getId()).toBe(first.getId());
  expect(it.world.objectStorageBuckets.all()).toMatchObject([{ label: "data-1a2b3c4" }]);
});

test("an object in state is not mistaken for a new one", async () => {
  await using it = await stage();
  const first = await create(await it.start(), "Volume", volume);
  const client = await it.start();
  await diff(client, first.getId());
  const replacement = await create(client, "Volume", { ...volume, label: "next" });
  expect(replacement.getId()).not.toBe(first.getId());
});

test("a refresh does not replace a deleted object with another one whose label is its id", async () => {
  await using it = await stage();
  const { id } = await it.api.managedCredentials.create({ body: { label: "login", password: "x" } });
  await it.api.managedCredentials.delete({ path: { credentialId: id } });
  const other = await it.api.managedCredentials.create({ body: { label: String(id), password: "x" } });
  const client = await it.start();
  /** Reads an object that the program does not manage. Only a refresh passes properties. */
  const read = async (properties: object) => {
    const request = new pb.ReadRequest().setUrn(urnOf("ManagedCredential", "data")).setId(String(id));
    request.setProperties(sent({ ...properties }));
    return (await responseTo<pb.ReadResponse>((answer) => client.read(request, answer))).getId();
  };
  expect(await read({ label: "login" })).toBe("");
  expect(await read({})).toBe(String(other.id));
});

test("the timeout that Pulumi passes limits a create", async () => {
  await using it = await stage();
  it.emulator.faults.add({ path: "volumes.create", kind: "job-stall" });
  const client = await it.start();
  const request = new pb.CreateRequest().setUrn(urnOf("Volume", "data")).setProperties(sent(volume)).setTimeout(60);
  const creation = responseTo<pb.CreateResponse>((answer) => client.create(request, answer));
  await expect(creation).rejects.toThrow("create timed out after 60 s");
});

test("a rejected create leaves no entry in the journal", async () => {
  await using it = await stage();
  await it.api.volumes.create({ body: volume });
  await expect(create(await it.start(), "Volume", volume)).rejects.toThrow("volumes.create");
  expect(await it.entries()).toEqual([]);
});

test("only the user can read the journal, which contains no input that the program marks as secret", async () => {
  await using it = await stage();
  const secrets = { label: true, address: true } as const;
  const service = {
    label: "planted-label",
    serviceType: "url",
    address: "https://planted.example",
    timeout: 30,
  } as const;
  await create(await it.start(), "ManagedService", service, { secrets });
  const entries = await it.entries();
  expect(entries).toHaveLength(1);
  for (const entry of entries) {
    expect((await stat(join(it.folder, entry))).mode & 0o777).toBe(0o600);
    const text = await readFile(join(it.folder, entry), "utf8");
    expect(JSON.parse(text).match).toEqual({ service_type: "url" });
    expect(text).not.toContain("planted");
  }
  const again = await create(await it.start(), "ManagedService", service, { secrets });
  expect(it.world.managedServices.all().map(({ id }) => String(id))).toEqual([again.getId()]);
});

test("a lost response leaves no entry in the journal once the state has the object that was found", async () => {
  await using it = await stage();
  it.emulator.faults.add({ path: "volumes.create", kind: "cut-after" });
  const made = await create(await it.start(), "Volume", volume);
  expect(await it.entries()).toHaveLength(1);
  await diff(await it.start(), made.getId());
  expect(await it.entries()).toEqual([]);
});

test("an entry of the journal is replaced as a whole, because the plugin can be killed while it writes", async () => {
  await using it = await stage();
  const attempts = it.journal().attempts("", urnOf("Volume", "data"));
  attempts.begin({ since: 0, match: { label: "data" } });
  const [entry = ""] = await it.entries();
  await using before = await open(join(it.folder, entry));
  attempts.created("1");
  expect(JSON.parse(await before.readFile("utf8"))).toEqual({ since: 0, match: { label: "data" } });
  expect(await it.entries()).toEqual([entry]);
});

test("only the user can read the journal's folder", async () => {
  await using it = await stage();
  const folder = join(it.folder, "cache", "journal");
  new Journal(folder).attempts("", urnOf("Volume", "data")).begin({ since: 0, match: { label: "data" } });
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test("lists the objects of a kind with their ids and names", async () => {
  await using it = await stage();
  const zone = await it.api.domains.create({
    body: { domain: "a.example", type: "master", soa_email: "a@example.org" },
  });
  const record = await it.api.domainRecords.create({
    path: { domainId: zone.id },
    body: { type: "A", name: "www", target: "192.0.2.1" },
  });
  const client = await it.start();
  const listed = async (kind: string, query: object = {}) => {
    const request = new pb.ListRequest().setToken(`cloudinfra:index:${kind}`).setQuery(sent({ ...query }));
    const answers: pb.ListResponse[] = await client.list(request).toArray();
    return answers.map((answer) => answer.getResult()?.toObject());
  };
  expect(await listed("Domain")).toEqual([{ id: String(zone.id), name: "a.example" }]);
  expect(await listed("DomainRecord", { domainId: zone.id })).toEqual([{ id: `${zone.id}/${record.id}`, name: "www" }]);
  await expect(listed("DomainRecord")).rejects.toThrow("DomainRecord: the query must set domainId");
});
