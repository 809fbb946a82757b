import { expect, test } from "vitest";
import { excluded, importable } from "../../../import/areas";

test("a program declares objects in the order of its files, and objects after those to which they refer", () => {
  expect(importable.filter((name) => !(name in excluded))).toEqual([
    ...["Image", "Instance", "InstanceDisk", "InstanceConfig", "Volume"],
    ...["ReverseDns", "Firewall", "FirewallDevice"],
    ...["NodeBalancer", "NodeBalancerConfig", "NodeBalancerNode"],
    ...["Domain", "DomainRecord"],
    ...["LkeCluster", "LkeNodePool"],
    ...["ObjectStorageBucket", "ObjectStorageKey"],
    ...["ManagedContact", "ManagedCredential", "ManagedService"],
    ...["OAuthClient", "Tag"],
  ]);
});
