import { describe, expect } from "vitest";
import { parse } from "yaml";
import { Managed } from "../../../testing/provider";
import type { Account } from "./accounts";
import { testsOf } from "./tests";

const test = testsOf("LkeCluster");

const main = { type: "g6-standard-1", count: 2 };
const extra = { type: "g6-standard-2", count: 1 };
const k8s = { label: "k8s", region: "us-east", k8sVersion: "1.21", pools: { main } };

const nodes = ({ world }: Account, pool: unknown) => world.lkeNodes.by("pool_id", pool as number).map(({ id }) => id);
const pools = (it: Managed<"LkeCluster">) => it.outs.poolIds as Record<string, number>;

describe("LkeCluster", () => {
  test("a cluster is ready when every node is, with the outputs for access to it", async ({ world, it }) => {
    await it.up(k8s);
    expect(world.world.lkeNodes.all().map(({ status }) => status)).toEqual(["ready", "ready"]);
    const { kubeconfig, endpoint, token, caCertificate } = it.outs;
    const config = parse(kubeconfig as string);
    expect(config.clusters[0].cluster.server).toBe(endpoint);
    expect(config.users[0].user.token).toBe(token);
    expect(caCertificate).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
    expect(endpoint).toMatch(/^https:\/\//);
  });

  test("a cluster whose nodes are ready is not ready before its kubeconfig is available", async ({ world, it }) => {
    world.emulator.faults.add({ kind: "status", status: 503, path: "lkeClusters.viewKubeconfig", times: 10_000 });
    await expect(it.up(k8s)).rejects.toThrow(/: create timed out after 12\d\d s: kubeconfig not available yet\./);
    expect(world.world.lkeNodes.all().map(({ status }) => status)).toEqual(["ready", "ready"]);
    world.emulator.faults.clear();
    world.emulator.faults.add({ kind: "status", status: 503, path: "lkeClusters.viewKubeconfig", times: 20 });
    await it.up(k8s);
    expect(world.emulator.faults.list()).toMatchObject([{ hits: 20 }]);
    expect(parse(String(it.outs.kubeconfig)).clusters[0].cluster.server).toBe(it.outs.endpoint);
  });

  test("the first update of an adopted cluster finds the declared pools by their contents", async ({ world, it }) => {
    const first = new Managed("LkeCluster", world.host);
    await first.up(k8s);
    await it.adopt(first.id);
    world.calls();
    await it.up(k8s);
    expect(world.calls()).toEqual([]);
    expect(pools(it)).toEqual(pools(first));
    await it.destroy();
  });

  test("replaces a pool that is changed after its cluster was left unfinished", async ({ world, it }) => {
    world.emulator.faults.add({ kind: "status", status: 401, path: "lkeClusters.view", times: 20 });
    await expect(it.up(k8s)).rejects.toThrow("401");
    world.emulator.faults.clear();
    await it.up({ ...k8s, pools: { main: { ...main, tags: ["web"] } } });
    expect(world.world.lkePools.all().map(({ id, tags }) => [id, tags])).toEqual([[pools(it).main, ["web"]]]);
  });

  test("removing a pool from the program deletes only this pool", async ({ world, it }) => {
    await it.up({ ...k8s, pools: { extra, main } });
    const { main: stored } = pools(it);
    const before = nodes(world, stored);
    world.messages();
    world.calls();
    await it.up(k8s);
    expect(world.messages()).toEqual(["k8s: pool extra is deleted with its 1 node"]);
    expect(world.calls()).toEqual(["lkePools.delete"]);
    expect(pools(it)).toEqual({ main: stored });
    expect(nodes(world, stored)).toEqual(before);
  });

  test("pools with equal inputs are distinguished by name", async ({ world, it }) => {
    await it.up({ ...k8s, pools: { blue: main, green: main } });
    const { blue, green } = pools(it);
    expect(blue).not.toBe(green);
    await it.up({ ...k8s, pools: { green: main, blue: { ...main, count: 3 } } });
    expect(pools(it)).toEqual({ blue, green });
    expect([nodes(world, blue).length, nodes(world, green).length]).toEqual([3, 2]);
    await it.up({ ...k8s, pools: { green: main } });
    expect(pools(it)).toEqual({ green });
  });

  test("deletes the old nodes of a replaced pool only when the new ones are ready", async ({ world, it }) => {
    await it.up(k8s);
    const { main: old } = pools(it);
    world.messages();
    await it.up({ ...k8s, pools: { main: extra } });
    expect(world.messages()).toEqual(["k8s: pool main is replaced: 2 nodes by 1 new one"]);
    expect(pools(it).main).not.toBe(old);
    expect(world.world.lkePools.all().map(({ id }) => id)).toEqual([pools(it).main]);
  });

  describe("a change that adds nodes to some pools and removes nodes of others", () => {
    const before = {
      ...k8s,
      pools: { shrunk: { ...main, count: 5 }, deleted: extra, grown: { ...main, tags: ["more"] } },
    };
    const after = {
      ...k8s,
      pools: { shrunk: { ...main, count: 1 }, grown: { ...before.pools.grown, count: 3 }, added: extra },
    };
    const sizes = (world: Account, it: Managed<"LkeCluster">) =>
      Object.fromEntries(Object.keys(pools(it)).map((name) => [name, nodes(world, pools(it)[name]).length]));

    test("removes nodes only when the new ones are ready", async ({ world, it }) => {
      await it.up(before);
      world.messages();
      // The first request of a pool's number of nodes adds nodes, and the second one removes nodes.
      world.emulator.faults.add({ path: "lkePools.update", nth: 2, kind: "status", status: 400 });
      await expect(it.up(after)).rejects.toThrow("lkePools.update: 400");
      expect(world.messages()).toEqual([
        "k8s: pool grown is resized from 2 to 3 nodes; pool shrunk is resized from 5 to 1 node; pool deleted is deleted with its 1 node",
      ]);
      expect(sizes(world, it)).toEqual({ shrunk: 5, deleted: 1, grown: 3, added: 1 });
      expect(new Set(world.world.lkeNodes.all().map(({ status }) => status))).toEqual(new Set(["ready"]));
      world.calls();
      await it.up(after);
      expect(world.calls()).toEqual(["lkePools.update", "lkePools.delete"]);
      expect(sizes(world, it)).toEqual({ shrunk: 1, grown: 3, added: 1 });
    });

    test("sends one request per pool", async ({ world, it }) => {
      await it.up(before);
      world.calls();
      await it.up(after);
      expect(world.calls()).toEqual(["lkePools.update", "lkePools.create", "lkePools.update", "lkePools.delete"]);
    });

    test("removes no nodes if a pool cannot be created, and keeps the ids of the others", async ({ world, it }) => {
      await it.up(before);
      world.emulator.faults.add({ path: "lkePools.create", nth: 2, kind: "status", status: 400 });
      const more = { ...after, pools: { ...after.pools, last: { ...extra, tags: ["last"] } } };
      await expect(it.up(more)).rejects.toThrow("lkePools.create: 400");
      world.emulator.settle();
      expect(sizes(world, it)).toEqual({ shrunk: 5, deleted: 1, grown: 3, added: 1 });
      await it.up(more);
      expect(sizes(world, it)).toEqual({ shrunk: 1, grown: 3, added: 1, last: 1 });
      expect(world.world.lkePools.size).toBe(4);
    });
  });

  describe("if the program takes back a replacement of a pool that has failed", () => {
    const original = { ...k8s, pools: { main } };
    const other = { ...k8s, pools: { main: { ...main, type: "g6-standard-2" } } };

    async function failed(world: Account, it: Managed<"LkeCluster">): Promise<[string, string]> {
      await it.up(original);
      const [first] = world.world.lkePools.all();
      world.emulator.faults.add({ path: "lkePools.delete", kind: "status", status: 400 });
      await expect(it.up(other)).rejects.toThrow("lkePools.delete: 400");
      const second = world.world.lkePools.all().find(({ id }) => id !== first?.id);
      world.calls();
      world.messages();
      return [String(first?.id), String(second?.id)];
    }

    test("the original pool stays, and the preview says that the other one is deleted", async ({ world, it }) => {
      const [first, second] = await failed(world, it);
      await it.up(original);
      expect(world.messages()).toEqual([
        `k8s: a failed update has left the pools ${first} and ${second} of main: one without the declared inputs is deleted with its nodes`,
      ]);
      expect(world.calls()).toEqual(["lkePools.delete"]);
      expect(world.world.lkePools.all().map(({ id }) => String(id))).toEqual([first]);
      expect((await it.preview(original)).op).toBe("same");
    });

    test("the same happens after a refresh, with the number of nodes in the preview", async ({ world, it }) => {
      const [first] = await failed(world, it);
      await it.refresh();
      world.messages();
      await it.up(original);
      expect(world.messages()).toEqual([
        "k8s: pool main is again the one that a failed update was to replace: the new one is deleted with its 2 nodes",
      ]);
      expect(world.calls()).toEqual(["lkePools.delete"]);
      expect(world.world.lkePools.all().map(({ id }) => String(id))).toEqual([first]);
    });
  });

  test("a pool created outside Pulumi stays, and prevents the deletion of the cluster", async ({ world, it }) => {
    await it.up(k8s);
    const clusterId = Number(it.id);
    const foreign = await world.api.lkePools.create({ path: { clusterId }, body: { ...main, tags: ["theirs"] } });
    world.emulator.settle();
    expect(await it.refresh()).toBe("same");
    await it.up({ ...k8s, pools: { other: extra } });
    expect(world.world.lkePools.find(foreign.id)).toBeDefined();
    await expect(it.destroy()).rejects.toThrow(
      `has the pool ${foreign.id}, which this program does not manage. Delete unmanaged pools first`,
    );
    expect(world.world.lkeClusters.size).toBe(1);
    await world.api.lkePools.delete({ path: { clusterId, poolId: foreign.id } });
    world.emulator.settle();
    await it.destroy();
    expect(world.world.instances.size).toBe(0);
  });

  test("a changed number of nodes is not a difference with an autoscaler", async ({ world, it }) => {
    const scaled = { ...k8s, pools: { main: { ...main, autoscaler: { enabled: true, min: 1, max: 5 } } } };
    await it.up(scaled);
    const path = { clusterId: Number(it.id), poolId: Number(pools(it).main) };
    for (const count of [4, 1, 5]) {
      await world.api.lkePools.update({ path, body: { count } });
      world.emulator.settle();
      expect(await it.refresh()).toBe("same");
      expect((await it.preview(scaled)).op).toBe("same");
      await it.up({ ...scaled, tags: [`count-${count}`] });
      expect(world.world.lkeNodes.size).toBe(count);
    }
  });

  describe("a pool whose autoscaler is removed from the program", () => {
    const scaled = { ...main, count: 3, autoscaler: { enabled: true, min: 1, max: 10 } };
    const plain = { ...main, count: 3 };

    /** Creates the cluster, to which the autoscaler then adds nodes. */
    const grown = async ({ world, api, emulator }: Account, it: Managed<"LkeCluster">): Promise<void> => {
      await it.up({ ...k8s, pools: { main: scaled } });
      const path = { clusterId: Number(it.id), poolId: Number(pools(it).main) };
      await api.lkePools.update({ path, body: { count: 9 } });
      emulator.settle();
      expect(world.lkeNodes.size).toBe(9);
    };

    test("keeps its nodes in every update, because the pool is still autoscaled", async ({ world, it }) => {
      await grown(world, it);
      world.calls();
      await it.up({ ...k8s, pools: { main: plain } });
      for (const tag of ["one", "two"]) {
        expect(await it.refresh()).toBe("same");
        expect((await it.preview({ ...k8s, pools: { main: plain } })).op).toBe("same");
        await it.up({ ...k8s, tags: [tag], pools: { main: plain, [tag]: { ...extra, tags: [tag] } } });
        await it.up({ ...k8s, tags: [tag], pools: { main: plain } });
      }
      const update = ["lkeClusters.update", "lkePools.create", "lkePools.delete"];
      expect(world.calls()).toEqual([...update, ...update]);
      expect(nodes(world, pools(it).main)).toHaveLength(9);
    });

    test("keeps its nodes if the same update changes their number", async ({ world, it }) => {
      await grown(world, it);
      world.calls();
      expect((await it.preview({ ...k8s, pools: { main: { ...plain, count: 2 } } })).op).toBe("same");
      await it.refresh();
      await it.up({ ...k8s, pools: { main: { ...plain, count: 2 }, extra } });
      expect(world.calls()).toEqual(["lkePools.create"]);
      expect(nodes(world, pools(it).main)).toHaveLength(9);
    });

    test("is replaced by one with the declared number of nodes if the program disables it", async ({ world, it }) => {
      await grown(world, it);
      await it.refresh();
      world.calls();
      const { main: old } = pools(it);
      await it.up({ ...k8s, pools: { main: { ...plain, autoscaler: { enabled: false } } } });
      expect(world.calls()).toEqual(["lkePools.create", "lkePools.delete"]);
      expect(pools(it).main).not.toBe(old);
      expect(nodes(world, pools(it).main)).toHaveLength(3);
      expect(await it.refresh()).toBe("same");
    });
  });

  test("a pool that was deleted outside Pulumi is created again", async ({ world, it }) => {
    await it.up({ ...k8s, pools: { main, extra } });
    const { main: stored, extra: lost } = pools(it);
    await world.api.lkePools.delete({ path: { clusterId: Number(it.id), poolId: Number(lost) } });
    world.emulator.settle();
    expect(await it.refresh()).toBe("changed");
    await it.up({ ...k8s, pools: { main, extra } });
    expect(pools(it)).toEqual({ main: stored, extra: expect.any(Number) });
    expect(await it.refresh()).toBe("same");
  });

  test("upgrades by one version at a time, and rejects disabling high availability", async ({ world, it }) => {
    await it.up({ ...k8s, k8sVersion: "1.20" });
    world.messages();
    await it.up({ ...k8s, k8sVersion: "1.21", controlPlane: { highAvailability: true } });
    expect(world.messages()).toEqual([
      "k8s: high availability is enabled, which cannot be undone: it stays until the cluster is deleted",
      "k8s: the control plane is upgraded from 1.20 to 1.21; each node is upgraded when it is recycled",
    ]);
    expect(it.outs).toMatchObject({ k8sVersion: "1.21", controlPlane: { highAvailability: true } });
    expect(await it.failures({ ...k8s, k8sVersion: "1.20" })).toHaveLength(1);
    // The program now omits `controlPlane`, so its value is not managed and not reset to the default.
    expect((await it.preview(k8s)).op).toBe("same");
  });

  test("deletion waits until the last node is deleted, and keeps volumes", async ({ world, it }) => {
    await it.up(k8s);
    const [node] = world.world.lkeNodes.all();
    const { id: volumeId } = await world.api.volumes.create({ body: { label: "data", region: "us-east" } });
    world.emulator.settle();
    const body = { compute_id: Number(node?.instance_id), persist_across_boots: false };
    await world.api.volumes.attach({ path: { volumeId }, body });
    const started = world.world.clock.now();
    await it.destroy();
    expect(world.world.clock.now()).toBeGreaterThan(started);
    expect(world.world.instances.size).toBe(0);
    expect(world.world.lkeClusters.size).toBe(0);
    expect(world.world.volumes.all()).toMatchObject([{ id: volumeId, compute_id: null }]);
  });

  test("a refresh shows only the pool that has drifted, and no warnings", async ({ world, it }) => {
    const scaled = { ...extra, autoscaler: { enabled: true, min: 1, max: 3 } } as const;
    await it.up({ ...k8s, pools: { main, extra, scaled } });
    const clusterId = Number(it.id);
    const set = async (name: string, count: number) =>
      world.api.lkePools.update({ path: { clusterId, poolId: Number(pools(it)[name]) }, body: { count } });
    await set("main", 5);
    await set("scaled", 3);
    world.emulator.settle();
    it.reconnect(world.reconnect());
    world.messages();
    expect(await it.refresh()).toBe("changed");
    expect(it.state?.inputs.pools).toEqual({ main: { ...main, count: 5 }, extra, scaled });
    expect(world.messages(), "the refresh changes nothing").toEqual([]);
    await it.preview({ ...k8s, pools: { main, extra, scaled } });
    expect(world.messages()).toEqual(["k8s: pool main is resized from 5 to 2 nodes"]);
  });

  test("a refresh lists the pools of a cluster that the stack does not manage", async ({ world, it }) => {
    await it.up(k8s);
    const clusterId = Number(it.id);
    const own = new Managed("LkeNodePool", world.host);
    await own.up({ clusterId, ...extra });
    const added = await world.api.lkePools.create({ path: { clusterId }, body: { ...main, tags: ["theirs"] } });
    world.emulator.settle();
    const host = world.reconnect();
    own.reconnect(host);
    it.reconnect(host);
    world.waits.length = 0;
    expect(await own.refresh()).toBe("same");
    expect(await it.refresh()).toBe("same");
    expect(world.waits).toEqual([
      `LkeCluster "k8s" (${clusterId}): pool ${added.id} (2 × g6-standard-1) is not in the input pools, so it is not managed by this resource`,
    ]);
  });
});
