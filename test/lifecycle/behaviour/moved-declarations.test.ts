import { describe, expect } from "vitest";
import { UNKNOWN } from "../../../provider/engine/values";
import type { KindName } from "../../../provider/resources";
import { type Inputs, Managed } from "../../../testing/provider";
import { addressed } from "../kinds/needs";
import { type Account, machine } from "./accounts";
import { built, newCommand, numberOf, web } from "./machines";
import { test } from "./tests";

type AnyManaged = Managed<KindName>;

/**
 * Runs one command that changes the owner, such as a firewall, so that it declares what a resource of its own has
 * declared before, and that then deletes this resource, as Pulumi does.
 */
async function moved<K extends KindName>(
  world: Account,
  owner: Managed<K>,
  inputs: Inputs<K>,
  part: Managed<KindName>,
): Promise<void> {
  const all = [owner, part] as unknown as AnyManaged[];
  newCommand(world, ...all);
  world.messages();
  await owner.apply(await owner.preview(inputs));
  world.calls();
  await part.remove();
  expect(world.calls()).toEqual([]);
  const isTag = part.name === "Tag";
  const warning = isTag
    ? new RegExp(`^the tag .* still exists, because ${owner.name} .* declares it$`)
    : new RegExp(`^${part.name} .*was not deleted, because ${owner.name} .*declares it now$`);
  expect(world.messages()).toContainEqual(expect.stringMatching(warning));
  newCommand(world, ...all);
  expect(await owner.refresh()).toBe("same");
  expect((await owner.preview(inputs)).op).toBe("same");
}

const manage = <K extends KindName>(world: Account, kind: K) => new Managed<K>(kind, world.host, kind);

/** A tag that a `Tag` gives to an instance, and that a volume declares too, in a command that has compared the volume. */
async function declaredTwice(world: Account) {
  const tagged = await machine(world, "tagged");
  const [volume, tag] = [manage(world, "Volume"), manage(world, "Tag")];
  const data = { label: "data", region: "us-east", size: 20, tags: ["prod"] };
  await tag.up({ label: "prod", computes: [tagged] });
  await volume.up(data);
  newCommand(world, volume as never, tag as never);
  await volume.preview(data);
  return { tagged, volume, tag };
}

