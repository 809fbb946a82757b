import { allDevices, type Devices, deviceNames, type InstanceConfig } from "../../api";

/** Completes a boot config with all device slots, because the API omits empty slots or returns null. */
export const withSlots = <C extends { devices?: InstanceConfig["devices"] | undefined }>(config: C): C =>
  config.devices ? { ...config, devices: allDevices(config.devices) } : config;

/** The device slots that the program declares. If it declares none, all slots that contain a device. */
export function slotsOf(devices: Devices, declared: Devices | undefined): Devices {
  const filled = ({ disk_id, volume_id }: NonNullable<Devices["sda"]>): boolean => Boolean(disk_id ?? volume_id);
  const slots = deviceNames.filter((name) => (declared ? declared[name] : devices[name] && filled(devices[name])));
  return Object.fromEntries(slots.map((name) => [name, devices[name]]));
}

/**
 * The device slots after an update: the declared slots, and the current slots that the program does not declare. If a
 * device is declared in a slot, it is removed from any other slot.
 */
export function plugged({ devices }: InstanceConfig, declared: Devices): Devices {
  const moved = Object.values(declared).filter((device) => device?.disk_id ?? device?.volume_id);
  const others = deviceNames.flatMap((name) => {
    const device = devices[name];
    const isMoved = moved.some(
      (one) =>
        (one?.disk_id && one.disk_id === device?.disk_id) || (one?.volume_id && one.volume_id === device?.volume_id),
    );
    return declared[name] || !device || isMoved ? [] : [[name, device] as const];
  });
  return { ...Object.fromEntries(others), ...declared };
}
