import { z } from "zod";
import { Empty, Id, KernelId, Paging, PartId, page } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Interface, interfaceRules } from "./interfaces";

export type Device = z.output<typeof Device>;
/** A device slot: a disk, a volume, or empty. */
export const Device = z.strictObject({
  disk_id: PartId.nullable().default(null).describe("Disk in the device slot. Null if there is none."),
  volume_id: Id.nullable().default(null).describe("Volume in the device slot. Null if there is none."),
});

export const deviceNames = ["sda", "sdb", "sdc", "sdd", "sde", "sdf", "sdg", "sdh"] as const;

const slots = <S extends z.core.$ZodType>(slot: S) =>
  z.strictObject({ sda: slot, sdb: slot, sdc: slot, sdd: slot, sde: slot, sdf: slot, sdg: slot, sdh: slot });

export type Devices = z.output<typeof Devices>;
/** The device slots of an instance in a request. Omitted slots are empty. */
export const Devices = slots(Device.optional().describe("Disk or volume in the device slot. `{}` means none."));

type AllDevices = z.output<typeof AllDevices>;
/** The device slots of an instance in a response: all eight, with null for each empty slot. */
const AllDevices = slots(Device.describe("Disk or volume in the device slot."));

const empty: Device = { disk_id: null, volume_id: null };

export const allDevices = (devices: Devices): AllDevices =>
  Object.fromEntries(deviceNames.map((name) => [name, { ...empty, ...devices[name] }])) as AllDevices;

export type Helpers = z.output<typeof Helpers>;
/** Settings for the changes that the platform makes to the boot disk before each boot. */
export const Helpers = z.strictObject({
  updatedb_disabled: z
    .boolean()
    .meta({ initial: true })
    .describe("Whether to disable the nightly updatedb job, which causes heavy disk I/O."),
  distro: z
    .boolean()
    .meta({ initial: true })
    .describe("Whether to adjust the settings of the Linux distribution to the platform at boot."),
  modules_dep: z
    .boolean()
    .meta({ initial: true })
    .describe("Whether to write the dependency list of the kernel's modules (`modules.dep`) at boot."),
  network: z
    .boolean()
    .meta({ initial: true })
    .describe("Whether to write static network settings to the disk at boot."),
  devtmpfs_automount: z.boolean().meta({ initial: true }).describe("Whether to mount devtmpfs at boot."),
});

export type InstanceConfig = z.output<typeof InstanceConfig>;
/** A boot configuration of an instance: kernel, devices and network interfaces. */
export const InstanceConfig = z.strictObject({
  id: Id,
  label: z.string().min(1).max(48).meta({ filterable: true }).describe("Label of the boot config."),
  comments: z.string().nullable().describe("Comments on the boot config. Empty if not set."),
  kernel: KernelId.describe("Kernel that the instance boots."),
  devices: AllDevices.describe("Disks and volumes by device slot, from `sda` to `sdh`."),
  root_device: z
    .string()
    .regex(
      /^[a-zA-Z0-9/_-]+$/,
      "must be a device path of letters, digits, slashes, underscores and dashes, like /dev/sda",
    )
    .meta({ initial: "/dev/sda" })
    .describe("Root device, such as /dev/sda."),
  memory_limit: z
    .int()
    .min(0)
    .describe("Memory limit in MB. 0 means all memory of the instance's type, as in a new config."),
  run_level: z
    .enum(["default", "single", "binbash"])
    .meta({ initial: "default" })
    .describe("Run level that the instance boots into."),
  virt_mode: z
    .enum(["paravirt", "fullvirt"])
    .meta({ initial: "paravirt" })
    .describe("Virtualization mode of the kernel: `fullvirt` or `paravirt`."),
  helpers: Helpers.describe("Changes that the platform makes to the boot disk before each boot."),
  interfaces: z
    .array(Interface)
    .max(3)
    .meta({ filterable: true })
    .describe("Network interfaces in order. If the list is empty, the instance has one public interface."),
});

const Fields = InstanceConfig.omit({ id: true })
  .extend({
    devices: Devices.describe("Disks and volumes by device slot, from `sda` to `sdh`. Omitted slots are empty."),
    helpers: Helpers.partial().describe(
      "Changes that the platform makes to the boot disk before each boot. Omitted settings are unchanged.",
    ),
  })
  .partial();

export type InstanceConfigCreate = z.output<typeof InstanceConfigCreate>;
export const InstanceConfigCreate = Fields.required({ label: true, devices: true }).extend({
  kernel: InstanceConfig.shape.kernel.default("compute/latest-64bit"),
});

/** A slot takes either a disk or a volume, and each disk or volume can be in one slot only. */
export const devicesRules: Rule<{ devices?: Devices | undefined }>[] = [
  {
    reads: ["devices"],
    *check({ devices = {} }) {
      for (const [name, device] of Object.entries(devices))
        if (device?.disk_id && device.volume_id)
          yield {
            field: `devices.${name}`,
            reason: `must contain either a disk or a volume, not both (disk ${device.disk_id} and volume ${device.volume_id})`,
          };
    },
    source: "part 1 · Resources · Configuration profile",
  },
  {
    reads: ["devices"],
    *check({ devices = {} }) {
      const places = new Map<string, string>();
      for (const name of deviceNames) {
        const { disk_id: disk, volume_id: volume } = devices[name] ?? {};
        const device = disk ? `disk ${disk}` : volume ? `volume ${volume}` : undefined;
        if (!device) continue;
        const other = places.get(device);
        if (other)
          yield {
            field: `devices.${name}.${disk ? "disk_id" : "volume_id"}`,
            reason: `must not be ${device}, which is already in the device slot ${other}`,
          };
        places.set(device, name);
      }
    },
    source: "part 1 · Resources · Configuration profile",
  },
];

export const configRules: Rule<z.output<typeof Fields>>[] = [...devicesRules, ...interfaceRules];

const all = "/compute/instances/{computeId}/configs";
const one = `${all}/{configId}` as const;
const source = "part 1 · Endpoints · Compute instances";

const attaches = [
  "An unattached volume in the instance's region is attached, with an event volume_attach. This requires the scopes and grants of `volumes.attach`.",
];

export const instanceConfigs = {
  list: {
    summary: "List the boot configs of an instance.",
    method: "GET",
    path: all,
    scopes: ["computes:read_only"],
    query: Paging,
    result: page(InstanceConfig),
    decided: ["A filter by `interfaces` compares the labels of the interfaces, which are those of VLANs."],
    source,
  },
  create: {
    summary: "Add a boot config to an instance.",
    method: "POST",
    path: all,
    scopes: ["computes:read_write"],
    body: InstanceConfigCreate,
    result: InstanceConfig,
    event: "compute_config_create",
    decided: attaches,
    source,
  },
  view: {
    summary: "View a boot config.",
    method: "GET",
    path: one,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: InstanceConfig,
    source,
  },
  update: {
    summary:
      "Update a boot config. Changes apply at the next boot. `interfaces` and `devices` are replaced as a whole.",
    method: "PUT",
    path: one,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: Fields,
    result: InstanceConfig,
    event: "compute_config_update",
    decided: attaches,
    source,
  },
  delete: {
    summary: "Delete a boot config. Its disks and volumes are not deleted.",
    method: "DELETE",
    path: one,
    scopes: ["computes:read_write"],
    grant: "read_write",
    result: Empty,
    event: "compute_config_delete",
    source,
  },
} satisfies Area;