describe("a declaration that moves to another resource in one update is not undone by the deletion of its own resource", () => {
  test("FirewallDevice: the firewall declares the instance in devices", async ({ world }) => {
    const [one, two] = [await machine(world, "one"), await machine(world, "two")];
    const [firewall, device] = [manage(world, "Firewall"), manage(world, "FirewallDevice")];
    const closed = {
      label: "closed",
      rules: { inbound: [], inboundPolicy: "DROP" as const, outbound: [], outboundPolicy: "DROP" as const },
    };
    await firewall.up(closed);
    await device.up({ firewallId: Number(firewall.id), entityId: two });
    await moved(world, firewall, { ...closed, devices: { computes: [one, two] } }, device as never);
    const { results } = await world.api.firewallDevices.list({ path: { firewallId: Number(firewall.id) } });
    expect(results).toBe(2);
  });

  test("VolumeAttachment: the volume declares the instance", async ({ world }) => {
    const computeId = await machine(world, "one");
    const [volume, attachment] = [manage(world, "Volume"), manage(world, "VolumeAttachment")];
    const data = { label: "data", region: "us-east", size: 20 };
    await volume.up(data);
    await attachment.up({ volumeId: Number(volume.id), computeId });
    await moved(world, volume, { ...data, computeId }, attachment as never);
    expect(world.world.volumes.get(Number(volume.id)).compute_id).toBe(computeId);
  });

  test("VolumeAttachment: a boot config declares the volume", async ({ world }) => {
    const { config, configInputs, computeId } = await built(world);
    const [volume, attachment] = [manage(world, "Volume"), manage(world, "VolumeAttachment")];
    await volume.up({ label: "data", region: "us-east", size: 20 });
    const volumeId = Number(volume.id);
    await attachment.up({ volumeId, computeId });
    const [row] = world.world.instanceConfigs.all();
    const slot = Object.entries(row?.devices ?? {}).find(([, device]) => device?.volume_id === volumeId)?.[0] ?? "";
    const devices = { ...configInputs.devices, [slot]: { volumeId } };
    const named = new Managed("InstanceConfig", world.host, "InstanceConfig");
    named.state = config.state;
    await moved(world, named, { ...configInputs, devices }, attachment as never);
    expect(world.world.volumes.get(volumeId).compute_id).toBe(computeId);
  });

  test("VolumeAttachment: the instance declares the volume in its config", async ({ world }) => {
    const { instance, computeId } = await built(world);
    const [owner, volume] = [new Managed("Instance", world.host, "Instance"), manage(world, "Volume")];
    const attachment = manage(world, "VolumeAttachment");
    owner.state = instance.state;
    await volume.up({ label: "data", region: "us-east", size: 20 });
    const volumeId = Number(volume.id);
    await attachment.up({ volumeId, computeId });
    await moved(world, owner, { ...web, config: { devices: { sdb: { volumeId } } } }, attachment as never);
    expect(world.world.volumes.get(volumeId).compute_id).toBe(computeId);
  });

  test("ReverseDns: the address declares the name", async ({ world }) => {
    const { id: computeId } = await addressed(world, "one");
    const [address, name] = [manage(world, "InstanceIp"), manage(world, "ReverseDns")];
    await address.up({ computeId });
    const ip = String(address.outs.address);
    const domain = await world.api.domains.create({
      body: { domain: "example.org", type: "master", soa_email: "a@example.org" },
    });
    await world.api.domainRecords.create({
      path: { domainId: domain.id },
      body: { type: "A", name: "web", target: ip },
    });
    await name.up({ address: ip, rdns: "web.example.org" });
    await moved(world, address, { computeId, rdns: "web.example.org" }, name as never);
    expect(world.world.addresses.get(ip).rdns).toBe("web.example.org");
  });

  test("InstanceConfig: the instance declares its config", async ({ world }) => {
    const { instance, config } = await built(world);
    const [named, part] = [
      new Managed("Instance", world.host, "Instance"),
      new Managed("InstanceConfig", world.host, "InstanceConfig"),
    ];
    named.state = instance.state;
    part.state = config.state;
    await moved(world, named, { ...web, config: { comments: "declared here" } }, part as never);
    expect(world.world.instanceConfigs.all()).toMatchObject([{ id: numberOf(config), comments: "declared here" }]);
  });

  test("Tag: an object that exists already declares the tag", async ({ world }) => {
    const [volume, tag] = [manage(world, "Volume"), manage(world, "Tag")];
    const data = { label: "data", region: "us-east", size: 20 };
    await volume.up(data);
    await tag.up({ label: "prod", volumes: [Number(volume.id)] });
    await moved(world, volume, { ...data, tags: ["PROD"] }, tag as never);
    expect(world.world.volumes.get(Number(volume.id)).tags).toEqual(["prod"]);
  });

  test("Tag: a new object declares the tag", async ({ world }) => {
    const tag = manage(world, "Tag");
    await tag.up({ label: "prod" });
    newCommand(world, tag as never);
    const volume = manage(world, "Volume");
    volume.reconnect(world.host);
    tag.reconnect(world.host);
    await volume.apply(await volume.preview({ label: "data", region: "us-east", size: 20, tags: ["prod"] }));
    await tag.remove();
    expect(world.world.volumes.get(Number(volume.id)).tags).toEqual(["prod"]);
  });
});

test("Tag: stays while a cluster declares it for a pool", async ({ world }) => {
  const [cluster, tag] = [manage(world, "LkeCluster"), manage(world, "Tag")];
  const k8s = {
    label: "k8s",
    region: "us-east",
    k8sVersion: "1.22",
    pools: { main: { type: "g6-standard-1", count: 1, tags: ["prod"] } },
  };
  await tag.up({ label: "prod" });
  await cluster.up(k8s);
  newCommand(world, cluster as never, tag as never);
  await cluster.preview(k8s);
  await tag.remove();
  expect(world.world.lkePools.all()).toMatchObject([{ tags: ["prod"] }]);
  expect(world.messages()).toEqual([
    `the tag "prod" still exists, because LkeCluster "k8s" (${cluster.id}) declares it`,
  ]);
  newCommand(world, cluster as never);
  expect(await cluster.refresh()).toBe("same");
});

