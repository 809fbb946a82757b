import { describe, expect, test } from "vitest";
import { allKinds, containerKindOf, kindAt, targetOf, targetsOf } from "../../../account/kinds";
import { leftOut } from "../../../import";
import { factsOf } from "../../../provider/engine/definition";
import { type KindName, kinds } from "../../../provider/resources";

/** A list by hand, so that a wrong `inventory` in a definition fails here. */
const addNew = "add a new kind to the list in this test";

const namesWith = (list: string | undefined): string[] =>
  allKinds.filter((kind) => factsOf(kind).list === list).map(({ name }) => name);

describe("how the objects of each kind are found", () => {
  test("by the API's list operation, so that the drift check can report unmanaged ones", () => {
    expect(namesWith("operation"), addNew).toEqual([
      "Domain",
      "DomainRecord",
      "Firewall",
      "FirewallDevice",
      "Image",
      "Instance",
      "InstanceConfig",
      "InstanceDisk",
      "LkeCluster",
      "LkeNodePool",
      "ManagedContact",
      "ManagedCredential",
      "ManagedService",
      "NodeBalancer",
      "NodeBalancerConfig",
      "NodeBalancerNode",
      "OAuthClient",
      "ObjectStorageBucket",
      "ObjectStorageKey",
      "Volume",
    ]);
  });

  test("by a search of an import", () => expect(namesWith("search"), addNew).toEqual(["ReverseDns", "Tag"]));

  test("only on request, with a reason in the report of an import", () => {
    expect(Object.keys(leftOut).sort()).toEqual(namesWith("byId").sort());
    expect(leftOut.PaymentMethod).toBe("the API does not return the number of a card");
  });

  test("not at all if the kind is an action", () => {
    expect(namesWith(undefined), addNew).toEqual(["InstanceAction", "LkeNodeRecycle"]);
  });
});

test("an object is nested in the object whose id its own id begins with", () => {
  const nested = allKinds.flatMap((kind) => {
    const whole = containerKindOf(kind);
    return whole ? [[kind.name, whole.name]] : [];
  });
  expect(Object.fromEntries(nested), addNew).toEqual({
    DomainRecord: "Domain",
    FirewallDevice: "Firewall",
    InstanceConfig: "Instance",
    InstanceDisk: "Instance",
    InstanceIp: "Instance",
    InstanceSnapshot: "Instance",
    LkeNodePool: "LkeCluster",
    NodeBalancerConfig: "NodeBalancer",
    NodeBalancerNode: "NodeBalancerConfig",
    ObjectStorageObject: "ObjectStorageBucket",
  });
});

describe("the kind of object to which an input refers", () => {
  test.each<[KindName, string, string | undefined]>([
    ["Volume", "computeId", "Instance"],
    ["InstanceConfig", "diskId", "InstanceDisk"],
    ["InstanceConfig", "volumeId", "Volume"],
    ["LkeNodePool", "clusterId", "LkeCluster"],
    ["DomainRecord", "domainId", "Domain"],
    ["FirewallDevice", "firewallId", "Firewall"],
    ["FirewallDevice", "entityId", "Instance"],
    ["Firewall", "computes", "Instance"],
    ["Instance", "image", "Image"],
    ["InstanceDisk", "image", "Image"],
    ["ManagedService", "credentials", "ManagedCredential"],
    ["NodeBalancerNode", "nodebalancerId", "NodeBalancer"],
    ["NodeBalancerNode", "configId", "NodeBalancerConfig"],
    ["ServiceTransfer", "computes", "Instance"],
    ["Volume", "configId", undefined],
    ["AccountContact", "taxId", undefined],
    ["ObjectStorageObject", "bucket", undefined],
    ["Volume", "label", undefined],
  ])("%s: %s", (name, input, target) => expect(targetOf(kinds[name], input)?.name).toBe(target));

  test("is found for nested inputs, too", () => {
    expect([...targetsOf(kinds.InstanceConfig)].map(({ name }) => name).sort()).toEqual([
      "Instance",
      "InstanceDisk",
      "Volume",
    ]);
  });

  test("is declared only for names of inputs", () => {
    for (const kind of allKinds)
      for (const area of Object.values(factsOf(kind).refersTo ?? {}))
        expect([...targetsOf(kind)], kind.name).toContain(kindAt(area));
  });
});

test("of several kinds of the same objects, the first one stands for all", () => {
  expect(kindAt("volumes")?.name).toBe("Volume");
  expect(targetOf(kinds.VolumeAttachment, "volume_id")?.name).toBe("Volume");
});
