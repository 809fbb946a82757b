import { describe, expect } from "vitest";
import type { KindName } from "../../provider/resources";
import { Managed } from "../../testing/provider";
import { type Account, machine } from "./behaviour/accounts";
import { numberOf } from "./behaviour/machines";
import { test } from "./behaviour/tests";
import type { AnyManaged } from "./scenario";

/** Objects that can have tags, by the input of a `Tag` with their ids. */
const carriers = {
  computes: { kind: "Instance", table: "instances", base: { region: "us-east", type: "g6-nanode-1" } },
  domains: { kind: "Domain", table: "domains", base: { domain: "a.example", type: "master", soaEmail: "a@a.example" } },
  nodebalancers: { kind: "NodeBalancer", table: "nodeBalancers", base: { region: "us-east" } },
  volumes: { kind: "Volume", table: "volumes", base: { region: "us-east", size: 20 } },
} as const;

describe.each(Object.entries(carriers))("tags of %s", (input, { kind, table, base }) => {
  const owned = async (world: Account) => {
    const owner = manage(world, kind, "owner");
    await owner.up({ ...base, tags: ["own"] });
    const tags = (): string[] => {
      const { tags = [] } = (world.world.tables.get(table)?.get(Number(owner.id)) ?? {}) as { tags?: string[] };
      return [...tags];
    };
    return { owner, id: Number(owner.id), tags };
  };

  test("several Tag resources that are assigned to an object at the same time are all assigned", async ({ world }) => {
    const { id, tags } = await owned(world);
    const all = ["one", "two", "three"].map((label) => ({ label, tag: manage(world, "Tag", label) }));
    for (const { tag, label } of all.slice(0, 2)) await tag.up({ label });
    await Promise.all(all.map(({ tag, label }) => tag.up({ label, [input]: [id] })));
    expect(tags().sort()).toEqual(["one", "own", "three", "two"]);
    await Promise.all(all.map(({ tag, label }) => tag.up({ label, [input]: [] })));
    expect(tags()).toEqual(["own"]);
  });

  test("a Tag that is assigned while the owner edits its tags does not undo the edit", async ({ world }) => {
    const { owner, id, tags } = await owned(world);
    const tag = manage(world, "Tag", "tag");
    await tag.up({ label: "prod" });
    await Promise.all([tag.up({ label: "prod", [input]: [id] }), owner.up({ ...base, tags: ["edited"] })]);
    expect(tags()).toContain("edited");
    expect(tags()).not.toContain("own");
  });

  test("a Tag that is deleted while another one is assigned stays deleted", async ({ world }) => {
    const { id, tags } = await owned(world);
    const [one, two] = [manage(world, "Tag", "one"), manage(world, "Tag", "two")];
    await one.up({ label: "one", [input]: [id] });
    await two.up({ label: "two" });
    await Promise.all([two.up({ label: "two", [input]: [id] }), one.destroy()]);
    expect(tags().sort()).toEqual(["own", "two"]);
  });
});

describe("device slots of a boot config", () => {
  test.for(["InstanceConfig", "Instance"] as const)(
    "volumes that are attached while the config is changed by its %s stay attached",
    async (kind, { world }) => {
      const computeId = await machine(world, "web");
      const root = await world.api.instanceDisks.create({ path: { computeId }, body: { label: "root", size: 1000 } });
      world.emulator.settle();
      const more = await world.api.instanceDisks.create({ path: { computeId }, body: { label: "more", size: 1000 } });
      world.emulator.settle();
      const [config] = await Array.fromAsync(world.api.instanceConfigs.list.all({ path: { computeId } }));
      const [sda, sdh] = [{ diskId: root.id }, { diskId: more.id }];
      const owner = manage(world, kind, "owner");
      const declared = (devices: object) =>
        kind === "Instance" ? { ...web, config: { devices } } : { computeId, label: "main", devices };
      await owner.adopt(kind === "Instance" ? String(computeId) : `${computeId}/${config?.id}`);
      await owner.up(declared({ sda }));
      const detached = manage(world, "Volume", "detached");
      await detached.up({ region: "us-east" });
      const [attachment, attached] = [manage(world, "VolumeAttachment", "a"), manage(world, "Volume", "b")];
      // The retries take so long that all changes are in progress at the same time.
      const busy = { kind: "status", status: 429, retryAfter: 1 } as const;
      world.emulator.faults.add({ ...busy, path: "volumes.attach", times: 10 });
      world.emulator.faults.add({ ...busy, path: "instanceConfigs.update", times: 20 });
      await Promise.all([
        attachment.up({ volumeId: numberOf(detached), computeId }),
        owner.up(declared({ sda, sdh })),
        attached.up({ computeId }),
      ]);
      const { devices: now } = await world.api.instanceConfigs.view({ path: { computeId, configId: config?.id ?? 0 } });
      const volumes = Object.values(now).flatMap((device) => device?.volume_id ?? []);
      expect(volumes.sort()).toEqual([numberOf(detached), numberOf(attached)].sort());
      expect([now.sda?.disk_id, now.sdh?.disk_id]).toEqual([root.id, more.id]);
    },
  );

  const web = { label: "web", region: "us-east", type: "g6-nanode-1" };
});

test("two cards that the API shows alike are added once", async ({ world }) => {
  const data = { cardNumber: "4111111111111111", expiryMonth: 12, expiryYear: 2035, cvv: "123" };
  const [one, two] = [manage(world, "PaymentMethod", "one"), manage(world, "PaymentMethod", "two")];
  await Promise.all([one.up({ data }), two.up({ data })]);
  expect(world.calls()).toEqual(["paymentMethods.add"]);
  expect(two.id).toBe(one.id);
});

test("an instance whose resource and whose InstanceIp both declare a private address gets one", async ({ world }) => {
  const web = manage(world, "Instance", "web");
  const inputs = { label: "web", region: "us-east", type: "g6-nanode-1" };
  await web.up(inputs);
  world.calls();
  const address = manage(world, "InstanceIp", "private");
  await Promise.all([
    web.up({ ...inputs, privateIp: true }),
    address.up({ computeId: Number(web.id), type: "ipv4", public: false }),
  ]);
  expect(world.calls()).toEqual(["instanceAddresses.allocate"]);
  expect(web.outs.privateIpv4).toBe(address.outs.address);
});

const manage = (world: Account, kind: KindName, name: string) =>
  new Managed(kind, world.host, name) as unknown as AnyManaged;
