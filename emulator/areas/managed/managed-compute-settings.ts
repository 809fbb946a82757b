import { canonicalAddress, type ManagedComputeSettings } from "../../../api";
import { Reasons } from "../../core/error-response";
import { type RowOf, table } from "../../core/store";
import type { World } from "../../core/world";
import { type AreaModule, listed } from "../../http/handlers";

/** The settings of an instance that a user has changed. An instance without a row has the default settings. */
export interface ManagedComputeSettingsRow extends Pick<ManagedComputeSettings, "id" | "ssh"> {}

const ANY = "any";
const fresh: ManagedComputeSettings["ssh"] = { access: true, user: "root", ip: ANY, port: 22 };

export const managedComputeSettings: AreaModule<
  "managedComputeSettings",
  { managedComputeSettings: ManagedComputeSettingsRow }
> = {
  tables: { managedComputeSettings: table<ManagedComputeSettingsRow>([], { refs: { id: "instances" } }) },
  handlers: {
    list: ({ world }) => listed(world.instances, (instance) => settingsRecord(world, instance)),

    view: ({ world, path }) => settingsRecord(world, world.instances.get(path.computeId)),

    update({ world, path, body: { ssh = {} } }) {
      const instance = world.instances.get(path.computeId);
      const before = settingsRecord(world, instance).ssh;
      const { access = before.access, user = before.user, port = before.port } = ssh;
      const ip = ssh.ip === undefined ? before.ip : (canonicalAddress(ssh.ip) ?? ssh.ip);
      const problems = new Reasons();
      problems.addUnless(
        holds(world, instance.id, ip),
        `Must be an address of instance ${instance.id} or "any"`,
        "ssh.ip",
      );
      problems.throwIfAny();
      const row = { id: instance.id, ssh: { access, user, ip, port } };
      if (world.managedComputeSettings.find(instance.id)) world.managedComputeSettings.patch(instance.id, row);
      else world.managedComputeSettings.insert(row);
      return settingsRecord(world, instance);
    },
  },
};

export function forgetSettings(world: World, compute: number): void {
  if (world.managedComputeSettings.find(compute)) world.managedComputeSettings.remove(compute);
}

function settingsRecord(world: World, { id, label, group }: RowOf<"instances">): ManagedComputeSettings {
  const ssh = world.managedComputeSettings.find(id)?.ssh ?? fresh;
  // If the instance does not have the SSH address any more, the default `any` is returned instead.
  return { id, label, group, ssh: { ...ssh, ip: holds(world, id, ssh.ip) ? ssh.ip : ANY } };
}

const holds = (world: World, compute: number, ip: string): boolean =>
  ip === ANY || world.addresses.find(ip)?.compute_id === compute;
