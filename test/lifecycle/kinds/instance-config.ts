import fc from "fast-check";
import { constants, number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";
import { bootable } from "./needs";

const vlan = { purpose: "vlan", label: "backend", ipamAddress: "10.0.0.1/24" } as const;

export const effects: Effects<"InstanceConfig"> = {
  computeId: "replace",
  label: ["instanceConfigs.update"],
  comments: ["instanceConfigs.update"],
  kernel: ["instanceConfigs.update", "instances.reboot"],
  devices: ["instanceConfigs.update", "instances.reboot"],
  rootDevice: ["instanceConfigs.update"],
  memoryLimit: ["instanceConfigs.update"],
  runLevel: ["instanceConfigs.update"],
  virtMode: ["instanceConfigs.update"],
  helpers: ["instanceConfigs.update"],
  interfaces: ["instanceConfigs.update"],
  booted: ["instances.boot", "instances.shutdown"],
  allowReboot: "local",
};

export const found: Found = { by: "operation", within: "Instance" };

export const fixture: CreateFixture<"InstanceConfig"> = async (cloud) => {
  const { api, emulator, world } = cloud;
  const [off, on] = [await bootable(cloud, "sql"), await bootable(cloud, "web", { runs: true })];
  const volume = await api.volumes.create({ body: { label: "data", region: "us-southeast", compute_id: off.id } });
  emulator.settle();
  await api.volumes.detach({ path: { volumeId: volume.id } });
  const booted = { booted: true };
  const isBooted = (id: number) => {
    const { status, booted_config } = world.instances.get(world.instanceConfigs.get(id).compute_id);
    return status === "running" && booted_config === id;
  };
  const rebooting = (field: string) => [`instanceConfigs.update ${field}`, "instances.reboot config_id"];
  return {
    base: { computeId: off.id, label: "main", devices: { sda: { diskId: off.disk } } },
    changes: {
      computeId: {
        to: on.id,
        along: { devices: { sda: { diskId: on.disk } } },
        read: (id) => world.instanceConfigs.get(id).compute_id,
      },
      label: [{ to: "other" }, { before: booted, to: "other" }],
      comments: [{ to: "the old one" }, { before: { comments: "the old one" }, to: null }],
      kernel: [{ to: "compute/grub2" }, { before: booted, to: "compute/grub2", calls: rebooting("kernel") }],
      devices: [
        { to: { sdb: { diskId: off.disk } } },
        {
          before: { ...booted, rootDevice: "/dev/sdb", devices: { sda: { diskId: off.disk } } },
          to: { sda: {}, sdb: { diskId: off.disk } },
          calls: rebooting("devices"),
        },
        { before: booted, to: { sdc: { diskId: off.disk } }, calls: rebooting("devices") },
      ],
      rootDevice: { to: "/dev/sdb" },
      memoryLimit: { to: 1024 },
      runLevel: { to: "single" },
      virtMode: { to: "fullvirt" },
      helpers: [{ to: { network: false } }, { before: { helpers: { distro: false } }, to: { distro: true } }],
      interfaces: [{ to: [{ purpose: "public" }, vlan] }, { before: { interfaces: [vlan] }, to: [] }],
      booted: [
        { to: true, calls: ["instances.boot config_id"], read: isBooted },
        { before: booted, to: false, calls: ["instances.shutdown"], read: isBooted },
      ],
      allowReboot: { to: false },
    },
    adopted: ["memoryLimit", "booted"],
    /**
     * Attaches a volume to a device slot that the program does not declare, or detaches it. This must not be reported
     * as drift.
     */
    async changeUnmanaged(id) {
      const path = { volumeId: volume.id };
      if (world.volumes.get(volume.id).compute_id) await api.volumes.detach({ path });
      else await api.volumes.attach({ path, body: { compute_id: off.id, config_id: id } });
    },
  };
};

export const equivalentValues: EquivalentValues = ({ computeId, devices }) => {
  const { diskId } = (devices as { sda: { diskId: number } }).sda;
  return [
    {
      inputs: {
        devices: { sda: { diskId }, sdh: {} },
        interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "net", ipamAddress: "10.0.0.1/24" }],
        memoryLimit: 1024,
        helpers: { distro: false, network: true },
      },
      equivalent: {
        computeId: number(computeId as number),
        devices: fc.record({
          sda: fc.record(
            { diskId: number(diskId), volumeId: fc.constantFrom(null, undefined) },
            { requiredKeys: ["diskId"] },
          ),
          sdh: fc.constantFrom({}, { diskId: null }, { diskId: null, volumeId: null }),
        }),
        interfaces: fc.tuple(
          fc.record({
            purpose: fc.constant("public"),
            label: fc.constantFrom("", null),
            ipamAddress: fc.constantFrom("", null),
          }),
          fc.record(constants({ label: "net", purpose: "vlan", ipamAddress: "10.0.0.1/24" })),
        ),
        memoryLimit: number(1024),
        helpers: fc.constantFrom({ distro: false, network: true }, { network: true, distro: false }),
        kernel: fc.constantFrom("compute/latest-64bit", undefined),
        comments: fc.constantFrom(null, undefined),
        rootDevice: fc.constantFrom("/dev/sda", undefined),
        allowReboot: fc.constantFrom(true, undefined),
      },
    },
  ];
};

export const exampleEdit: ExampleEdit<"InstanceConfig"> = { comments: "edited" };

export const templates: Templates = {
  InstanceConfig: {
    needs: { disk: "InstanceDisk" },
    usedOnce: { disk: "config" },
    // Not `interfaces`, because the test data has a VLAN, and instances with a VLAN cannot change accounts.
    skip: ["computeId", "devices", "allowReboot", "booted", "interfaces"],
    more: [{ interfaces: [{ purpose: "public" }] }],
    inputs: ({ disk = {} }) => ({ computeId: disk.computeId, devices: { sda: { diskId: disk.id } } }),
  },
};
