import type { Host } from "../../provider/engine/host";
import type { Bag } from "../../provider/engine/values";
import type { KindName } from "../../provider/resources";
import { Managed } from "../../testing/provider";
import type { Account } from "./behaviour/accounts";
import { numberOf } from "./behaviour/machines";

const web = { label: "web", region: "us-east", type: "g6-standard-1", backupsEnabled: true, resizeDisks: false };
const image = { image: "compute/debian11", rootPass: "correct horse 1" };
export const other = "battery staple 2";

/**
 * A change of one Pulumi resource that belongs to an instance (such as its disk), and the expected state of the
 * instance afterwards.
 */
export interface Change {
  name: string;
  /** The resource that is changed. Changes of the same resource never run at the same time. */
  resource: string;
  run(machine: Machine, host: Host): Promise<unknown>;
  holds?(machine: Machine): unknown;
  /** The power state of the instance afterwards. Defaults to running. */
  ends?: "offline";
  /**
   * `one` if the change requires that the instance has a single disk, `more` if it creates another disk. A change with
   * `one` never runs at the same time as a change with `more`.
   */
  disks?: "one" | "more";
  /** Whether the change always boots the instance. */
  boots?: true;
}

export interface Machine {
  world: Account;
  id: number;
  resources: Map<string, Resource>;
}

export interface Resource {
  kind: KindName;
  inputs: Bag;
  managed: AnyManaged;
}

type AnyManaged = Omit<Managed<KindName>, "up"> & { up(inputs: Bag): Promise<unknown> };

export const manage = (kind: KindName, host: Host): AnyManaged => new Managed(kind, host) as AnyManaged;

async function make(machine: Machine, name: string, kind: KindName, inputs: Bag): Promise<AnyManaged> {
  const managed = manage(kind, machine.world.host);
  await managed.up(inputs);
  machine.resources.set(name, { kind, inputs, managed });
  return managed;
}

export async function deployed(world: Account): Promise<Machine> {
  const machine: Machine = { world, id: 0, resources: new Map() };
  machine.id = Number((await make(machine, "instance", "Instance", { ...web, ...image, booted: true })).id);
  return machine;
}

/** Creates an instance without an image, with a disk and a configuration profile as separate resources. */
export async function built(world: Account): Promise<Machine> {
  const machine: Machine = { world, id: 0, resources: new Map() };
  machine.id = Number((await make(machine, "instance", "Instance", web)).id);
  const { id: computeId } = machine;
  const disk = await make(machine, "disk", "InstanceDisk", { computeId, label: "root", size: 10_240, ...image });
  const devices = { sda: { diskId: numberOf(disk) } };
  await make(machine, "config", "InstanceConfig", { computeId, label: "main", devices, booted: true });
  return machine;
}

export const edit = (resource: string, change: Bag, more: Partial<Change> = {}): Change => ({
  name: `${resource} ${JSON.stringify(change)}`,
  resource,
  run({ resources }, host) {
    const { inputs, managed } = resources.get(resource) as Resource;
    managed.reconnect(host);
    return managed.up({ ...inputs, ...change });
  },
  ...more,
});

export const instanceOf = ({ world, id }: Machine) => world.world.instances.get(id);
