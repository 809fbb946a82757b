import { describe, expect, vi } from "vitest";
import type { PendingBoots } from "../../provider/engine/host";
import type { Account } from "./behaviour/accounts";
import { test } from "./behaviour/tests";
import { built, deployed, edit, instanceOf, manage, other, type Resource } from "./machine-changes";

describe("an instance that a change has left offline", () => {
  const boots = { kind: "job-fail", path: "instances.boot", times: 1000 } as const;

  test.for([
    ["a new root password", deployed, edit("instance", { rootPass: other })],
    ["a larger disk", built, edit("disk", { size: 20_480 })],
  ] as const)(
    "%s: reports the failed boot, and the next update boots the instance even if the change is reverted",
    async ([_what, build, change], { world }) => {
      const machine = await build(world);
      const { managed, inputs } = machine.resources.get(change.resource) as Resource;
      // Omits `booted`: if the program declared it, this alone would make the next update boot the instance.
      const { booted: _, ...undeclared } = inputs;
      await managed.up(undeclared);
      const back = change.resource === "disk" ? { ...undeclared, size: 20_480 } : undeclared;
      world.emulator.faults.add(boots);
      await expect(change.run(machine, world.host)).rejects.toThrow(
        `instance ${machine.id} is still off: Instance ${machine.id} did not boot: its status is "offline"; the next update boots it`,
      );
      expect(instanceOf(machine).status).toBe("offline");
      expect(managed.outs).toMatchObject({ resumes: true });
      world.emulator.faults.clear();
      managed.reconnect(world.reconnect());
      world.calls();
      await managed.up(back);
      expect(world.calls()).toContain("instances.boot");
      expect(world.calls()).not.toContain("instances.shutdown");
      expect(instanceOf(machine).status).toBe("running");
      expect(managed.outs).not.toHaveProperty("resumes");
    },
  );

  test("an action: the next update repeats the failed boot, and not the action", async ({ world }) => {
    const machine = await deployed(world);
    const action = manage("InstanceAction", world.host);
    const inputs = { computeId: machine.id, resetPassword: { rootPass: other }, triggers: [1] };
    world.emulator.faults.add(boots);
    await expect(action.up(inputs)).rejects.toThrow('did not boot: its status is "offline"; the next update boots it');
    world.emulator.faults.clear();
    action.reconnect(world.reconnect());
    world.calls();
    await action.up(inputs);
    expect(world.calls()).toEqual(["instances.boot"]);
    expect(instanceOf(machine).status).toBe("running");
  });

  test("the next update does not reboot an instance that was booted outside Pulumi", async ({ world }) => {
    const machine = await built(world);
    const { managed, inputs } = machine.resources.get("disk") as Resource;
    world.emulator.faults.add(boots);
    await expect(managed.up({ ...inputs, size: 20_480 })).rejects.toThrow("still off");
    world.emulator.faults.clear();
    await world.api.instances.boot({ path: { computeId: machine.id } });
    world.emulator.settle();
    managed.reconnect(world.reconnect());
    world.calls();
    await managed.up({ ...inputs, size: 20_480 });
    expect(world.calls()).toEqual([]);
    expect(managed.outs).not.toHaveProperty("resumes");
  });

  test("a change that exceeds its time limit still boots the instance", async ({ world }) => {
    const machine = await deployed(world);
    world.emulator.faults.add({ kind: "stall-before", path: "instances.resetPassword" });
    world.calls();
    const change = edit("instance", { rootPass: other, __timeouts: { update: "60s" } });
    await expect(change.run(machine, world.host)).rejects.toThrow(
      /^Instance "web" \(\d+\): update timed out after \d+ s: /,
    );
    expect(world.calls()).toEqual(["instances.shutdown", "instances.boot"]);
    world.emulator.settle();
    expect(instanceOf(machine).status).toBe("running");
  });
});

