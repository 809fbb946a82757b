import { describe, expect, test } from "vitest";
import { Managed } from "../../../testing/provider";
import { type Account, account, machine } from "./accounts";

async function offer(world: Account) {
  const computeId = await machine(world, "web");
  const it = new Managed("ServiceTransfer", world.host);
  await it.up({ entities: { computes: [computeId] } });
  world.calls();
  return { it, computeId, inputs: { entities: { computes: [computeId] } } };
}

describe("ServiceTransfer", () => {
  test("a transfer is ready immediately, and cancelled when the resource is deleted", async () => {
    await using world = await account();
    const { it, computeId } = await offer(world);
    expect(it.outs).toMatchObject({ status: "pending", isSender: true });
    await it.destroy();
    expect(world.calls()).toEqual(["entityTransfers.cancel"]);
    expect(world.world.instances.find(computeId)).toBeDefined();
  });

  test("an accepted transfer is kept, and is neither created again nor cancelled", async () => {
    await using world = await account();
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

  test("succeeds if a transfer is accepted while it is cancelled", async () => {
    await using world = await account();
    const { it } = await offer(world);
    await world.control("transfers/accept", { token: it.outs.token });
    expect(it.outs).toMatchObject({ status: "pending" });
    await it.destroy();
    expect(it.state).toBeUndefined();
  });

  test.each(["cancelled", "failed", "stale"] as const)(
    "a transfer that is %s counts as deleted, and is created again",
    async (status) => {
      await using world = await account();
      const { it, inputs } = await offer(world);
      const { id } = it;
      for (const transfer of world.world.transfers.all()) world.world.transfers.patch(transfer.id, { status });
      expect(await it.refresh()).toBe("gone");
      await it.up(inputs);
      expect(it.id).not.toBe(id);
      expect(it.outs).toMatchObject({ status: "pending" });
    },
  );

  test("a transfer of other instances is another one, and the old one is cancelled first", async () => {
    await using world = await account();
    const { it, computeId } = await offer(world);
    const other = await machine(world, "sql");
    world.calls();
    await it.up({ entities: { computes: [other, computeId] } });
    expect(world.calls()).toEqual(["entityTransfers.cancel", "serviceTransfers.create"]);
  });
});
