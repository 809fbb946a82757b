import fc from "fast-check";
import { constants, number, tags } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";

export const effects: Effects<"LkeCluster"> = {
  region: "replace",
  label: ["lkeClusters.update"],
  k8sVersion: ["lkeClusters.update"],
  controlPlane: ["lkeClusters.update"],
  tags: ["lkeClusters.update"],
  pools: ["lkePools.create", "lkePools.delete", "lkePools.update"],
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"LkeCluster"> = async ({ api, emulator, world }) => {
  const main = { type: "g6-standard-1", count: 2, tags: ["main"] };
  const more = { type: "g6-standard-2", count: 1, tags: ["more"] };
  /**
   * The node pools of the cluster by their first tag. In the test data, this tag is the name of the pool in the
   * program.
   */
  const pools = async (clusterId: number) => {
    const { data } = await api.lkePools.list({ path: { clusterId } });
    return Object.fromEntries(data.map((pool) => [pool.tags[0], pool]));
  };
  return {
    base: { label: "k8s", region: "us-east", k8sVersion: "1.21", pools: { main } },
    changes: {
      label: { to: "k9s" },
      tags: [{ to: ["prod", "k8s"] }, { before: { tags: ["prod"] }, to: [] }],
      controlPlane: { to: { highAvailability: true } },
      k8sVersion: { to: "1.22" },
      region: { to: "eu-west" },
      pools: [
        { to: { main: { ...main, count: 3 } }, calls: ["lkePools.update count"], read: pools },
        { to: { main, more }, calls: ["lkePools.create count tags type"], read: pools },
        { before: { pools: { main, more } }, to: { main }, calls: ["lkePools.delete"], read: pools },
        {
          to: { main: { ...main, type: "g6-standard-2" } },
          calls: ["lkePools.create count tags type", "lkePools.delete"],
          read: pools,
        },
        {
          before: { pools: { main, more } },
          to: { main: { ...main, autoscaler: { enabled: true, min: 1, max: 3 } }, more: { ...more, count: 2 } },
          calls: ["lkePools.create autoscaler count tags type", "lkePools.update count", "lkePools.delete"],
          read: pools,
        },
      ],
    },
    notRead: ["pools"],
    /** Recycles the nodes. Their new ids must not be reported as drift. */
    async changeUnmanaged(clusterId) {
      await api.lkeClusters.recycle({ path: { clusterId } });
      emulator.settle();
      world.lkeClusters.patch(clusterId, {});
    },
  };
};

const pool = { type: "g6-standard-1", count: 2, tags: ["main", "web"] };
const scaled = { ...pool, autoscaler: { enabled: true, min: 1, max: 5 } };

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: { tags: ["prod", "k8s"], pools: { main: pool, scaled } },
    equivalent: {
      tags: tags(["prod", "k8s"]),
      pools: fc
        .tuple(
          fc.record({ ...constants(pool), count: number(2), tags: tags(pool.tags) }),
          fc.record({
            ...constants(scaled),
            count: fc.integer({ min: 1, max: 5 }).chain(number),
            tags: tags(pool.tags),
          }),
          fc.boolean(),
        )
        .map(([main, auto, turned]) => (turned ? { scaled: auto, main } : { main, scaled: auto })),
      controlPlane: fc.constantFrom({ highAvailability: false }, undefined),
    },
  },
];

export const exampleEdit: ExampleEdit<"LkeCluster"> = { tags: ["edited"] };

export const templates: Templates = { LkeCluster: { irreversible: ["controlPlane", "k8sVersion"] } };
