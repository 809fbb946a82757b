import { expect, test } from "vitest";
import { addressOwners, relatedTo } from "../../../account/relations";
import type { Bag } from "../../../provider/engine/values";
import { type KindName, kinds } from "../../../provider/resources";

test.each<[KindName, string, Bag, string[]]>([
  ["DomainRecord", "5/7", { type: "A" }, ["Domain/5"]],
  ["Volume", "640144", { compute_id: 12 }, ["Instance/12"]],
  ["Volume", "640144", { compute_id: null }, []],
  ["InstanceDisk", "12/34", {}, ["Instance/12"]],
  ["LkeNodePool", "3/4", {}, ["LkeCluster/3"]],
  ["NodeBalancerNode", "1/2/3", { nodebalancer_id: 1, config_id: 2 }, ["NodeBalancer/1"]],
  ["Firewall", "8", { devices: { computes: [12, 13] } }, ["Instance/12", "Instance/13"]],
  ["FirewallDevice", "8/9", { entity: { id: 12, type: "compute" } }, ["Firewall/8", "Instance/12"]],
  ["VolumeAttachment", "640144", { compute_id: 12 }, ["Volume/640144", "Instance/12"]],
  ["ObjectStorageBucket", "us-east-1/media", { cluster: "us-east-1" }, []],
])("%s %s with %o belongs to or is attached to %o", (kind, id, seen, related) => {
  expect(relatedTo(kinds[kind], id, seen)).toEqual(related);
});

test("the backend of a load balancer is related to the instance with its address", () => {
  const addresses = addressOwners([
    { kind: kinds.Instance, id: "12", observed: { ipv4: ["192.0.2.1", "192.168.128.1"] } },
    { kind: kinds.Volume, id: "13", observed: {} },
  ]);
  const seen = { address: "192.168.128.1:80" };
  expect(relatedTo(kinds.NodeBalancerNode, "1/2/3", seen, addresses)).toEqual(["NodeBalancer/1", "Instance/12"]);
});
