import { createHash } from "node:crypto";
import type { Cloud } from "../../../testing/cloud";
import type { Fixture } from "../fixture";

const rootPass = "correct horse 1";
const data = { stackscriptId: 7, stackscriptData: { domain_name: "example.org" } };
const vlan = { purpose: "vlan", label: "backend", ipamAddress: "10.0.0.1/24" } as const;

export const instance: Fixture<"Instance"> = async ({ api, world }) => {
  const view = (computeId: number) => api.instances.view({ path: { computeId } });
  const isPrivate = (address: string) => address.startsWith("192.168.");
  const config = (id: number) => world.instanceConfigs.by("compute_id", id)[0];
  const backupsEnabled = async (id: number) => (await view(id)).backups.enabled;
  const privateIp = async (id: number) => (await view(id)).ipv4.some(isPrivate);
  const booted = async (id: number) => (await view(id)).status === "running";
  return {
    base: { label: "web", region: "us-southeast", type: "g6-standard-1", image: "compute/debian11", rootPass },
    changes: {
      label: { to: "web-2" },
      group: { to: "web" },
      tags: [{ to: ["prod", "web"] }, { given: { tags: ["prod"] }, to: [] }],
      alerts: [{ to: { cpu: 50, networkIn: 20 } }, { given: { alerts: { cpu: 50 } }, to: { cpu: 60 } }],
      backups: { given: { backupsEnabled: true }, to: { schedule: { day: "Sunday", window: "W4" } } },
      watchdogEnabled: [{ to: false }, { given: { watchdogEnabled: false }, to: true }],
      backupsEnabled: [
        { to: true, calls: ["instanceBackups.enable"], shown: backupsEnabled },
        { given: { backupsEnabled: true }, to: false, calls: ["instanceBackups.cancel"], shown: backupsEnabled },
      ],
      privateIp: [
        { to: true, calls: ["instanceAddresses.allocate public type"], shown: privateIp },
        { given: { privateIp: true }, to: false, calls: ["instanceAddresses.delete"], shown: privateIp },
      ],
      type: { to: "g6-standard-2", calls: ["instances.resize allow_auto_disk_resize type"] },
      rootPass: {
        to: "battery staple 2",
        calls: ["instances.shutdown", "instances.resetPassword root_pass", "instances.boot"],
        shown: (id) => passwordOf(world, id, [rootPass, "battery staple 2"]),
      },
      config: {
        to: { kernel: "compute/grub2", helpers: { network: false } },
        calls: ["instanceConfigs.update helpers kernel", "instances.reboot"],
        shown: config,
      },
      interfaces: [
        {
          to: [{ purpose: "public" }, vlan],
          calls: ["instanceConfigs.update interfaces", "instances.reboot"],
          shown: (id) => config(id)?.interfaces,
        },
        {
          given: { interfaces: [vlan] },
          to: [],
          calls: ["instanceConfigs.update interfaces", "instances.reboot"],
          shown: (id) => config(id)?.interfaces,
        },
      ],
      booted: [
        { to: false, calls: ["instances.shutdown"], shown: booted },
        { given: { booted: false }, to: true, calls: ["instances.boot"], shown: booted },
      ],
      region: { to: "eu-west" },
      image: { to: "compute/ubuntu22.04" },
      stackscriptId: { given: data, to: 8, shown: () => 8 },
      stackscriptData: { given: data, to: { domain_name: "example.com" } },
      authorizedKeys: [
        { to: ["ssh-ed25519 AAAA b@example.org"] },
        { given: { authorizedKeys: ["ssh-ed25519 AAAA"] }, to: [] },
      ],
      authorizedUsers: { to: ["emulator"] },
      swapSize: { to: 256 },
      allowReboot: { to: false },
      resizeDisks: { to: false },
    },
    stir: (id) =>
      world.instances.patch(id, {
        backups: { ...world.instances.get(id).backups, last_successful: world.clock.time() },
      }),
  };
};

/** Which of the passwords is the root password: the emulator keeps a salted digest of it. */
function passwordOf(world: Cloud["world"], id: number, passwords: string[]): string | undefined {
  const [salt, digest] =
    world.disks
      .by("compute_id", id)
      .find(({ root_pass }) => root_pass)
      ?.root_pass?.split("$") ?? [];
  return passwords.find((password) => createHash("sha256").update(`${salt}${password}`).digest("hex") === digest);
}
