import { expect, test } from "vitest";
import { kebab } from "../../../api";
import { ACCOUNT, DECLARED } from "../../../provider/pulumi/own-properties";
import type { KindName } from "../../../provider/resources";
import { cloud } from "../../../testing/cloud";
import { exported } from "../exported";
import { objects, scenario } from "../scenario";
import { Project } from "./project";

test.each(objects)("%s can be imported by its id", async (name) => {
  await using it = await scenario(name);
  await it.managed.up(it.fixture.base);
  const project = new Project(it);
  const { resources, unread } = await project.import({ objects: [`${kebab(name)}/${it.managed.id}`] });
  expect(unread).toEqual([]);
  expect(resources.map(({ kind, resource }) => `${kind} ${resource.id}`)).toEqual([`${name} ${it.managed.id}`]);
  expect(await project.changes()).toEqual([]);
});

test("an ObjectStorageObject refers to its bucket, which is then deleted after it, and to none of that name in another cluster", async () => {
  await using it = await scenario("ObjectStorageObject");
  await it.managed.up(it.fixture.base);
  const { cluster, bucket: label } = it.fixture.base as { cluster: string; bucket: string };
  const otherCluster = cluster === "us-east-1" ? "eu-central-1" : "us-east-1";
  await it.api.objectStorageBuckets.create({ body: { cluster: otherCluster, label } });
  const [own, other] = [cluster, otherCluster].map((one) => `object-storage-bucket/${one}/${label}`) as [
    string,
    string,
  ];
  const object = `object-storage-object/${it.managed.id}`;
  const alone = await new Project(it).import({ objects: [other, object] });
  expect(alone.resources.at(-1)).toMatchObject({ kind: "ObjectStorageObject", references: {} });
  for (const imports of [[[object, own, other]], [[own, other], [object]]]) {
    const project = new Project(it);
    const results = [];
    for (const objects of imports) results.push(await project.import({ objects }));
    const resources = results.flatMap(({ resources }) => resources);
    const name = resources.find(({ resource }) => resource.id === `${cluster}/${label}`)?.name;
    const bucket = [{ kind: "ObjectStorageBucket", name }];
    expect(resources.at(-1)).toMatchObject({ kind: "ObjectStorageObject", references: { bucket } });
    expect(project.files.get("object-storage.ts")).toMatch(/^ {2,4}bucket: \w+\.label,$/m);
    expect(await project.changes()).toEqual([]);
  }
});

test("an object is not left out because another account's stack has an object with the same id", async () => {
  await using it = await cloud();
  const { id } = await it.api.volumes.create({ body: { label: "data", region: "us-east", size: 20 } });
  const { euuid } = await it.api.account.view();
  const heldBy = (account: string) => {
    const outs = { label: "data", region: "us-east", [ACCOUNT]: `${account} ${it.emulator.url}` };
    return exported([{ kind: "Volume", id: String(id), inputs: {}, outs }]);
  };
  const same = await new Project(it).import({ objects: ["volume/data"], others: [heldBy(euuid)] });
  expect(same).toMatchObject({ held: 1, resources: [] });
  const other = await new Project(it).import({ objects: ["volume/data"], others: [heldBy("another-id")] });
  expect(other).toMatchObject({ held: 0, resources: [{ kind: "Volume" }] });
});