test("a tag that moves from a Tag, which remains, to an instance stays", async ({ world }) => {
  const [instance, tag] = [manage(world, "Instance"), manage(world, "Tag")];
  const other = await machine(world, "other");
  await instance.up(web);
  const id = Number(instance.id);
  await tag.up({ label: "prod", computes: [id, other] });
  newCommand(world, instance as never, tag as never);
  const plan = await instance.preview({ ...web, tags: ["Prod"] });
  await tag.apply(await tag.preview({ label: "prod", computes: [other] }));
  await instance.apply(plan);
  expect(world.world.instances.get(id).tags).toEqual(["prod"]);
  expect(world.world.instances.get(other).tags).toEqual(["prod"]);
});

test("an object that another resource updates is not deleted with its former resource", async ({ world }) => {
  const page = { cluster: "us-east-1", bucket: "assets", name: "a.txt" };
  await world.api.objectStorageBuckets.create({ body: { cluster: page.cluster, label: page.bucket } });
  const [former, next] = [manage(world, "ObjectStorageObject"), manage(world, "ObjectStorageObject")];
  await former.up({ ...page, content: "first" });
  // The first command failed before it deleted the former resource.
  await next.up({ ...page, content: "first" });
  newCommand(world, former as never, next as never);
  await next.apply(await next.preview({ ...page, content: "second" }));
  await former.remove();
  expect(world.messages()).toContainEqual(expect.stringMatching(/another resource of this update manages it now/));
  const path = { clusterId: page.cluster, bucket: page.bucket };
  expect((await world.api.objectStorageObjects.list({ path })).data).toHaveLength(1);
});

test("an object whose id the state has in two notations is not deleted while another resource manages it", async ({
  world,
}) => {
  const { id: computeId } = await addressed(world, "one");
  const address = String((await world.api.instanceAddresses.list({ path: { computeId } })).ipv6?.slaac?.address);
  const body = { domain: "example.org", type: "master", soa_email: "a@example.org" } as const;
  const { id: domainId } = await world.api.domains.create({ body });
  for (const name of ["web", "mail"])
    await world.api.domainRecords.create({ path: { domainId }, body: { type: "AAAA", name, target: address } });
  const [one, other] = [manage(world, "ReverseDns"), manage(world, "ReverseDns")];
  const inputs = { address, rdns: "web.example.org" };
  await one.up(inputs);
  const twice = one.state && { ...one.state, id: address.toUpperCase() };
  other.state = twice;
  newCommand(world, one as never, other as never);
  await one.preview(inputs);
  await other.remove();
  expect(world.messages()).toContainEqual(
    expect.stringMatching(/was not deleted, because ReverseDns .* declares it now$/),
  );
  other.state = twice;
  newCommand(world, one as never, other as never);
  await one.apply(await one.preview({ ...inputs, rdns: "mail.example.org" }));
  await other.remove();
  expect(world.messages()).toContainEqual(expect.stringMatching(/another resource of this update manages it now/));
  expect(world.world.addresses.get(address).rdns).toBe("mail.example.org");
});

test("a Tag that replaceOnChanges replaces keeps its tag while another resource declares it", async ({ world }) => {
  const { tagged, tag } = await declaredTwice(world);
  await tag.preview({ label: "prod", computes: [] });
  await expect(tag.remove()).rejects.toThrow("remove the option that replaces the resource, such as replaceOnChanges");
  expect(world.world.instances.get(tagged).tags).toEqual(["prod"]);
});

