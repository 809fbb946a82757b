import { allDevices, type Devices, deviceNames, type InstanceConfig } from "../../api";

/** The config with all its slots: the service may show an empty one as null, or leave it out. */
export const withSlots = <C extends Pick<InstanceConfig, "devices">>(config: C): C =>
  config.devices ? { ...config, devices: allDevices(config.devices) } : config;

/** The slots that are stated; all that hold something where nobody states any. */
export function slotsOf(devices: Devices, stated: Devices | undefined): Devices {
  const filled = ({ disk_id, volume_id }: NonNullable<Devices["sda"]>): boolean => Boolean(disk_id ?? volume_id);
  const kept = deviceNames.filter((name) => (stated ? stated[name] : devices[name] && filled(devices[name])));
  return Object.fromEntries(kept.map((name) => [name, devices[name]]));
}

/** The slots as they are with the stated ones over them; what is stated leaves the slot of somebody else's that it was in. */
export function plugged({ devices }: InstanceConfig, stated: Devices): Devices {
  const moved = Object.values(stated).filter((device) => device?.disk_id ?? device?.volume_id);
  const others = deviceNames.flatMap((name) => {
    const device = devices[name];
    const isMoved = moved.some(
      (one) =>
        (one?.disk_id && one.disk_id === device?.disk_id) || (one?.volume_id && one.volume_id === device?.volume_id),
    );
    return stated[name] || !device || isMoved ? [] : [[name, device] as const];
  });
  return { ...Object.fromEntries(others), ...stated };
}
