import { deviceNames } from "../../../api";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import { addConfig } from "../compute/instance-configs";
import { addMachine } from "../compute/instance-create";
import { setStatus } from "../compute/instance-runs";

/**
 * Makes the machine of a node; by its label, `lke12345-67890-6aa78910bc`, people know it for one. The pool's custom disks
 * are taken from its boot disk (part 2 · Endpoints · Kubernetes · rule 5).
 */
export function addNodeInstance(
  world: World,
  { region, type, disks }: Pick<RowOf<"instances">, "region"> & Pick<RowOf<"lkePools">, "type" | "disks">,
  label: string,
): RowOf<"instances"> {
  const instance = addMachine(world, { label, region, type, status: "running", private_ip: true });
  const boot = instance.specs.disk - disks.reduce((sum, { size }) => sum + size, 0);
  const wanted: Pick<RowOf<"disks">, "label" | "size" | "filesystem">[] = [
    { label: "Boot Disk", size: boot, filesystem: "ext4" },
    ...disks.map(({ size, type }, at) => ({ label: `Partition ${at + 1}`, size, filesystem: type })),
  ];
  const made = wanted.map((disk) =>
    world.disks.insert({ ...disk, compute_id: instance.id, status: "ready", used: 0, root_pass: null }),
  );
  const config = addConfig(world, instance, {
    label: "Boot Config",
    kernel: "compute/grub2",
    devices: Object.fromEntries(made.map(({ id }, at) => [deviceNames[at], { disk_id: id, volume_id: null }])),
  });
  return setStatus(world, instance.id, "running", { booted_config: config.id });
}
