import { describe, expect } from "vitest";
import { Managed } from "../../../testing/provider";
import { type Account, machine } from "./accounts";
import { newCommand } from "./machines";
import { testsOf } from "./tests";

const test = testsOf("Firewall");

const policies = { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" } as const;
const ssh = { action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: ["192.0.2.0/24"] } } as const;
const rule = (ports: string) => ({ ...ssh, ports, addresses: { ipv4: ["192.0.2.0/24"] } });
const fw = { label: "web-fw", rules: { inbound: [rule("22")], ...policies } };

describe("Firewall and FirewallDevice", () => {
  test("an edit of the rules sends one request, and none for the devices", async ({ world, it }) => {
    const web = await machine(world, "web");
    await it.up({ ...fw, devices: { computes: [web] } });
    world.calls();
    await it.up({
      ...fw,
      devices: { computes: [web] },
      rules: { ...policies, inbound: [rule("22"), rule("80, 443")] },
    });
    expect(world.calls()).toEqual(["firewalls.updateRules"]);
    expect(world.world.firewallDevices.all()).toHaveLength(1);
  });

  test("rules keep their order, and an omitted list is not managed", async ({ it }) => {
    const both = { ...fw, rules: { ...policies, inbound: [rule("22"), rule("80")], outbound: [rule("443")] } };
    await it.up(both);
    expect((await it.preview({ ...both, rules: { ...both.rules, inbound: [rule("80"), rule("22")] } })).op).toBe(
      "update",
    );
    expect((await it.preview({ ...both, rules: policies })).op).toBe("same");
    await it.up({ ...both, rules: { ...policies, inbound: [] } });
    expect(it.outs.rules).toMatchObject({ inbound: [], outbound: [{ ports: "443" }] });
  });

  test("a refresh shows a rule that is repeated before the others", async ({ world, it }) => {
    const drop = { ...ssh, action: "DROP" as const, addresses: { ipv4: ["192.0.2.5/32"] } };
    const accept = { ...ssh, addresses: { ipv4: ["0.0.0.0/0"] } };
    const declared = { ...fw, rules: { ...policies, inbound: [drop, accept] } };
    await it.up(declared);
    const path = { firewallId: Number(it.id) };
    await world.api.firewalls.updateRules({ path, body: { inbound: [accept, drop, accept] as never } });
    newCommand(world, it as never);
    expect(await it.refresh()).toBe("changed");
    await it.up(declared);
    expect(world.world.firewalls.get(path.firewallId).rules.inbound).toMatchObject([
      { action: "DROP" },
      { action: "ACCEPT" },
    ]);
  });

  test("a rule without the addresses of a family matches none of it", async ({ world, it }) => {
    const both = { ...ssh, addresses: { ipv4: ["192.0.2.0/24"], ipv6: ["::/0"] } };
    const closed = { ...fw, rules: { ...policies, inbound: [rule("22")] } };
    await it.up({ ...fw, rules: { ...policies, inbound: [both] } });
    expect((await it.up(closed)).diffs).toEqual(["rules"]);
    const path = { firewallId: Number(it.id) };
    const addresses = () => world.world.firewalls.get(path.firewallId).rules.inbound?.map((one) => one.addresses);
    expect(addresses()).toEqual([rule("22").addresses]);
    expect(await it.refresh()).toBe("same");

    const empty = { ...ssh, addresses: { ipv4: ["192.0.2.0/24"], ipv6: [] } };
    await world.api.firewalls.updateRules({ path, body: { inbound: [empty] } });
    newCommand(world, it as never);
    expect(await it.refresh()).toBe("same");

    await world.api.firewalls.updateRules({ path, body: { inbound: [both] } });
    newCommand(world, it as never);
    expect(await it.refresh()).toBe("changed");
    expect(it.state?.inputs.rules).toEqual({ ...policies, inbound: [both] });
    await it.up(closed);
    expect(addresses()).toEqual([rule("22").addresses]);
  });

  test("a refresh does not show omitted values that are unchanged", async ({ world, it }) => {
    const { ports: _, ...all } = { ...rule("22"), protocol: "ICMP" as const };
    await it.up({ ...fw, rules: { ...policies, inbound: [all, rule("80")] } });
    const path = { firewallId: Number(it.id) };
    const { inbound = [], ...rules } = (await world.api.firewalls.view({ path })).rules;
    const empty = { ...rule("80"), addresses: { ...rule("80").addresses, ipv6: [] } };
    const [unchanged] = inbound;
    const other = { ...empty, ports: "81" };
    const changed = [{ ...unchanged, addresses: empty.addresses }, other] as never;
    await world.api.firewalls.updateRules({ path, body: { ...rules, inbound: changed } });
    newCommand(world, it as never);
    expect(await it.refresh()).toBe("changed");
    expect((it.outs.rules as { inbound: unknown }).inbound).toEqual([all, { ...rule("80"), ports: "81" }]);
  });

  test("omitted devices are not managed", async ({ world, it }) => {
    const web = await machine(world, "web");
    await it.up(fw);
    const path = { firewallId: Number(it.id) };
    await world.api.firewallDevices.create({ path, body: { id: web, type: "compute" } });
    world.emulator.requests.clear();
    expect(await it.refresh()).toBe("same");
    expect((await it.preview(fw)).op).toBe("same");
    await it.up({ ...fw, label: "other" });
    expect(world.world.firewallDevices.all()).toHaveLength(1);
    expect(Object.keys(world.emulator.requests.counts()).filter((name) => name.startsWith("firewallDevices"))).toEqual(
      [],
    );
  });

  test("a list of devices is complete: others are removed, and missing ones are added", async ({ world, it }) => {
    const [web, sql] = [await machine(world, "web"), await machine(world, "sql")];
    const owner = { ...fw, devices: { computes: [web] } };
    await it.up(owner);
    const path = { firewallId: Number(it.id) };
    await world.api.firewallDevices.create({ path, body: { id: sql, type: "compute" } });
    expect(await it.refresh()).toBe("changed");
    world.calls();
    await it.up(owner);
    expect(world.calls()).toEqual(["firewallDevices.delete"]);
    expect(world.world.firewallDevices.all().map((row) => row.compute_id)).toEqual([web]);

    const [device] = world.world.firewallDevices.all();
    await world.api.firewallDevices.delete({ path: { ...path, deviceId: Number(device?.id) } });
    expect(await it.refresh()).toBe("changed");
    await it.up(owner);
    expect(world.world.firewallDevices.all().map((row) => row.compute_id)).toEqual([web]);
    expect(await it.refresh()).toBe("same");
  });

  test("shows the API's error if an instance has another active firewall", async ({ world }) => {
    const web = await machine(world, "web");
    const one = new Managed("Firewall", world.host);
    const other = new Managed("Firewall", world.host);
    await one.up({ ...fw, devices: { computes: [web] } });
    await expect(other.up({ ...fw, label: "second", devices: { computes: [web] } })).rejects.toThrow(
      `devices.computes.0: Instance ${web} already has the active firewall ${one.id}, and can have only one`,
    );
    expect(other.state).toBeUndefined();
    await one.up({ ...fw, status: "disabled", devices: { computes: [web] } });
    await other.up({ ...fw, label: "second", devices: { computes: [web] } });
    expect(other.outs).toMatchObject({ status: "enabled" });
  });

  describe("a change of the status together with other inputs", () => {
    const rules = { ...policies, inbound: [rule("443")] };
    const named = (label: string) => ({ label, tags: [label] });

    test("enables the firewall only with its new rules", async ({ world, it }) => {
      const computes = [await machine(world, "web"), await machine(world, "sql")];
      const off = { ...fw, status: "disabled" as const, devices: { computes: computes.slice(0, 1) } };
      await it.up(off);
      const on = { ...named("on-fw"), status: "enabled" as const, rules, devices: { computes: computes.slice(1) } };
      world.emulator.faults.add({ path: "firewalls.updateRules", kind: "status", status: 400 });
      await expect(it.up(on)).rejects.toThrow("firewalls.updateRules: 400");
      expect(world.world.firewalls.all()).toMatchObject([{ status: "disabled", rules: { inbound: fw.rules.inbound } }]);
      await it.up(off);
      world.calls();
      await it.up(on);
      expect(world.calls()).toEqual([
        "firewalls.update",
        "firewalls.updateRules",
        "firewallDevices.delete",
        "firewallDevices.create",
        "firewalls.update",
      ]);
      expect(world.world.firewalls.all()).toMatchObject([{ ...named("on-fw"), status: "enabled" }]);
    });

    test("disables the firewall before it changes anything else", async ({ world, it }) => {
      const [web, sql] = [await machine(world, "web"), await machine(world, "sql")];
      await it.up({ ...fw, devices: { computes: [web] } });
      const active = new Managed("Firewall", world.host);
      await active.up({ ...fw, label: "active", devices: { computes: [sql] } });
      world.emulator.faults.add({ path: "firewalls.updateRules", kind: "status", status: 400 });
      const off = { ...fw, status: "disabled" as const, rules, devices: { computes: [sql] } };
      await expect(it.up(off)).rejects.toThrow("firewalls.updateRules: 400");
      expect(world.world.firewalls.get(Number(it.id))).toMatchObject({
        status: "disabled",
        rules: { inbound: fw.rules.inbound },
      });
      world.calls();
      await it.up(off);
      expect(world.calls()).toEqual(["firewalls.updateRules", "firewallDevices.delete", "firewallDevices.create"]);
      expect(await it.refresh()).toBe("same");
    });

    test("enables the firewall once an instance that has another one is removed from it", async ({ world, it }) => {
      const [web, sql] = [await machine(world, "web"), await machine(world, "sql")];
      await it.up({ ...fw, devices: { computes: [web, sql] } });
      await it.up({ ...fw, status: "disabled", devices: { computes: [web, sql] } });
      const active = new Managed("Firewall", world.host);
      await active.up({ ...fw, label: "active", devices: { computes: [web] } });
      world.calls();
      await it.up({ ...fw, status: "enabled", devices: { computes: [sql] } });
      expect(world.calls()).toEqual(["firewallDevices.delete", "firewalls.update"]);
      expect(it.outs).toMatchObject({ status: "enabled", devices: { computes: [sql] } });
    });

    test("sends one request for the label and the tags, and one for the status", async ({ world, it }) => {
      await it.up(fw);
      world.calls();
      await it.up({ ...fw, ...named("off-fw"), status: "disabled" });
      expect(world.calls()).toEqual(["firewalls.update", "firewalls.update"]);
      await it.up({ ...fw, ...named("on-fw"), status: "enabled" });
      expect(world.calls()).toEqual(["firewalls.update", "firewalls.update"]);
    });
  });

  describe("a firewall that is created disabled", () => {
    const off = { ...fw, label: "off-fw", status: "disabled" } as const;
    const isActive = ({ world }: Account, id: number): boolean =>
      world.firewallDevices
        .by("compute_id", id)
        .some((row) => world.firewalls.get(row.firewall_id).status === "enabled");

    test("is assigned to its instances once it is disabled, also if they have an active firewall", async ({
      world,
      it,
    }) => {
      const [web, sql] = [await machine(world, "web"), await machine(world, "sql")];
      const active = new Managed("Firewall", world.host);
      await active.up({ ...fw, devices: { computes: [web] } });
      world.calls();
      await it.up({ ...off, devices: { computes: [web, sql] } });
      expect(world.calls()).toEqual([
        "firewalls.create",
        "firewalls.update",
        "firewallDevices.create",
        "firewallDevices.create",
      ]);
      expect(it.outs).toMatchObject({ status: "disabled", devices: { computes: [web, sql] } });
      expect(await it.refresh()).toBe("same");
    });

    test.for(["firewalls.update", "firewallDevices.create"])(
      "is completed by the next update if %s fails, and its rules never apply before",
      async (path, { world, it }) => {
        const web = await machine(world, "web");
        world.emulator.faults.add({ path, kind: "status", status: 403 });
        await expect(it.up({ ...off, devices: { computes: [web] } })).rejects.toThrow(`${path}: 403`);
        expect(isActive(world, web)).toBe(false);
        await it.up({ ...off, devices: { computes: [web] } });
        expect(isActive(world, web)).toBe(false);
        expect(world.world.firewalls.all()).toMatchObject([{ id: Number(it.id), status: "disabled" }]);
        expect(world.world.firewallDevices.all()).toMatchObject([{ compute_id: web }]);
        expect(await it.refresh()).toBe("same");
      },
    );

    test("is not created twice if the response is lost", async ({ world, it }) => {
      const web = await machine(world, "web");
      world.emulator.faults.add({ path: "firewalls.create", kind: "cut-after" });
      await it.up({ ...off, devices: { computes: [web] } });
      expect(world.world.firewalls.all()).toMatchObject([{ id: Number(it.id), status: "disabled" }]);
      expect(world.world.firewallDevices.all()).toMatchObject([{ compute_id: web }]);
    });
  });

  test("moving a separate device deletes the old assignment first", async ({ world }) => {
    const web = await machine(world, "web");
    const [one, other] = [new Managed("Firewall", world.host), new Managed("Firewall", world.host)];
    await one.up(fw);
    await other.up({ ...fw, label: "second" });
    const device = new Managed("FirewallDevice", world.host);
    await device.up({ firewallId: Number(one.id), entityId: web });
    world.calls();
    const name = `FirewallDevice ${device.id}`;
    await device.up({ firewallId: Number(other.id), entityId: web });
    expect(world.calls()).toEqual(["firewallDevices.delete", "firewallDevices.create"]);
    expect(world.messages()).toEqual([
      `${name}: the instance is without this firewall until the new assignment exists`,
    ]);
  });

  test("a device is deleted with its firewall", async ({ world }) => {
    const web = await machine(world, "web");
    const [it, device] = [new Managed("Firewall", world.host), new Managed("FirewallDevice", world.host)];
    await it.up(fw);
    await device.up({ firewallId: Number(it.id), entityId: web });
    await it.destroy();
    expect(await device.refresh()).toBe("gone");
  });

  test("a refresh shows only the rule and the tag that were added", async ({ world, it }) => {
    const inbound = [rule("22"), rule("443, 80")];
    await it.up({ ...fw, tags: ["Two", "one"], rules: { ...policies, inbound } });
    const path = { firewallId: Number(it.id) };
    const { rules } = await world.api.firewalls.view({ path });
    const open = { ...rule("53"), protocol: "UDP" as const };
    await world.api.firewalls.updateRules({ path, body: { ...rules, inbound: [open, ...(rules.inbound ?? [])] } });
    await world.api.firewalls.update({ path, body: { tags: ["three", "one", "two"] } });
    expect(await it.refresh()).toBe("changed");
    expect(it.state?.inputs).toMatchObject({ tags: ["Two", "one", "three"] });
    const now = it.state?.inputs.rules as { inbound: object[] };
    expect(now.inbound[0]).toMatchObject(open);
    expect(now.inbound.slice(1)).toEqual(inbound);

    const edited = rules.inbound?.map((each, i) => (i ? each : { ...each, ports: "2222" })) ?? [];
    await world.api.firewalls.updateRules({ path, body: { ...rules, inbound: edited } });
    it.reconnect(world.reconnect());
    await it.refresh();
    expect(it.state?.inputs.rules).toEqual({ ...policies, inbound: [{ ...rule("22"), ports: "2222" }, inbound[1]] });
  });
});