describe("an instance that is off when the process is killed during a change", () => {
  /** The records on disk, which all processes of one machine use. */
  const recordsIn = (ids: Set<number>): PendingBoots => ({
    has: (id) => ids.has(id),
    add: (id) => void ids.add(id),
    delete: (id) => void ids.delete(id),
  });

  test("is recorded before the shutdown until it runs again", async ({ world }) => {
    const machine = await built(world);
    const pending = new Set<number>();
    world.emulator.faults.add({ kind: "job-stall", path: "instanceDisks.resize" });
    const host = { ...world.reconnect(), pendingBoots: recordsIn(pending) };
    const resize = edit("disk", { size: 20_480, __timeouts: { update: "24h" } }).run(machine, host);
    await vi.waitFor(() => expect(world.calls()).toContain("instanceDisks.resize"));
    expect([...pending]).toEqual([machine.id]);
    world.emulator.faults.clear();
    await resize;
    expect([...pending]).toEqual([]);
  });

  /** The account after a kill between the resize of the disk and the boot: the state has the former size. */
  async function killedBeforeBoot(world: Account) {
    const machine = await built(world);
    const { managed, inputs } = machine.resources.get("disk") as Resource;
    await world.api.instances.shutdown({ path: { computeId: machine.id } });
    world.emulator.settle();
    const path = { computeId: machine.id, diskId: Number(managed.id?.split("/")[1]) };
    await world.api.instanceDisks.resize({ path, body: { size: 20_480 } });
    world.emulator.settle();
    const pending = new Set([machine.id]);
    const host = { ...world.reconnect(), pendingBoots: recordsIn(pending) };
    managed.reconnect(host);
    world.calls();
    return { machine, managed, host, pending, program: { ...inputs, size: 20_480 } };
  }

  test("is booted by the next update, although the change itself was carried out", async ({ world }) => {
    const { machine, managed, pending, program } = await killedBeforeBoot(world);
    await managed.up(program);
    expect(world.calls()).toEqual(["instances.boot"]);
    expect(instanceOf(machine).status).toBe("running");
    expect(managed.outs).not.toHaveProperty("resumes");
    expect([...pending]).toEqual([]);
  });

  test("is booted by the next update of the instance if the program declares booted: true", async ({ world }) => {
    const machine = await built(world);
    const { managed, inputs } = machine.resources.get("instance") as Resource;
    await managed.up({ ...inputs, booted: true });
    await world.api.instances.shutdown({ path: { computeId: machine.id } });
    world.emulator.settle();
    const pending = new Set([machine.id]);
    managed.reconnect({ ...world.reconnect(), pendingBoots: recordsIn(pending) });
    await managed.up({ ...inputs, booted: true, label: "renamed" });
    expect(instanceOf(machine).status).toBe("running");
    expect([...pending]).toEqual([]);
  });

  test("is booted once if several resources of the instance change in the next update", async ({ world }) => {
    const { machine, managed, host, program } = await killedBeforeBoot(world);
    const label = edit("instance", { label: "renamed" });
    await Promise.all([managed.up(program), label.run(machine, host)]);
    expect(world.calls().filter((call) => call === "instances.boot")).toHaveLength(1);
    expect(instanceOf(machine).status).toBe("running");
  });

  test("is booted by the update after the next one if the service rejects the boot", async ({ world }) => {
    const { machine, managed, program } = await killedBeforeBoot(world);
    world.emulator.faults.add({ path: "instances.boot", kind: "status", status: 400 });
    await expect(managed.up(program)).rejects.toThrow("the next update boots it");
    world.emulator.faults.clear();
    managed.reconnect({ ...world.reconnect(), pendingBoots: recordsIn(new Set()) });
    await managed.up(program);
    expect(instanceOf(machine).status).toBe("running");
  });

  test("a refresh reports it, unless it was booted outside Pulumi in the meantime", async ({ world }) => {
    const { machine, host, pending } = await killedBeforeBoot(world);
    const instance = machine.resources.get("instance")?.managed as Resource["managed"];
    instance.reconnect(host);
    await instance.refresh();
    expect(instance.outs).toMatchObject({ resumes: true, status: "offline" });
    await world.api.instances.boot({ path: { computeId: machine.id } });
    world.emulator.settle();
    await instance.refresh();
    expect(instance.outs).toMatchObject({ status: "running" });
    expect([...pending]).toEqual([]);
  });
});

test("waiting for another change of the instance ends at the deadline", async ({ world }) => {
  const machine = await built(world);
  world.emulator.faults.add({ kind: "job-stall", path: "instanceDisks.resize" });
  const resize = edit("disk", { size: 20_480, __timeouts: { update: "24h" } }).run(machine, world.host);
  await vi.waitFor(() => expect(world.calls()).toContain("instanceDisks.resize"));
  const snapshot = manage("InstanceSnapshot", world.host);
  const inputs = { computeId: machine.id, label: "before", __timeouts: { create: "90s" } };
  await expect(snapshot.up(inputs)).rejects.toThrow(
    new RegExp(
      `^InstanceSnapshot "before": create timed out after 9\\d s: waiting for other changes of instance ${machine.id}. ` +
        "To allow more time, set create in the resource option customTimeouts or in cloudinfra:timeouts$",
    ),
  );
  world.emulator.faults.clear();
  await resize;
});