test("resources of a provider with another account do not stop an import, and only their names are taken", async () => {
  await using it = await cloud();
  const { euuid } = await it.api.account.view();
  const { id: computeId } = await it.api.instances.create({
    body: { label: "web", region: "us-east", type: "g6-nanode-1" },
  });
  await it.api.instanceConfigs.create({ path: { computeId }, body: { label: "main", devices: {} } });
  const { id } = await it.api.volumes.create({ body: { label: "data", region: "us-east", compute_id: computeId } });
  const { id: ownId } = await it.api.volumes.create({ body: { label: "kept", region: "us-east" } });
  const urnOf = (name: string): string => `urn:pulumi:dev::shop::pulumi:providers:cloudinfra::${name}`;
  const provider = (name: string, account: string) => {
    const inputs = { [ACCOUNT]: `${account} ${it.emulator.url}` };
    return { urn: urnOf(name), type: "pulumi:providers:cloudinfra", custom: true, id: name, inputs, outputs: inputs };
  };
  const of = (by: string, kind: KindName, name: string, object: number) => {
    return { kind, name, id: String(object), inputs: {}, outs: {}, provider: `${urnOf(by)}::${by}` };
  };
  const rows = [
    of("default", "Volume", "kept", ownId),
    of("staging", "Volume", "data", id),
    { ...of("staging", "Volume", "data", id), delete: true },
    of("staging", "Instance", "theirs", computeId),
  ];
  const { deployment } = exported(rows, { provider: "native" }).state;
  const projectWith = (own: string, other: string): Project => {
    const project = new Project(it, "native");
    project.files.set(
      "compute.ts",
      `import { Instance, Provider } from "pulumi-cloudinfra/native";

const provider = new Provider("staging");

export const theirs = new Instance("theirs", { region: "us-east", type: "g6-nanode-1" }, { provider });
`,
    );
    const resources = [provider("default", own), provider("staging", other), ...deployment.resources];
    project.state = { version: 3, deployment: { resources } };
    return project;
  };
  const objects = ["volume/data", "volume/kept"];
  await expect(projectWith("another-id", euuid).import({ objects })).rejects.toThrow(
    `this stack belongs to account another-id at ${it.emulator.url}, but the address and token in use are those of account ${euuid}`,
  );
  expect(await projectWith(euuid, euuid).import({ objects })).toMatchObject({ held: 2, resources: [] });
  const project = projectWith(euuid, "another-id");
  const { held, resources } = await project.import({ objects });
  expect(held).toBe(1);
  expect(resources).toMatchObject([{ kind: "Volume", name: "data-2", resource: { id: String(id) }, references: {} }]);
  expect(project.files.get("compute.ts")).toContain(`computeId: ${computeId},`);
});

test("the program of an address omits its reverse name if a ReverseDns of another stack manages that", async () => {
  await using it = await cloud();
  const { id: computeId, ipv4 } = await it.api.instances.create({
    body: { label: "web", region: "us-east", type: "g6-nanode-1" },
  });
  const address = String(ipv4[0]);
  const { id: domainId } = await it.api.domains.create({
    body: { domain: "example.org", type: "master", soa_email: "admin@example.org" },
  });
  await it.api.domainRecords.create({ path: { domainId }, body: { type: "A", name: "web", target: address } });
  await it.api.instanceAddresses.update({ path: { computeId, address }, body: { rdns: "web.example.org" } });
  const objects = [`instance-ip/${computeId}/${address}`];
  const programOf = async (others: ReturnType<typeof exported>[]) =>
    [...(await new Project(it).import({ objects, others })).files.values()].join("");
  expect(await programOf([])).toContain('rdns: "web.example.org"');
  const dns = { kind: "ReverseDns" as const, id: address, inputs: { address }, outs: { address } };
  const program = await programOf([exported([dns])]);
  expect(program).toContain(`computeId: ${computeId}`);
  expect(program).not.toContain("rdns");
  const { resources } = await new Project(it).import({ objects, others: [exported([dns])] });
  expect(resources.map(({ resource }) => resource.outputs[DECLARED])).toEqual(["computeId,type,public"]);
});

test("the attachment of a volume is declared once: in the Volume or in its VolumeAttachment", async () => {
  await using it = await cloud();
  const { id: computeId } = await it.api.instances.create({
    body: { label: "web", region: "us-east", type: "g6-nanode-1" },
  });
  await it.api.instanceConfigs.create({ path: { computeId }, body: { label: "main", devices: {} } });
  const { id } = await it.api.volumes.create({ body: { label: "data", region: "us-east", compute_id: computeId } });
  const [volume, attachment] = [`volume/${id}`, `volume-attachment/${id}`];
  for (const objects of [[volume], [attachment], [volume, attachment]]) {
    const project = new Project(it);
    const { resources } = await project.import({ objects });
    expect(resources).toHaveLength(objects.length);
    expect(project.files.get("compute.ts")?.split(`computeId: ${computeId},`)).toHaveLength(2);
    expect(await project.changes()).toEqual([]);
    const rest = await project.import({ objects: [volume, attachment] });
    expect(rest.resources.map(({ kind }) => kind)).toEqual(objects[0] === attachment ? ["Volume"] : []);
    expect(project.files.get("compute.ts")?.split(`computeId: ${computeId},`)).toHaveLength(2);
    expect(await project.changes()).toEqual([]);
  }
});

test("an object that is named twice, by its label and by its id, is imported once", async () => {
  await using it = await cloud();
  const { id } = await it.api.volumes.create({ body: { label: "data", region: "us-east", size: 20 } });
  const { resources } = await new Project(it).import({
    objects: ["volume/data", `volume/${id}`, `volume-clone/${id}`],
  });
  expect(resources.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["Volume data"]);
});
