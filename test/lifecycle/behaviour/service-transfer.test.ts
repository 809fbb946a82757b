import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { type Account, machine } from "./accounts";
import { test } from "./tests";

async function offer(world: Account) {
  const computeId = await machine(world, "web");
  const it = new Managed("ServiceTransfer", world.host);
  await it.up({ entities: { computes: [computeId] } });
  world.calls();
  return { it, computeId, inputs: { entities: { computes: [computeId] } } };
}

describe("ServiceTransfer", () => {
  test("a transfer is ready immediately, and cancelled when the resource is deleted", async ({ world }) => {
    const { it, computeId } = await offer(world);
    expect(it.outs).toMatchObject({ status: "pending", isSender: true });
    await it.destroy();
    expect(world.calls()).toEqual(["entityTransfers.cancel"]);
    expect(world.world.instances.find(computeId)).toBeDefined();
  });

  test("an accepted transfer is kept, and is neither created again nor cancelled", async ({ world }) => {
    const { it, computeId, inputs } = await offer(world);
    await world.control("transfers/accept", { token: it.outs.token });
    expect(await it.refresh()).toBe("same");
    expect(it.outs).toMatchObject({ status: "accepted" });
    world.emulator.settle();
    expect(await it.refresh()).toBe("same");
    expect(it.outs).toMatchObject({ status: "completed" });
    expect(world.world.instances.find(computeId)).toBeUndefined();
    // The service deletes completed transfers. The resource keeps its state nevertheless.
    for (const { id } of world.world.transfers.all()) world.world.transfers.remove(id);
    expect(await it.refresh()).toBe("same");
    expect((await it.up(inputs)).op).toBe("same");
    world.calls();
    await it.destroy();
    expect(world.calls()).toEqual([]);
  });

  test.for(["cancelled", "failed", "stale"] as const)(
    "a transfer that is %s counts as deleted, and is created again",
    async (status, { world }) => {
      const { it, inputs } = await offer(world);
      const { id } = it;
      for (const transfer of world.world.transfers.all()) world.world.transfers.patch(transfer.id, { status });
      expect(await it.refresh()).toBe("gone");
      await it.up(inputs);
      expect(it.id).not.toBe(id);
      expect(it.outs).toMatchObject({ status: "pending" });
    },
  );

  test("a transfer of other instances is another one, and the old one is cancelled first", async ({ world }) => {
    const { it, computeId } = await offer(world);
    const other = await machine(world, "sql");
    world.calls();
    await it.up({ entities: { computes: [other, computeId] } });
    expect(world.calls()).toEqual(["entityTransfers.cancel", "serviceTransfers.create"]);
  });
});
