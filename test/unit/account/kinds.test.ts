import { describe, expect, test } from "vitest";
import { allKinds, containerKindOf, kindAt, namedBy, targetOf, targetsOf } from "../../../account/kinds";
import { leftOut } from "../../../import";
import { areaOf, importable } from "../../../import/areas";
import { factsOf, type Kind } from "../../../provider/engine/definition";
import { type KindName, kinds } from "../../../provider/resources";
import { kindTests } from "../../lifecycle/kinds";

const names = Object.keys(kinds) as KindName[];

test.each(names)("the objects of %s are found, and are contained in others, as its fixture says", (name) => {
  const { by, within } = kindTests[name].found;
  const kind: Kind = kinds[name];
  expect(factsOf(kind).list ?? "none").toBe(by);
  expect(containerKindOf(kind)?.name).toBe(within);
});

test("a part of an object is in no other object, also if the id of its object begins like that of another kind", () => {
  const { ObjectStorageBucket: bucket } = kinds;
  const parents = { cluster: "clusterId", label: "bucket" };
  expect(containerKindOf({ ...bucket, identity: { ...bucket.identity, parents } } as Kind)).toBeUndefined();
});

test("an import of an account omits the kinds that it finds only by id, each with a reason", () => {
  expect(Object.keys(leftOut).sort()).toEqual(names.filter((name) => kindTests[name].found.by === "byId").sort());
  expect(leftOut.PaymentMethod).toBe("the API does not return the number of a card");
});

test.each(importable)("an import declares the objects of %s in a file with a name", (name) => {
  expect(areaOf(kinds[name])).toMatch(/^[a-z-]+$/);
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
    ["ObjectStorageObject", "bucket", "ObjectStorageBucket"],
    ["ObjectStorageObject", "cluster", undefined],
    ["ObjectStorageKey", "bucket", undefined],
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

test("other objects refer by name only to buckets, by the label that is the last part of the id", () => {
  const { ObjectStorageBucket: bucket } = kinds;
  expect(
    allKinds.filter((kind) => allKinds.some((one) => [...targetsOf(one)].includes(kind)) && namedBy(kind)),
  ).toEqual([bucket]);
  expect(namedBy(bucket)).toBe("label");
  expect(bucket.identity.listed?.({ cluster: "us-east-1", label: "photos" } as never)).toMatchObject({
    bucket: "photos",
  });
});
