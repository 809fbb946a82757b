import { expect, test } from "vitest";
import { providers } from "./providers";
import { idsOf, mutations, sandbox } from "./sandbox";

const program = (pools: string): string => `
  new cloudinfra.Volume("data", { label: "data", region: "us-east" });
  new cloudinfra.Instance("web", {
    label: "web-1", region: "us-east", type: "g6-nanode-1", image: "compute/debian11", rootPass: "Correct-Horse-42", booted: true,
  });
  new cloudinfra.LkeCluster("apps", { label: "apps", region: "us-east", k8sVersion: "1.21", pools: { ${pools} } });`;
const one = `one: { type: "g6-standard-1", count: 1 }`;
const two = `two: { type: "g6-standard-2", count: 1 }`;

/**
 * If an operation fails after the object has an id, the state must contain the id. Otherwise the object would be
 * orphaned.
 */
test.each(providers("dynamic"))(
  "%s: a create whose wait fails keeps its id, and the next update finishes the object without replacing it",
  async (provider) => {
    await using box = await sandbox(program(one), { native: provider === "native" });
    const { stack, emulator } = box;
    const { faults } = emulator;
    faults.add({ path: "volumes.view", kind: "status", status: 418 });
    faults.add({ path: "instances.view", kind: "status", status: 418 });
    // The kubeconfig and the outputs that are derived from it are undefined in state until the kubeconfig can be read.
    faults.add({ path: "lkeClusters.viewKubeconfig", kind: "status", status: 418, times: 2 });

    const failed = await stack.up(["--continue-on-error"], { mayFail: true });
    expect(failed.code).not.toBe(0);
    expect(failed.ops).toEqual({
      "Volume data": "create failed",
      "Instance web": "create failed",
      "LkeCluster apps": "create failed",
    });
    const { resources = [], pending_operations: pending = [] } = (await stack.export()).deployment;
    expect(pending).toEqual([]);
    const saved = resources.filter(({ type }) => /cloudinfra:(index:)?[A-Z]/.test(type));
    expect(saved.map(({ initErrors }) => (initErrors as string[]).length)).toEqual([1, 1, 1]);
    const { world } = emulator;
    const created = [world.volumes, world.lkeClusters].flatMap((table) => table.all().map(({ id }) => String(id)));
    expect(saved.map(({ id }) => id)).toEqual(expect.arrayContaining(created));

    // Pulumi forgets the errors in a refresh, but the next update still finishes the objects.
    await stack.refresh();
    expect((await stack.preview()).ops).toEqual({
      "Volume data": "update",
      "Instance web": "update",
      "LkeCluster apps": "update",
    });

    // The update also reverts changes that were made to an unfinished object outside Pulumi.
    world.instances.patch(world.instances.all().find(({ label }) => label === "web-1")?.id as number, {
      status: "offline",
    });
    emulator.requests.clear();
    const finished = await stack.up();
    expect(finished.ops).toEqual({ "Volume data": "update", "Instance web": "update", "LkeCluster apps": "update" });
    expect(Object.values(idsOf(finished))).toEqual(expect.arrayContaining(saved.map(({ id }) => id)));
    expect(mutations(emulator)).toEqual(["instances.boot"]);
    const after = (await stack.export()).deployment.resources ?? [];
    expect(after.filter(({ initErrors }) => initErrors)).toEqual([]);

    // The update fails after it has created a node pool, so state must contain the pool's id. The fault affects the fourth
    // request for the kubeconfig: the diff of the preview sends the first one, that of the update the second, and the
    // update sends one before and one after it creates the pool.
    faults.add({ path: "lkeClusters.viewKubeconfig", kind: "status", status: 418, nth: 4 });
    await box.rewrite(program(`${one}, ${two}`));
    const half = await stack.up([], { mayFail: true });
    expect(half.ops).toEqual({ "LkeCluster apps": "update failed" });
    expect(world.lkePools.all()).toHaveLength(2);
    emulator.requests.clear();
    expect((await stack.up()).ops).toEqual({ "LkeCluster apps": "update" });
    expect(mutations(emulator)).toEqual([]);
    await stack.preview(["--expect-no-changes"]);
    await stack.destroy();
    expect(box.holds()).toEqual({});
  },
);
