import { createHash } from "node:crypto";
import fc from "fast-check";
import type { Cloud } from "../../../testing/cloud";
import { constants, number, tags } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";

const rootPass = "correct horse 1";
const data = { stackscriptId: 7, stackscriptData: { domain_name: "example.org" } };
const vlan = { purpose: "vlan", label: "backend", ipamAddress: "10.0.0.1/24" } as const;

/** Unsets the inputs for deploying an image, for instances that are cloned or restored from a backup. */
const notDeployed = { image: undefined, rootPass: undefined };

export const effects: Effects<"Instance"> = {
  label: ["instances.update"],
  group: ["instances.update"],
  tags: ["instances.update"],
  alerts: ["instances.update"],
  backups: ["instances.update"],
  watchdogEnabled: ["instances.update"],
  type: ["instances.resize"],
  backupsEnabled: ["instanceBackups.cancel", "instanceBackups.enable"],
  privateIp: ["instanceAddresses.allocate"],
  rootPass: ["instances.boot", "instances.resetPassword", "instances.shutdown"],
  config: ["instanceConfigs.update", "instances.reboot"],
  interfaces: ["instanceConfigs.update", "instances.reboot"],
  booted: ["instances.boot", "instances.shutdown"],
  rescue: ["instances.reboot", "instances.rescue"],
  region: "replace",
  image: "replace",
  stackscriptId: "replace",
  stackscriptData: "write-only",
  authorizedKeys: "write-only",
  authorizedUsers: "write-only",
  swapSize: "write-only",
  backupId: "write-only",
  cloneFrom: "write-only",
  cloneDisks: "write-only",
  cloneConfigs: "write-only",
  regionChange: "local",
  allowReboot: "local",
  resizeDisks: "local",
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"Instance"> = async (cloud) => {
  const { api, world } = cloud;
  const [one, other] = [await deployed(cloud, "one"), await deployed(cloud, "other")];
  const view = (computeId: number) => api.instances.view({ path: { computeId } });
  const isPrivate = (address: string) => address.startsWith("192.168.");
  const config = (id: number) => world.instanceConfigs.by("compute_id", id)[0];
  const backupsEnabled = async (id: number) => (await view(id)).backups.enabled;
  const privateIp = async (id: number) => (await view(id)).ipv4.some(isPrivate);
  const rescue = (id: number) => (world.instances.get(id).rescue ? { devices: {} } : null);
  const booted = async (id: number) => (await view(id)).status === "running";
  return {
    base: { label: "web", region: "us-southeast", type: "g6-standard-1", image: "compute/debian11", rootPass },
    changes: {
      label: { to: "web-2" },
      group: { to: "web" },
      tags: [{ to: ["prod", "web"] }, { before: { tags: ["prod"] }, to: [] }],
      alerts: [{ to: { cpu: 50, networkIn: 20 } }, { before: { alerts: { cpu: 50 } }, to: { cpu: 60 } }],
      backups: { before: { backupsEnabled: true }, to: { schedule: { day: "Sunday", window: "W4" } } },
      watchdogEnabled: [{ to: false }, { before: { watchdogEnabled: false }, to: true }],
      backupsEnabled: [
        { to: true, calls: ["instanceBackups.enable"], read: backupsEnabled },
        { before: { backupsEnabled: true }, to: false, calls: ["instanceBackups.cancel"], read: backupsEnabled },
      ],
      privateIp: [
        { to: true, calls: ["instanceAddresses.allocate public type"], read: privateIp },
        { before: { privateIp: false }, to: true, calls: ["instanceAddresses.allocate public type"], read: privateIp },
      ],
      type: { to: "g6-standard-2", calls: ["instances.resize allow_auto_disk_resize type"] },
      rootPass: {
        to: "battery staple 2",
        calls: ["instances.shutdown", "instances.resetPassword root_pass", "instances.boot"],
        read: (id) => passwordOf(world, id, [rootPass, "battery staple 2"]),
      },
      config: {
        to: { kernel: "compute/grub2", helpers: { network: false } },
        calls: ["instanceConfigs.update helpers kernel", "instances.reboot"],
        read: config,
      },
      interfaces: [
        {
          to: [{ purpose: "public" }, vlan],
          calls: ["instanceConfigs.update interfaces", "instances.reboot"],
          read: (id) => config(id)?.interfaces,
        },
        {
          before: { interfaces: [vlan] },
          to: [],
          calls: ["instanceConfigs.update interfaces", "instances.reboot"],
          read: (id) => config(id)?.interfaces,
        },
      ],
      booted: [
        { to: false, calls: ["instances.shutdown"], read: booted },
        { before: { booted: false }, to: true, calls: ["instances.boot"], read: booted },
      ],
      region: [
        { to: "eu-west" },
        { before: { regionChange: "migrate" }, to: "eu-west", calls: ["instances.migrate region"] },
      ],
      regionChange: { to: "migrate" },
      backupId: { before: { ...notDeployed, backupId: one.backup }, to: other.backup },
      cloneFrom: { before: { ...notDeployed, cloneFrom: one.id }, to: other.id },
      cloneDisks: { before: { ...notDeployed, cloneFrom: one.id, cloneDisks: [] }, to: [one.disk] },
      cloneConfigs: { before: { ...notDeployed, cloneFrom: one.id, cloneConfigs: [] }, to: [one.config] },
      rescue: [
        { to: { devices: {} }, calls: ["instances.rescue devices"], read: rescue },
        { before: { rescue: {} }, to: null, calls: ["instances.reboot"], read: rescue },
      ],
      image: { to: "compute/ubuntu22.04" },
      stackscriptId: { before: data, to: 8, read: () => 8 },
      stackscriptData: { before: data, to: { domain_name: "example.com" } },
      authorizedKeys: [
        { to: ["ssh-ed25519 AAAA b@example.org"] },
        { before: { authorizedKeys: ["ssh-ed25519 AAAA"] }, to: [] },
      ],
      authorizedUsers: { to: ["emulator"] },
      swapSize: { to: 256 },
      allowReboot: { to: false },
      resizeDisks: { to: false },
    },
    // Whether the instance is on is managed only if the program declares it.
    adopted: ["booted"],
    changeUnmanaged: (id) =>
      world.instances.patch(id, {
        backups: { ...world.instances.get(id).backups, last_successful: world.clock.time() },
      }),
  };
};

/** Creates an instance with a disk, a configuration profile and a snapshot. */
async function deployed({ api, emulator }: Cloud, label: string) {
  const { id } = await api.instances.create({
    body: { label, region: "us-southeast", type: "g6-nanode-1", image: "compute/debian11", root_pass: rootPass },
  });
  const path = { computeId: id };
  await api.instanceBackups.enable({ path });
  emulator.settle();
  const backup = await api.instanceBackups.snapshot({ path, body: { label: "before" } });
  emulator.settle();
  const [disks, configs] = [await api.instanceDisks.list({ path }), await api.instanceConfigs.list({ path })];
  return { id, backup: backup.id, disk: disks.data[0]?.id as number, config: configs.data[0]?.id as number };
}

/**
 * The password of `passwords` that is the root password of the instance. Compares digests, because the emulator stores
 * only a salted digest.
 */
function passwordOf(world: Cloud["world"], id: number, passwords: string[]): string | undefined {
  const [salt, digest] =
    world.disks
      .by("compute_id", id)
      .find(({ root_pass }) => root_pass)
      ?.root_pass?.split("$") ?? [];
  return passwords.find((password) => createHash("sha256").update(`${salt}${password}`).digest("hex") === digest);
}

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: {
      tags: ["prod", "web"],
      alerts: { cpu: 50, io: 9000 },
      interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "net", ipamAddress: "10.0.0.1/24" }],
      swapSize: 256,
    },
    equivalent: {
      tags: tags(["prod", "web"]),
      alerts: fc.record({ io: number(9000), cpu: number(50) }),
      interfaces: fc.tuple(
        fc.record({
          purpose: fc.constant("public"),
          label: fc.constantFrom("", null),
          ipamAddress: fc.constantFrom("", null),
        }),
        fc.record(constants({ label: "net", purpose: "vlan", ipamAddress: "10.0.0.1/24" })),
      ),
      swapSize: number(256),
      allowReboot: fc.constantFrom(true, undefined),
    },
  },
];

export const exampleEdit: ExampleEdit<"Instance"> = { alerts: { cpu: 70 } };

export const templates: Templates = {
  Instance: {
    skip: ["backupId", "cloneFrom", "cloneDisks", "cloneConfigs", "allowReboot", "privateIp"],
    onlyIfUnused: ["region", "tags", "booted", "rescue", "backupsEnabled", "backups", "interfaces"],
    irreversible: ["type"],
    // With a private address, for the backends of load balancers.
    inputs: (_, { edited: value }) => ({ privateIp: true, backupsEnabled: value.backupsEnabled ?? true }),
  },
  /** An instance without an image. Its disks and configs are separate resources. */
  EmptyInstance: {
    skip: [
      ...["backupId", "cloneFrom", "cloneDisks", "cloneConfigs", "allowReboot", "rootPass", "image", "stackscriptId"],
      ...["stackscriptData", "swapSize", "authorizedKeys", "authorizedUsers", "config", "interfaces", "rescue"],
      ...["booted", "type", "backups", "backupsEnabled", "privateIp"],
    ],
    onlyIfUnused: ["region"],
    inputs: () => ({ image: undefined, rootPass: undefined }),
  },
};
