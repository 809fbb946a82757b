import { number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { cluster } from "./needs";

export const effects: Effects<"LkeNodeRecycle"> = {
  clusterId: "replace",
  poolId: "replace",
  nodeId: "replace",
  triggers: ["lkePools.recycle"],
};

export const found: Found = { by: "none" };

export const fixture: CreateFixture<"LkeNodeRecycle"> = async (cloud) => {
  const { api, emulator, world } = cloud;
  const [one, other] = [await cluster(cloud, "one"), await cluster(cloud, "other")];
  const path = { clusterId: one.id };
  const pool = () => api.lkePools.create({ path, body: { type: "g6-standard-1", count: 2 } });
  const [extra, more] = [await pool(), await pool()];
  emulator.settle();
  const { data: pools } = await api.lkePools.list({ path });
  const nodes = pools.flatMap((pool) => pool.nodes.map(({ id }) => id));
  const before = new Set(world.lkeNodes.all().map(({ id }) => id));
  const recycled = () => world.lkeNodes.all().some(({ id }) => !before.has(id));
  return {
    base: { clusterId: one.id, poolId: extra.id, triggers: ["1.21"] },
    changes: {
      clusterId: { to: other.id, along: { poolId: undefined } },
      poolId: { to: more.id, read: () => (recycled() ? more.id : undefined) },
      nodeId: { to: nodes[0] as string, along: { poolId: undefined }, read: () => (recycled() ? nodes[0] : undefined) },
      triggers: { to: ["1.22"], calls: ["lkePools.recycle"], read: () => (recycled() ? ["1.22"] : undefined) },
    },
    // The resource recycles nodes once, so there is no object that the emulator stores or that can be deleted.
    table: null,
    creation: "lkePools.recycle",
    remove: null,
    remains: { lkeNodes: true, instances: true, disks: true, addresses: true, instanceConfigs: true },
    changeUnmanaged: () => {},
  };
};

export const equivalentValues: EquivalentValues = ({ clusterId, poolId }) => [
  {
    inputs: { triggers: ["1.21"] },
    equivalent: { clusterId: number(clusterId as number), poolId: number(poolId as number) },
  },
];

export const exampleEdit: ExampleEdit<"LkeNodeRecycle"> = { triggers: ["edited"] };

export const templates: Templates = {
  LkeNodeRecycle: {
    needs: { cluster: "LkeCluster" },
    skip: ["clusterId", "poolId", "nodeId"],
    inputs: (roles) => ({ clusterId: id(roles, "cluster"), poolId: undefined }),
  },
};
