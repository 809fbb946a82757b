import fc from "fast-check";
import type { EventAction } from "../../../api";
import { number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";

const password = "Correct-Horse-42";
const other = "Battery-Staple-7";
const rebuild = { image: "compute/debian11", rootPass: password };

/** Unsets the action of `base`, for programs with another action: an instance action must declare exactly one. */
const instead = { reboot: undefined };

export const effects: Effects<"InstanceAction"> = {
  computeId: "replace",
  triggers: ["instances.reboot"],
  allowReboot: "local",
  reboot: "local",
  rebuild: "local",
  resetPassword: "local",
  rescue: "local",
  mutate: "local",
  restore: "local",
};

export const found: Found = { by: "none" };

export const fixture: CreateFixture<"InstanceAction"> = async ({ api, emulator, world }) => {
  async function machine(label: string) {
    const { id } = await api.instances.create({
      body: { label, region: "us-east", type: "g5-standard-1", image: "compute/debian11", root_pass: password },
    });
    const path = { computeId: id };
    await api.instanceBackups.enable({ path });
    emulator.settle();
    const backup = await api.instanceBackups.snapshot({ path, body: { label: "before" } });
    emulator.settle();
    const configs = await api.instanceConfigs.list({ path });
    return { id, backup: backup.id, config: configs.data[0]?.id as number };
  }
  const [web, db] = [await machine("web"), await machine("sql")];
  const done = (action: EventAction) => world.events.recent().some((event) => event.action === action);
  return {
    base: { computeId: web.id, reboot: {}, triggers: ["one"] },
    changes: {
      computeId: { to: db.id },
      triggers: {
        to: ["two", { three: 3 }],
        calls: ["instances.reboot"],
        read: () => (done("compute_reboot") ? ["two", { three: 3 }] : undefined),
      },
      reboot: { to: { configId: web.config } },
      rebuild: { before: { ...instead, rebuild }, to: { ...rebuild, image: "compute/ubuntu22.04" } },
      resetPassword: { before: { ...instead, resetPassword: { rootPass: password } }, to: { rootPass: other } },
      rescue: { before: { ...instead, rescue: {} }, to: { devices: {} } },
      mutate: { before: { ...instead, mutate: {} }, to: { allowAutoDiskResize: false } },
      restore: {
        before: { ...instead, restore: { backupId: web.backup, overwrite: true } },
        to: { backupId: db.backup, fromId: db.id, overwrite: true },
      },
      allowReboot: "forbids what the base does; its own tests show it",
    },
    // The resource runs an action, such as a reboot, so there is no object that the emulator stores or that can be
    // deleted.
    table: null,
    creation: "instances.reboot",
    remove: null,
    remains: { disks: true, instanceConfigs: true },
    changeUnmanaged: () => {},
  };
};

export const equivalentValues: EquivalentValues = ({ computeId }) => [
  {
    inputs: { triggers: ["a", { b: [1, null] }] },
    equivalent: {
      computeId: number(computeId as number),
      // The parameters of an action are used only when it runs, so changing them is not a difference.
      reboot: fc.constantFrom({}, { configId: 7 }),
    },
  },
];

export const exampleEdit: ExampleEdit<"InstanceAction"> = { triggers: ["edited"] };

export const templates: Templates = {
  InstanceAction: {
    needs: { machine: "Instance" },
    skip: ["computeId", "allowReboot", "reboot", "rebuild", "resetPassword", "rescue", "mutate", "restore"],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
};
