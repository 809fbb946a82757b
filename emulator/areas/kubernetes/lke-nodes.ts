import { deviceNames, LkeNode } from "../../../api";
import { ErrorResponse, notFound } from "../../core/error-response";
import { entity } from "../../core/events";
import { type RowOf, table } from "../../core/store";
import { task, type World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";
import { addConfig } from "../compute/instance-configs";
import { addMachine } from "../compute/instance-create";
import { removeInstance } from "../compute/instance-removal";
import { setStatus } from "../compute/instance-runs";

/** A stored node, with its cluster, its pool and the Kubernetes version at its creation. */
export interface LkeNodeRow extends LkeNode {
  cluster_id: number;
  pool_id: number;
  k8s_version: string;
}

/**
 * Seconds until a new cluster's API server is reachable. The service takes two to five minutes (API documentation, part
 * 2 · Limits · limit 4).
 */
export const CLUSTER_SECONDS = 120;
/** Seconds until the first of several new nodes is ready, and additional seconds for each further node. */
const NODE_SECONDS = 60;
const FURTHER_SECONDS = 10;
/** Seconds within which the instances of nodes that are deleted together are deleted, one after the other. */
const DELETED_AFTER_SECONDS = 10;

/** Runs when the job that creates a node has ended. The node becomes ready, unless the job failed. */
const ready = task<{ id: string }>("lkeNodes.ready", (world, { id }, outcome) => {
  if (world.lkeNodes.find(id) && outcome === "finished") world.lkeNodes.patch(id, { status: "ready" });
});

const nodeDeleted = task<{ instance: number }>("lkeNodes.gone", (world, { instance }) => {
  if (world.instances.find(instance)) removeInstance(world, instance);
});

/** Replaces the next node of a pool that is being recycled, once all earlier nodes have been replaced. */
const replaced = task<{ id: string }>("lkeNodes.replaced", (world, { id }) => replace(world, id));

export const lkeNodes: AreaModule<"lkeNodes", { lkeNodes: LkeNodeRow }> = {
  tables: {
    lkeNodes: table<LkeNodeRow>([], { refs: { cluster_id: "lkeClusters", pool_id: "lkePools" }, shape: LkeNode }),
  },
  tasks: [ready, nodeDeleted, replaced],
  handlers: {
    view: ({ world, path }) => nodeOf(world, path),

    delete({ world, path }) {
      const node = nodeOf(world, path);
      const count = nodesOf(world, node.pool_id).length;
      const { autoscaler } = world.lkePools.get(node.pool_id);
      if (count === 1)
        throw new ErrorResponse(400, `The node is the last one of pool ${node.pool_id}; delete the pool instead`);
      if (autoscaler.enabled && autoscaler.min !== null && count <= autoscaler.min)
        throw new ErrorResponse(
          400,
          `The node cannot be deleted: the autoscaler of pool ${node.pool_id} requires at least ${autoscaler.min} nodes`,
        );
      removeNodes(world, [node]);
      return {};
    },

    recycle({ world, path }) {
      recycleNodes(world, [nodeOf(world, path)]);
      return {};
    },
  },
};

/** The nodes of a pool, oldest first. */
export const nodesOf = (world: World, pool: number): readonly Readonly<LkeNodeRow>[] =>
  world.lkeNodes.by("pool_id", pool).toSorted((a, b) => a.instance_id - b.instance_id);

/**
 * Adds nodes to a pool. They become ready one after the other, after `ahead` other nodes that are still starting. No
 * node of a new cluster is ready before the API server, because clients learn from the events of the nodes when the
 * cluster is ready (API documentation, part 2 · Endpoints · Kubernetes · rule 1).
 */
export function addNodes(world: World, pool: RowOf<"lkePools">, count: number, ahead = 0): void {
  const { id: cluster, region, k8s_version, up } = world.lkeClusters.get(pool.cluster_id);
  for (let position = ahead; position < ahead + count; position++) {
    const suffix = world.random.hex(10);
    const instance = addNodeInstance(world, { ...pool, region }, `lke${cluster}-${pool.id}-${suffix}`);
    const node = world.lkeNodes.insert({
      id: `${pool.id}-${suffix}`,
      cluster_id: cluster,
      pool_id: pool.id,
      instance_id: instance.id,
      status: "not_ready",
      k8s_version,
    });
    world.jobs.start({
      entity: entity("compute", instance),
      action: "lke_node_create",
      seconds: Math.max(NODE_SECONDS + position * FURTHER_SECONDS, up ? 0 : CLUSTER_SECONDS),
      task: ready,
      args: { id: node.id },
      compute: instance.id,
    });
  }
}

/** Removes nodes immediately, and schedules the deletion of their instances within the next seconds. */
export function removeNodes(world: World, nodes: readonly Readonly<LkeNodeRow>[]): void {
  for (const [at, { id, instance_id: instance }] of nodes.entries()) {
    world.lkeNodes.remove(id);
    world.jobs.drop(instance);
    if (world.instances.find(instance)) setStatus(world, instance, "deleting");
    world.later(nodeDeleted, { instance }, ((at + 1) * DELETED_AFTER_SECONDS) / nodes.length);
  }
}

/**
 * Replaces nodes one after the other: the first node now, and each further node when the replacement of the previous
 * node is ready (API documentation, part 2 · Endpoints · Kubernetes · rule 8).
 */
export function recycleNodes(world: World, nodes: readonly Readonly<LkeNodeRow>[]): void {
  for (const [at, { id }] of nodes.entries()) {
    if (at === 0) replace(world, id);
    else world.later(replaced, { id }, at * NODE_SECONDS);
  }
}

/**
 * Replaces the node whose instance a client has deleted with `DELETE /compute/instances/{id}`, so that the pool keeps
 * its size.
 */
export function replaceLost(world: World, instance: number): void {
  for (const { id } of world.lkeNodes.by("instance_id", instance)) replace(world, id);
}

/** Replaces a node, unless it was deleted after the replacement was scheduled. */
function replace(world: World, id: string): void {
  const node = world.lkeNodes.find(id);
  if (!node) return;
  removeNodes(world, [node]);
  addNodes(world, world.lkePools.get(node.pool_id), 1);
}

function nodeOf(world: World, { clusterId, nodeId }: { clusterId: number; nodeId: string }): Readonly<LkeNodeRow> {
  const { id } = world.lkeClusters.get(clusterId);
  const node = world.lkeNodes.get(nodeId);
  if (node.cluster_id !== id) throw notFound();
  return node;
}

/**
 * Creates the instance of a node. The instance's label, such as `lke12345-67890-6aa78910bc`, shows the cluster and the
 * pool. Custom disks of the pool reduce the size of the boot disk (API documentation, part 2 · Endpoints · Kubernetes ·
 * rule 5).
 */
function addNodeInstance(
  world: World,
  { region, type, disks }: Pick<RowOf<"instances">, "region"> & Pick<RowOf<"lkePools">, "type" | "disks">,
  label: string,
): RowOf<"instances"> {
  const instance = addMachine(world, { label, region, type, status: "running", private_ip: true });
  const boot = instance.specs.disk - disks.reduce((sum, { size }) => sum + size, 0);
  const wanted: Pick<RowOf<"disks">, "label" | "size" | "filesystem">[] = [
    { label: "Boot Disk", size: boot, filesystem: "ext4" },
    ...disks.map(({ size, type }, at) => ({ label: `Partition ${at + 1}`, size, filesystem: type })),
  ];
  const created = wanted.map((disk) =>
    world.disks.insert({ ...disk, compute_id: instance.id, status: "ready", used: 0, root_pass: null }),
  );
  const config = addConfig(world, instance, {
    label: "Boot Config",
    kernel: "compute/grub2",
    devices: Object.fromEntries(created.map(({ id }, at) => [deviceNames[at], { disk_id: id, volume_id: null }])),
  });
  return setStatus(world, instance.id, "running", { booted_config: config.id });
}
