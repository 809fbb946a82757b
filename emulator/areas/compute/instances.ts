import { Instance, instanceCreateRules } from "../../../api";
import { Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { table } from "../../core/store";
import { allowedTags, requireFreeLabel } from "../../http/account-checks";
import { type AreaModule, listed } from "../../http/handlers";
import { replaceLost } from "../kubernetes/lke-nodes";
import { balancerRecord, balancersOf } from "../load-balancers/node-balancers";
import { firewallsOf } from "../networking/firewall-devices";
import { volumeRecord } from "../storage/volumes";
import { waitForWindow } from "./backup-contents";
import { instanceClone } from "./instance-clone";
import { addInstance, checkCreate, createTasks } from "./instance-create";
import { instanceMoves } from "./instance-moves";
import { outageTasks } from "./instance-outages";
import { instancePower } from "./instance-power";
import { instanceRebuild } from "./instance-rebuild";
import { removeInstance } from "./instance-removal";
import type { Run } from "./instance-runs";
import { instanceStats } from "./instance-stats";

export interface InstanceRow extends Instance {
  /** The config that was booted last, which is the default for the next boot. */
  booted_config?: number | null;
  /** Whether the instance is in rescue mode, which ends with the next boot. */
  rescue?: boolean;
  /**
   * Start times of the last boot jobs, in milliseconds since 1970. The watchdog stops booting the instance after too
   * many of them.
   */
  boots?: readonly number[];
  /** The periods in which the instance was running. Statistics are generated from them. */
  runs?: readonly Run[];
  /** Whether the platform has scheduled a migration of the instance to another host. A client starts the migration. */
  migration_pending?: boolean;
  backup_timer?: number | null;
  /** Whether support has allowed more public addresses for the instance. `POST /_emulator/support` simulates that. */
  extra_addresses?: boolean;
}

export const instances: AreaModule<"instances", { instances: InstanceRow }> = {
  tables: {
    instances: table<InstanceRow>([], {
      refs: { region: "regions", type: "types" },
      shape: Instance,
      upgrade: ({ backups, ...row }) => ({ ...row, backups: { last_successful: null, ...(backups as object) } }),
    }),
  },
  tasks: [
    ...instanceClone.tasks,
    ...createTasks,
    ...instanceMoves.tasks,
    ...outageTasks,
    ...instancePower.tasks,
    ...instanceRebuild.tasks,
  ],
  rules: {
    ...instanceClone.rules,
    ...instanceMoves.rules,
    ...instancePower.rules,
    create: instanceCreateRules,
  },
  handlers: {
    ...instanceClone.handlers,
    ...instanceMoves.handlers,
    ...instancePower.handlers,
    ...instanceRebuild.handlers,
    ...instanceStats.handlers,

    list: ({ world }) => world.instances,

    create({ world, caller, body }) {
      const problems = new Reasons();
      checkCreate(world, caller, body, problems);
      problems.throwIfAny();
      return addInstance(world, body);
    },

    view: ({ world, path }) => world.instances.get(path.computeId),

    update({ world, caller, path, body, emit }) {
      const instance = world.instances.get(path.computeId);
      const problems = new Reasons();
      const tags = allowedTags(caller, body.tags, instance.tags);
      if (body.label !== undefined) requireFreeLabel(world.instances, problems, body.label, instance.id);
      problems.throwIfAny();
      const { alerts, backups, ...otherFields } = body;
      const changed = world.instances.patch(instance.id, {
        ...otherFields,
        tags,
        alerts: merged(instance.alerts, alerts),
        backups: { ...instance.backups, schedule: merged(instance.backups.schedule, backups?.schedule) },
      });
      const window = changed.backups.schedule.window;
      if (changed.backups.enabled && window !== instance.backups.schedule.window) waitForWindow(world, instance.id);
      emit(entity("compute", changed));
      return changed;
    },

    delete({ world, path, emit }) {
      const instance = world.instances.get(path.computeId);
      removeInstance(world, instance.id);
      emit(entity("compute", instance));
      replaceLost(world, instance.id);
      return {};
    },

    volumes({ world, caller, path }) {
      const { id } = world.instances.get(path.computeId);
      const volumes = world.volumes
        .by("compute_id", id)
        .filter((volume) => caller.may("volume", volume.id, "read_only"));
      return listed(volumes, (row) => volumeRecord(world, row));
    },

    firewalls({ world, caller, path }) {
      const { id } = world.instances.get(path.computeId);
      return firewallsOf(world, id).filter((firewall) => caller.may("firewall", firewall.id, "read_only"));
    },

    nodeBalancers({ world, caller, path }) {
      const { id } = world.instances.get(path.computeId);
      const balancers = balancersOf(world, id).filter((row) => caller.may("nodebalancer", row.id, "read_only"));
      return listed(balancers, (row) => balancerRecord(world, row));
    },
  },
};

function merged<T extends object>(now: T, changes: { [K in keyof T]?: T[K] | undefined } = {}): T {
  const declared = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...now, ...Object.fromEntries(declared) };
}
