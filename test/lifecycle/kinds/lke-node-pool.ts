import fc from "fast-check";
import { number, tags } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { cluster } from "./needs";

export const effects: Effects<"LkeNodePool"> = {
  clusterId: "replace",
  type: "replace",
  autoscaler: "replace",
  disks: "replace",
  tags: "replace",
  count: ["lkePools.update"],
};

export const found: Found = { by: "operation", within: "LkeCluster" };

export const fixture: CreateFixture<"LkeNodePool"> = async (cloud) => {
  const { api, emulator, world } = cloud;
  const [one, other] = [await cluster(cloud, "one"), await cluster(cloud, "other")];
  const autoscaler = { enabled: true, min: 1, max: 3 };
  return {
    base: { clusterId: one.id, type: "g6-standard-1", count: 2 },
    changes: {
      clusterId: { to: other.id, read: (id) => world.lkePools.get(id).cluster_id },
      type: { to: "g6-standard-2" },
      autoscaler: [{ to: autoscaler }, { before: { autoscaler }, to: { ...autoscaler, max: 4 } }],
      disks: { to: [{ size: 10_240, type: "ext4" }] },
      tags: { to: ["batch"] },
      count: [{ to: 3 }, { to: 1 }],
    },
    /** Recycles the nodes. Their new ids must not be reported as drift. */
    async changeUnmanaged(poolId) {
      await api.lkePools.recycle({ path: { clusterId: one.id, poolId } });
      emulator.settle();
    },
  };
};

const pool = { type: "g6-standard-1", count: 2, tags: ["main", "web"] };
const scaled = { ...pool, autoscaler: { enabled: true, min: 1, max: 5 } };

export const equivalentValues: EquivalentValues = ({ clusterId }) => [
  {
    inputs: pool,
    equivalent: {
      clusterId: number(clusterId as number),
      count: number(2),
      tags: tags(pool.tags),
      disks: fc.constantFrom([], undefined),
    },
  },
  { inputs: scaled, equivalent: { count: fc.integer({ min: 1, max: 5 }), tags: tags(pool.tags) } },
];

export const exampleEdit: ExampleEdit<"LkeNodePool"> = { count: 3 };

export const templates: Templates = {
  LkeNodePool: {
    needs: { cluster: "LkeCluster" },
    skip: ["clusterId"],
    inputs: (roles) => ({ clusterId: id(roles, "cluster") }),
  },
};
