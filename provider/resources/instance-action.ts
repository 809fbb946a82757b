import { z } from "zod";
import {
  BootConfigId,
  camel,
  deploymentRules,
  type EventAction,
  Id,
  Instance,
  instanceBackups,
  instancePower,
  instances,
  PartId,
  type Problem,
  type Rule,
  rescueRules,
  within,
} from "../../api";
import { isEqual } from "../engine/comparison";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { runAction } from "./action";
import { passwordSetter } from "./instance-password";
import { instanceName, readInstance, rebootDefault } from "./instance-reboot";
import { isLeftOff, locked, settled, whileOff, withStatusDuringChange } from "./machine";
import { underWay } from "./machine-status";
import { Triggers } from "./triggers";

const source = "part 1 · Endpoints · Compute instances";

const actions = {
  reboot: instancePower.reboot.body
    .extend({ config_id: BootConfigId.optional() })
    .describe("Reboots the instance, or boots it if it is offline."),
  rebuild: instancePower.rebuild.body.describe(
    "Deletes the disks and configs of the instance and deploys an image. If `Instance` declares another `image`, add `image` to its `ignoreChanges` first: otherwise the update after a refresh replaces the instance.",
  ),
  reset_password: instancePower.resetPassword.body.describe(
    "Resets the root password of the instance. The instance is offline during the reset.",
  ),
  rescue: instancePower.rescue.body.describe("Boots the instance into rescue mode. The next reboot is a normal one."),
  mutate: instances.mutate.body.describe(
    "Replaces the retired type of the instance with its successor. First add `type` of the `Instance` to `ignoreChanges`: otherwise, an update after a refresh resizes the instance back.",
  ),
  restore: instanceBackups.restore.body
    .omit({ compute_id: true })
    .extend({
      backup_id: PartId.describe("Backup to restore."),
      from_id: Id.optional().describe("Instance that owns the backup. Defaults to the instance of the action."),
    })
    .describe(
      "Restores a backup to the instance. The instance is offline during the restore. If the backup has another image, first add `image` of the `Instance` to `ignoreChanges`: otherwise, an update after a refresh replaces the instance.",
    ),
};

type ActionName = keyof typeof actions;
const names = Object.keys(actions) as ActionName[];

const inputs = z
  .strictObject({
    compute_id: Id.describe("Instance to run the action on."),
    triggers: Triggers,
    allow_reboot: z
      .boolean()
      .default(true)
      .describe("Whether the action may shut down the instance. Must be true, because every action shuts it down."),
  })
  .extend(z.strictObject(actions).partial().shape);

type Inputs = z.output<typeof inputs>;

const chosen = (want: Partial<Inputs>): ActionName | undefined => names.find((name) => want[name] !== undefined);

async function announcement(want: Partial<Inputs>, host: Host): Promise<string> {
  const name = chosen(want);
  const isOff = name === "reboot" && (await readInstance(want, host))?.status === "offline";
  const effectText = name ? doing[name].effect : "will be changed by an action that is not known yet";
  return `${await instanceName(want, host)} ${isOff ? "will boot" : effectText}`;
}

type Doable = { api: Host["api"]; path: { computeId: number }; want: Inputs };
type Act = () => Promise<unknown>;

type Doing = {
  /** The warning that a preview shows for the action. */
  effect: string;
  /** The events that report the action. Omitted for actions that can safely be repeated. */
  events?: readonly EventAction[];
  /** Whether the action requires that the instance is offline. */
  off?: true;
} & (
  | { send(step: Doable): Promise<unknown> }
  /** Reads data before the instance is shut down, and returns the function that sends the request. */
  | { prepare(step: Doable): Promise<Act> }
);

const doing: { [N in ActionName]: Doing } = {
  reboot: {
    effect: "will reboot",
    events: [instancePower.reboot.event],
    send: ({ api, path, want: { reboot: body = {} } }) => api.instances.reboot({ path, body }),
  },
  rebuild: {
    effect: "will be rebuilt, which deletes its disks",
    events: [instancePower.rebuild.event],
    send: ({ api, path, want }) => api.instances.rebuild({ path, body: declared(want.rebuild) }),
  },
  reset_password: {
    effect: "will shut down and boot to set a new root password",
    off: true,
    async prepare({ api, path, want }) {
      const set = await passwordSetter({ api, path });
      return () => set(declared(want.reset_password).root_pass);
    },
  },
  rescue: {
    effect: "will reboot into rescue mode",
    events: [instancePower.rescue.event, instancePower.boot.event],
    send: ({ api, path, want: { rescue: body = {} } }) => api.instances.rescue({ path, body }),
  },
  mutate: {
    effect: "will shut down and boot to upgrade its type",
    events: [instances.mutate.event],
    send: ({ api, path, want }) => api.instances.mutate({ path, body: declared(want.mutate) }),
  },
  restore: {
    effect: "will shut down and boot to restore a backup",
    events: [instanceBackups.restore.event],
    off: true,
    send({ api, path: { computeId }, want }) {
      const { backup_id: backupId, from_id = computeId, overwrite } = declared(want.restore);
      const path = { computeId: from_id, backupId };
      return api.instanceBackups.restore({ path, body: { compute_id: computeId, overwrite } });
    },
  },
};

