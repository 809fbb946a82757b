import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import type { Account } from "./accounts";
import { test } from "./tests";

const web = {
  label: "web",
  region: "us-east",
  type: "g6-standard-1",
  image: "compute/debian11",
  rootPass: "correct horse",
};
describe("Instance", () => {
  test("volumes are kept when their instance is deleted", async ({ world }) => {
    const it = new Managed("Instance", world.host);
    const data = new Managed("Volume", world.host);
    await it.up(web);
    await data.up({ label: "data", region: "us-east", computeId: Number(it.id) });
    world.calls();
    await it.destroy();
    expect(world.calls()).toEqual(["volumes.detach", "instances.delete"]);
    expect(world.world.volumes.all()).toMatchObject([{ label: "data", compute_id: null }]);
  });

  test("does not delete an instance whose volume cannot be detached", async ({ world }) => {
    /**
     * Creates an instance with a volume. After the volume is detached, the service still lists it for the given number
     * of requests.
     */
    const lagging = async (label: string, looks: number) => {
      const it = new Managed("Instance", world.host);
      await it.up({ ...web, label });
      const data = new Managed("Volume", world.host);
      await data.up({ label: `${label}-data`, region: "us-east", computeId: Number(it.id) });
      const volumes = await Array.fromAsync(world.api.instances.volumes.all({ path: { computeId: Number(it.id) } }));
      let left = looks;
      const all = async function* () {
        if (left-- > 0) yield* volumes;
      };
      const { instances } = world.host.api;
      const slow = { ...instances, volumes: Object.assign(() => {}, { all }) } as unknown as typeof instances;
      it.reconnect({ ...world.host, api: { ...world.host.api, instances: slow } });
      world.calls();
      return { it, data };
    };
    const never = await lagging("never", Number.POSITIVE_INFINITY);
    await expect(never.it.destroy()).rejects.toThrow(
      `Instance "never" (${never.it.id}): delete timed out after 600 s: ` +
        `its volumes "never-data" (${never.data.id}) are still attached and could be deleted with it`,
    );
    expect(world.calls()).toEqual(["volumes.detach"]);
    const late = await lagging("late", 3);
    await late.it.destroy();
    expect(world.calls()).toEqual(["volumes.detach", "instances.delete"]);
    expect(world.world.volumes.by("label", "late-data")).toMatchObject([{ compute_id: null }]);
  });

  test("one list shows the attached volumes when many instances are deleted", async ({ world }) => {
    const created = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const it = new Managed("Instance", world.host, `web-${i}`);
        await it.up({ ...web, label: `web-${i}` });
        return it;
      }),
    );
    const data = new Managed("Volume", world.host);
    await data.up({ label: "data", region: "us-east", computeId: Number(created[5]?.id) });
    const { id: unattached } = await world.api.volumes.create({ body: { label: "unattached", region: "us-east" } });
    world.emulator.settle();
    world.emulator.requests.clear();
    for (const it of created) await it.destroy();
    const calls = world.emulator.requests.list().map(({ operation }) => operation);
    expect(calls.filter((call) => call === "instances.volumes").length).toBeLessThanOrEqual(4);
    expect(calls.filter((call) => call === "volumes.list")).toHaveLength(1);
    expect(calls).toContain("volumes.detach");
    expect(world.world.volumes.all()).toMatchObject([{ label: "data", compute_id: null }, { id: unattached }]);
  });

  test("reads the pages of a long list of volumes from the last to the first, because volumes can be deleted meanwhile", async ({
    world,
  }) => {
    const [one, two, three] = [1, 2, 3].map((i) => new Managed("Instance", world.host, `web-${i}`));
    for (const it of [one, two, three]) await it?.up({ ...web, label: it.name });
    for (let i = 0; i < 210; i++)
      await world.api.volumes.create({ body: { label: `more-${i}`, region: "us-east", size: 10 } });
    const data = new Managed("Volume", world.host);
    await data.up({ label: "data", region: "us-east", computeId: Number(three?.id) });
    world.emulator.requests.clear();
    for (const it of [one, two, three]) await it?.destroy();
    const pages = world.emulator.requests.list().filter(({ operation }) => operation === "volumes.list");
    expect(pages.map(({ query }) => query.page)).toEqual(["1", "3", "2", "1"]);
    expect(world.calls()).toEqual([...Array(2).fill("instances.delete"), "volumes.detach", "instances.delete"]);
    expect(world.world.volumes.where(({ label }) => label === "data")).toMatchObject([{ compute_id: null }]);
  });

  describe("if the list of all volumes cannot be read", () => {
    /** Creates three instances, of which the last has a volume, and deletes the others. The last one needs the list. */
    async function lastOfThree(world: Account): Promise<Managed<"Instance">> {
      const create = async (label: string) => {
        const it = new Managed("Instance", world.host, label);
        await it.up({ ...web, label });
        return it;
      };
      const [one, two, three] = [await create("web-1"), await create("web-2"), await create("web-3")];
      const data = new Managed("Volume", world.host);
      await data.up({ label: "data", region: "us-east", computeId: Number(three.id) });
      for (const it of [one, two]) await it.destroy();
      world.calls();
      return three;
    }

    test("because its last page does not exist any more, reads the volumes of the instance", async ({ world }) => {
      const it = await lastOfThree(world);
      world.emulator.faults.add({ path: "volumes.list", kind: "status", status: 404 });
      await it.destroy();
      expect(world.emulator.faults.list()).toMatchObject([{ hits: 1 }]);
      expect(world.calls()).toEqual(["volumes.detach", "instances.delete"]);
      expect(world.world.volumes.all()).toMatchObject([{ label: "data", compute_id: null }]);
    });

    test("for another reason, does not delete the instance", async ({ world }) => {
      const it = await lastOfThree(world);
      world.emulator.faults.add({ path: "volumes.list", kind: "status", status: 403 });
      await expect(it.destroy()).rejects.toThrow("volumes.list: 403");
      expect(world.calls()).toEqual([]);
      await it.destroy();
      expect(world.world.volumes.all()).toMatchObject([{ label: "data", compute_id: null }]);
    });
  });

  test("deletes instances and their volumes in turns, although the list of volumes is older", async ({ world }) => {
    const pairs = [];
    for (let i = 0; i < 5; i++) {
      const it = new Managed("Instance", world.host, `web-${i}`);
      await it.up({ ...web, label: `web-${i}` });
      const data = new Managed("Volume", world.host, `data-${i}`);
      await data.up({ label: `data-${i}`, region: "us-east", computeId: Number(it.id) });
      pairs.push({ it, data });
    }
    for (const { it, data } of pairs) {
      await data.destroy();
      await it.destroy();
    }
    expect(world.world.instances.all()).toEqual([]);
    expect(world.world.volumes.all()).toEqual([]);
  });
});
