import { clusterCreateRules, LkeCluster, nextMinor, reasons } from "../../../api";
import { ErrorResponse, Reasons } from "../../core/error-response";
import type { Random } from "../../core/random";
import { table } from "../../core/store";
import { task, type World } from "../../core/world";
import { allowedTags, requireFreeLabel } from "../../http/account-checks";
import type { AreaModule } from "../../http/handlers";
import { checkRegion } from "../compute/regions";
import { endpointsOf, kubeconfigOf } from "./lke-kubeconfig";
import { CLUSTER_SECONDS, nodesOf, recycleNodes, removeNodes } from "./lke-nodes";
import { addPool, requirePool } from "./lke-pools";

/** A stored cluster, with the secrets that its kubeconfig is generated from. */
export interface LkeClusterRow extends LkeCluster {
  /** Whether the API server of the cluster is reachable. */
  up: boolean;
  uuid: string;
  /** The private key of the cluster's certificate authority: 32 bytes in hex. */
  authority: string;
  /** The administrator's token: 32 bytes in hex. */
  token: string;
}

/** Marks the cluster's API server as reachable. */
const up = task<{ id: number }>("lkeClusters.up", (world, { id }) => {
  if (world.lkeClusters.find(id)) world.lkeClusters.patch(id, { up: true });
});

export const lkeClusters: AreaModule<"lkeClusters", { lkeClusters: LkeClusterRow }> = {
  tables: { lkeClusters: table<LkeClusterRow>([], { refs: { region: "regions" }, shape: LkeCluster }) },
  tasks: [up],
  rules: { create: clusterCreateRules },
  handlers: {
    list: ({ world }) => world.lkeClusters,

    create({ world, caller, body: { node_pools, tags = [], ...body } }) {
      const problems = new Reasons();
      allowedTags(caller, [...tags, ...node_pools.flatMap((pool) => pool.tags ?? [])], []);
      requireFreeLabel(world.lkeClusters, problems, body.label);
      checkRegion(world, body.region, "Kubernetes", problems, "region");
      for (const [at, pool] of node_pools.entries()) requirePool(world, problems, pool, `node_pools.${at}.`);
      problems.throwIfAny();
      const cluster = world.lkeClusters.insert({ ...body, tags, up: false, ...keys(world.random) });
      world.later(up, { id: cluster.id }, CLUSTER_SECONDS);
      let ahead = 0;
      for (const pool of node_pools) {
        addPool(world, cluster.id, pool, ahead);
        ahead += pool.count;
      }
      return cluster;
    },

    view: ({ world, path }) => world.lkeClusters.get(path.clusterId),

    update({ world, caller, path, body: { control_plane, ...body } }) {
      const cluster = world.lkeClusters.get(path.clusterId);
      const problems = new Reasons();
      const tags = allowedTags(caller, body.tags, cluster.tags);
      if (body.label !== undefined) requireFreeLabel(world.lkeClusters, problems, body.label, cluster.id);
      if (body.k8s_version !== undefined) requireNext(problems, cluster.k8s_version, body.k8s_version);
      const { high_availability = cluster.control_plane.high_availability } = control_plane ?? {};
      problems.addUnless(
        high_availability || !cluster.control_plane.high_availability,
        "Must stay true: high availability cannot be disabled",
        "control_plane.high_availability",
      );
      problems.throwIfAny();
      return world.lkeClusters.patch(cluster.id, { ...body, tags, control_plane: { high_availability } });
    },

    delete({ world, path }) {
      const { id } = world.lkeClusters.get(path.clusterId);
      removeNodes(world, clusterNodes(world, id));
      for (const pool of world.lkePools.by("cluster_id", id)) world.lkePools.remove(pool.id);
      world.lkeClusters.remove(id);
      return {};
    },

    recycle({ world, path }) {
      recycleNodes(world, clusterNodes(world, world.lkeClusters.get(path.clusterId).id));
      return {};
    },

    apiEndpoints({ world, path }) {
      const cluster = reachable(world, path.clusterId, reasons.endpointsNotReady);
      return endpointsOf(cluster).map((endpoint) => ({ endpoint }));
    },

    async viewKubeconfig({ world, path }) {
      const cluster = reachable(world, path.clusterId, reasons.kubeconfigNotReady);
      return { kubeconfig: Buffer.from(await kubeconfigOf(cluster)).toString("base64") };
    },

    /**
     * Replaces the token, so that the old kubeconfig becomes invalid. The kubeconfig's certificate authority stays the
     * same, because the API server's certificate is signed by it.
     */
    deleteKubeconfig({ world, path }) {
      const { id } = reachable(world, path.clusterId, reasons.kubeconfigNotReady);
      world.lkeClusters.patch(id, { token: world.random.hex(64) });
      return {};
    },
  },
};

/** The nodes of a cluster, ordered by pool and then by age, oldest first. */
const clusterNodes = (world: World, cluster: number) =>
  world.lkePools.by("cluster_id", cluster).flatMap(({ id }) => nodesOf(world, id));

function keys(random: Random): Pick<LkeClusterRow, "uuid" | "authority" | "token"> {
  return { uuid: random.uuid(), authority: random.hex(64), token: random.hex(64) };
}

function reachable(world: World, id: number, reason: string): Readonly<LkeClusterRow> {
  const cluster = world.lkeClusters.get(id);
  if (!cluster.up) throw new ErrorResponse(503, reason);
  return cluster;
}

/** Rejects upgrades except to the next minor version (API documentation, part 2 · Endpoints · Kubernetes · rule 2). */
function requireNext(problems: Reasons, from: string, to: string): void {
  const next = nextMinor(from);
  if (to === from || to === next) return;
  const isOlder = to.localeCompare(from, "en", { numeric: true }) < 0;
  problems.add(
    isOlder
      ? `The cluster runs ${from} and cannot be downgraded to ${to}`
      : `The cluster runs ${from}; only the next minor version, ${next}, can be deployed, not ${to}`,
    "k8s_version",
  );
}