function declared<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("InstanceAction: no action is set. Set exactly one, such as reboot");
  return value;
}

const rules: Rule<Partial<Inputs>>[] = [
  {
    reads: [...names],
    *check(want) {
      const [first, ...others] = names.filter((name) => want[name] !== undefined);
      if (!first)
        yield {
          field: "reboot",
          reason: `is required unless another action is set: ${names.slice(1).map(camel).join(", ")}`,
        };
      for (const field of others)
        yield { field, reason: `must be omitted, because ${camel(String(first))} is set: only one action is allowed` };
    },
    source,
  },
  ...within("rebuild", deploymentRules),
  ...within("rescue", rescueRules),
];

const forbidden = (want: Partial<Inputs>): Problem | undefined =>
  want.allow_reboot === false
    ? { path: ["allow_reboot"], reason: "must be true: the action shuts the instance down" }
    : undefined;

export const instanceAction = resource({
  name: "InstanceAction",
  summary:
    "Runs an action on an instance once, and again whenever `triggers` change. Set exactly one action. Deleting the resource has no effect on the instance.",
  elsewhere: { note: "Runs an action once, such as a reboot." },
  inputs,
  outputs: z.object({
    label: Instance.shape.label,
    status: Instance.shape.status.meta({ volatile: true }),
    resumes: z
      .boolean()
      .optional()
      .describe("Whether the action failed and left the instance offline. The next update boots it."),
  }),
  identity: {
    area: "instances",
    parents: { compute_id: "computeId" },
    async extend({ host, path, state }, record) {
      const { label, status } = withStatusDuringChange(host, path.computeId, record);
      return { label, status, resumes: isLeftOff(host, path.computeId, state, record) };
    },
    lostCreate: "repeat",
  },
  inventory: "none",
  fields: {
    compute_id: "replace",
    triggers: {
      change: "run",
      by: [
        "instances.reboot",
        "instances.rebuild",
        "instances.resetPassword",
        "instances.rescue",
        "instances.mutate",
        "instanceBackups.restore",
        "instances.shutdown",
        "instances.boot",
      ],
      note: "the action runs again; if it requires an offline instance, the instance shuts down first and boots afterwards",
    },
    ...(Object.fromEntries(names.map((name) => [name, "local"])) as { [N in ActionName]: "local" }),
    allow_reboot: { change: "local", default: rebootDefault },
  },
  steps: {
    run: {
      afterCreate: true,
      preview: ({ want, state, host }) =>
        state.resumes
          ? `${state.label} will boot, because an earlier action left it offline`
          : announcement(want, host),
      when: ({ resumes }) => resumes === true,
      async run({ host, api, path, want, state, changed, setState }) {
        const { computeId } = path;
        const { triggers: before, resumes = false } = state;
        const work = { host, computeId, what: "the action", allowed: want.allow_reboot, resumes, setState };
        // If `triggers` is unchanged, an earlier update completed the action, and only the boot after it failed.
        if (changed.triggers === undefined) return whileOff(work);
        const action = doing[declared(chosen(want))];
        const { events, off } = action;
        const onStarted = () => setState({ triggers: want.triggers });
        const onFailed = () => setState({ triggers: before });
        const settle = () => settled(host, computeId);
        const entity = { type: "compute", id: computeId } as const;
        const prepared = async (): Promise<Act> => {
          const step = { api, path, want };
          const call = "prepare" in action ? await action.prepare(step) : () => action.send(step);
          return events
            ? () => runAction({ host, entity, events, call, onStarted, onFailed, settle })
            : () => call().then(onStarted);
        };
        if (off) return whileOff(work, prepared);
        await locked(host, computeId, async () => {
          await (await prepared())();
          await settle();
        });
      },
    },
  },
  checks: {
    rules,
    onChange: [
      function* (want, olds) {
        const problem = isEqual(want.triggers, olds.triggers) ? undefined : forbidden(want);
        if (problem) yield problem;
      },
    ],
    onCreate: [
      { rejects: "if `allowReboot` is false", check: async (want) => forbidden(want) },
      { warns: "about the action that it runs", check: announcement },
    ],
  },
  readiness: { byStatus: { ...underWay, running: "ready", offline: "ready", stopped: "ready" } },
  // No object is created. Afterwards, `steps.run` carries out the action.
  create: async ({ want: { compute_id: computeId } }) => ({ computeId }),
  delete: { run: "none" },
  timeouts: { create: 3600, update: 3600 },
});