describe("a resource whose object nothing else declares is deleted", () => {
  test("FirewallDevice: the firewall declares another instance", async ({ world }) => {
    const [one, two] = [await machine(world, "one"), await machine(world, "two")];
    const [firewall, device] = [manage(world, "Firewall"), manage(world, "FirewallDevice")];
    const open = {
      label: "open",
      rules: { inbound: [], inboundPolicy: "ACCEPT" as const, outbound: [], outboundPolicy: "ACCEPT" as const },
    };
    await firewall.up(open);
    const firewallId = Number(firewall.id);
    await device.up({ firewallId, entityId: two });
    newCommand(world, firewall as never, device as never);
    await firewall.preview(open);
    await world.api.firewallDevices.create({ path: { firewallId }, body: { id: one, type: "compute" } });
    await device.remove();
    const { data } = await world.api.firewallDevices.list({ path: { firewallId } });
    expect(data.map(({ entity }) => entity.id)).toEqual([one]);
  });

  test("VolumeAttachment: the volume is replaced in the same update", async ({ world }) => {
    const computeId = await machine(world, "one");
    const [volume, attachment] = [manage(world, "Volume"), manage(world, "VolumeAttachment")];
    await volume.up({ label: "data", region: "us-east", size: 20 });
    await attachment.up({ volumeId: Number(volume.id), computeId });
    newCommand(world, volume as never, attachment as never);
    await volume.preview({ label: "data", region: "eu-west", size: 20, computeId });
    await attachment.remove();
    expect(world.world.volumes.get(Number(volume.id)).compute_id).toBeNull();
  });

  test("InstanceConfig: its instance, which declares a config, was deleted by hand", async ({ world }) => {
    const { instance, config, computeId } = await built(world);
    const declared = { ...web, config: { comments: "declared" } };
    await instance.up(declared);
    await world.api.instances.delete({ path: { computeId } });
    world.emulator.settle();
    newCommand(world, instance as never, config as never);
    expect((await instance.preview({ ...declared, tags: ["new"] })).op).toBe("replace");
    await config.remove();
    expect(config.state).toBeUndefined();
  });

  const page = { cluster: "us-east-1", bucket: "assets", name: "a.txt" };
  const files = { path: { clusterId: page.cluster, bucket: page.bucket } };
  const uploaded = async (world: Account) => {
    await world.api.objectStorageBuckets.create({ body: { cluster: page.cluster, label: page.bucket } });
    const file = manage(world, "ObjectStorageObject");
    await file.up({ ...page, content: "first" });
    newCommand(world, file as never);
    return { file, left: async () => (await world.api.objectStorageObjects.list(files)).data.length };
  };

  test("ObjectStorageObject: Pulumi has asked whether it would be replaced with an instance", async ({ world }) => {
    const { file, left } = await uploaded(world);
    expect(await file.isReplacedWith({ content: UNKNOWN })).toBe(false);
    await file.remove();
    expect(await left()).toBe(0);
  });

  test("ObjectStorageObject: the option replaceOnChanges replaces it because of its content", async ({ world }) => {
    const { file, left } = await uploaded(world);
    const { inputs } = await file.preview({ ...page, content: "second" });
    await file.remove();
    expect(await left()).toBe(0);
    await file.apply({ op: "create", diffs: [], replaces: [], deleteBeforeReplace: false, inputs });
    expect(await left()).toBe(1);
  });

  test("Tag: a Tag that gets another label leaves the old one where another resource declares it", async ({
    world,
  }) => {
    const { tagged, volume, tag } = await declaredTwice(world);
    await tag.apply(await tag.preview({ label: "live", computes: [tagged] }));
    await tag.deleteReplaced();
    expect(world.world.instances.get(tagged).tags).toEqual(["live"]);
    expect(world.world.volumes.get(Number(volume.id)).tags).toEqual(["prod"]);
  });

  test("Tag: other objects lose the tag, also if a resource still declares it", async ({ world }) => {
    const [tagged, other] = [await machine(world, "tagged"), await machine(world, "other")];
    const [volume, tag] = [manage(world, "Volume"), manage(world, "Tag")];
    const data = { label: "data", region: "us-east", size: 20, tags: ["prod"] };
    await tag.up({ label: "prod", computes: [tagged] });
    await volume.up(data);
    await world.api.instances.update({ path: { computeId: other }, body: { tags: ["prod"] } });
    newCommand(world, volume as never, tag as never);
    await volume.preview(data);
    await tag.remove();
    expect(world.world.instances.get(tagged).tags).toEqual([]);
    // Never in this resource.
    expect(world.world.instances.get(other).tags).toEqual(["prod"]);
    expect(world.world.volumes.get(Number(volume.id)).tags).toEqual(["prod"]);
    expect(world.messages()).toEqual([
      expect.stringMatching(/^the tag "prod" still exists, because Volume .* declares it$/),
    ]);
  });
});
