import { describe, expect } from "vitest";
import type { KindName } from "../../../provider/resources";
import { Managed } from "../../../testing/provider";
import type { AnyManaged } from "../scenario";
import { test } from "./tests";

const objects = [
  { kind: "Volume", table: "volumes", inputs: { label: "data", region: "us-east", size: 20 } },
  {
    kind: "Instance",
    table: "instances",
    inputs: {
      label: "web",
      region: "us-east",
      type: "g6-nanode-1",
      image: "compute/debian11",
      rootPass: "Correct-Horse-42",
    },
  },
  { kind: "Domain", table: "domains", inputs: { domain: "example.org", type: "master", soaEmail: "a@example.org" } },
  {
    kind: "Firewall",
    table: "firewalls",
    inputs: { label: "web", rules: { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" } },
  },
] as const;

describe("a service that does not find an object for a moment", () => {
  for (const { kind, table, inputs } of objects)
    for (const times of [1, 2, 3, 5])
      test(`${kind}: a new object that ${times} reads do not find is in the state`, async ({ world }) => {
        const it = new Managed(kind as KindName, world.host, "one") as unknown as AnyManaged;
        world.emulator.faults.add({ path: `${table}.view`, kind: "status", status: 404, times });
        await it.up(inputs);
        expect(
          world.world.tables
            .get(table)
            ?.all()
            .map(({ id }) => String(id)),
        ).toEqual([it.id]);
      });

  for (const { kind, table, inputs } of objects)
    test(`${kind}: an object whose deletion responds with 404, and which exists, stays in the state`, async ({
      world,
    }) => {
      const it = new Managed(kind as KindName, world.host, "one") as unknown as AnyManaged;
      await it.up(inputs);
      it.reconnect(world.reconnect());
      world.emulator.faults.add({ method: "DELETE", kind: "status", status: 404 });
      await expect(it.destroy()).rejects.toThrow("404");
      expect(it.state?.id).toBeDefined();
      await it.destroy();
      world.emulator.settle();
      expect(world.world.tables.get(table)?.size).toBe(0);
    });
});

test("a record whose third request is carried out late is found, too", async ({ world }) => {
  const body = { domain: "example.org", type: "master" as const, soa_email: "a@example.org" };
  const { id: domainId } = await world.api.domains.create({ body });
  const it = new Managed("DomainRecord", world.host, "www");
  world.emulator.faults.add({ path: "domainRecords.create", kind: "cut-before", times: 2 });
  world.emulator.faults.add({ path: "domainRecords.create", kind: "cut-late", delay: 3000 });
  await it.up({ domainId, type: "A", name: "www", target: "192.0.2.1" });
  expect(world.world.domainRecords.where(({ name }) => name === "www")).toHaveLength(1);
});

test("an upload that was lost does not delete the image that another program has created just before", async ({
  world,
}) => {
  await world.api.images.upload({ body: { region: "us-east", label: "golden" } });
  world.emulator.advance(1500);
  await world.api.account.view({});
  const it = new Managed("Image", world.host, "golden");
  const [other] = world.world.images.where(({ label }) => label === "golden");
  world.emulator.faults.add({ path: "images.upload", kind: "cut-before" });
  await it.up({ label: "golden", region: "us-east", source: { text: "data of a disk" } } as never).catch(() => {});
  expect(world.world.images.find(String(other?.id))).toBeDefined();
});

test("an action that is renamed prints no warning about another resource", async ({ world }) => {
  const web = new Managed("Instance", world.host, "web");
  await web.up({
    label: "web",
    region: "us-east",
    type: "g6-nanode-1",
    image: "compute/debian11",
    rootPass: "Correct-Horse-42",
  });
  const [old, next] = ["old", "new"].map((name) => new Managed("InstanceAction", world.host, name));
  const inputs = { computeId: Number(web.id), reboot: {}, triggers: ["1"] };
  await old?.up(inputs);
  world.messages();
  if (next) await next.apply(await next.preview(inputs));
  await old?.remove();
  expect(world.messages().join()).not.toContain("was not deleted");
});
