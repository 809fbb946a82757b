import type { KindName, kinds } from "../../../provider/resources";
import { type Inputs, Managed } from "../../../testing/provider";
import type { Account } from "./accounts";

export const web = { label: "web", region: "us-east", type: "g6-standard-1" };
const deployed = { image: "compute/debian11", rootPass: "correct horse" };

/** The last part of an id that also contains the ids of the containing objects, for example 34 in `12/34`. */
export const numberOf = ({ id }: { id: string }): number => Number(id.split("/").at(-1));

/**
 * Creates an instance, a disk and a config through the provider, as a program would. With `booted: true`, the config
 * also boots the instance.
 */
export async function built(world: Account, { booted }: { booted?: boolean } = {}) {
  const manage = <K extends KindName>(kind: K, name: string) => new Managed<K>(kind, world.host, name);
  const instance = manage("Instance", "web");
  const root = manage("InstanceDisk", "root");
  const config = manage("InstanceConfig", "main");
  await instance.up(web);
  const computeId = Number(instance.id);
  const rootInputs: Inputs<"InstanceDisk"> = { computeId, label: "root", size: 10_240, ...deployed };
  await root.up(rootInputs);
  const configInputs: Inputs<"InstanceConfig"> = {
    computeId,
    label: "main",
    devices: { sda: { diskId: numberOf(root) } },
    ...(booted !== undefined && { booted }),
  };
  await config.up(configInputs);
  world.calls();
  world.messages();
  const status = () => world.world.instances.get(computeId).status;
  return { manage, computeId, instance, root, rootInputs, config, configInputs, status };
}

/** Simulates the start of another Pulumi command: the given resources use a new connection with empty caches. */
export function newCommand(world: Account, ...managed: Managed<keyof typeof kinds>[]): void {
  const host = world.reconnect();
  for (const one of managed) one.reconnect(host);
}

/** The next command, a minute later, so that no object is cached. */
export function nextCommand(world: Account, ...managed: Managed<keyof typeof kinds>[]): void {
  newCommand(world, ...managed);
  world.emulator.advance(60_000);
  world.calls();
}
