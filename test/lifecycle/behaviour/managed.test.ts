import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { machine } from "./accounts";
import { test } from "./tests";

const site = { label: "site", serviceType: "url", address: "https://www.example.org/", timeout: 10 } as const;

describe("ManagedCredential and ManagedService", () => {
  test("a deleted credential is drift of the service that uses it", async ({ world }) => {
    const [root, it] = [new Managed("ManagedCredential", world.host), new Managed("ManagedService", world.host)];
    await root.up({ label: "root", password: "Planted-1!" });
    await it.up({ ...site, credentials: [Number(root.id)] });
    await root.destroy();
    expect(await it.refresh()).toBe("changed");
    await root.up({ label: "root", password: "Planted-1!" });
    await it.up({ ...site, credentials: [Number(root.id)] });
    expect(it.outs).toMatchObject({ credentials: [Number(root.id)] });
  });

  test("monitoring results are not drift, and the provider does not wait for them", async ({ world }) => {
    const it = new Managed("ManagedService", world.host);
    const started = world.world.clock.now();
    await it.up(site);
    expect(world.world.clock.now()).toBe(started);
    for (const status of ["ok", "problem", "pending"] as const) {
      world.world.managedServices.patch(Number(it.id), { status });
      expect(await it.refresh()).toBe("same");
      expect((await it.preview({ ...site, enabled: true })).op).toBe("same");
    }
  });

  test("a service that changes from a private to a public address loses its region", async ({ world }) => {
    const it = new Managed("ManagedService", world.host);
    await it.up({ ...site, serviceType: "tcp", address: "tcp://10.1.2.3:5432", region: "us-east" });
    await it.up(site);
    expect(it.outs).toMatchObject({ address: site.address, region: null });
    expect(await it.refresh()).toBe("same");
  });
});

describe("ManagedComputeSettings", () => {
  test("only declared settings of an instance are managed, and deletion keeps all of them", async ({ world }) => {
    const computeId = await machine(world, "web");
    const it = new Managed("ManagedComputeSettings", world.host);
    await it.up({ computeId, ssh: { access: false } });
    await world.api.managedComputeSettings.update({ path: { computeId }, body: { ssh: { port: 2222 } } });
    expect(await it.refresh()).toBe("same");
    await world.api.managedComputeSettings.update({ path: { computeId }, body: { ssh: { access: true } } });
    expect(await it.refresh()).toBe("changed");
    await it.up({ computeId, ssh: { access: false } });
    world.calls();
    await it.destroy();
    expect(world.calls()).toEqual([]);
    const left = await world.api.managedComputeSettings.view({ path: { computeId } });
    expect(left.ssh).toEqual({ access: false, user: "root", ip: "any", port: 2222 });
  });

  test("settings are deleted with their instance", async ({ world }) => {
    const computeId = await machine(world, "web");
    const it = new Managed("ManagedComputeSettings", world.host);
    await it.up({ computeId, ssh: { user: "support" } });
    await world.api.instances.delete({ path: { computeId } });
    world.emulator.settle();
    expect(await it.refresh()).toBe("gone");
  });
});

test("a contact with one phone number whose create response was lost is adopted", async ({ world }) => {
  const it = new Managed("ManagedContact", world.host);
  world.emulator.faults.add({ kind: "cut-after", path: "managedContacts.create" });
  await it.up({ name: "On call", email: "oncall@example.org", phone: { secondary: "555-0100" } });
  expect(world.world.managedContacts.all().map(({ id }) => String(id))).toEqual([it.id]);
});
