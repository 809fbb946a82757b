import { createHash } from "node:crypto";
import fc from "fast-check";
import { number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { bootable } from "./needs";

const image = { image: "compute/debian11", rootPass: "correct horse 1" };
const script = { stackscriptId: 7, stackscriptData: { domain_name: "example.org" } };

export const effects: Effects<"InstanceDisk"> = {
  computeId: "replace",
  filesystem: "replace",
  image: "replace",
  stackscriptId: "replace",
  label: ["instanceDisks.update"],
  size: ["instanceDisks.resize", "instances.boot", "instances.shutdown"],
  rootPass: ["instanceDisks.resetPassword", "instances.boot", "instances.shutdown"],
  authorizedKeys: "write-only",
  authorizedUsers: "write-only",
  stackscriptData: "write-only",
  allowReboot: "local",
};

export const found: Found = { by: "operation", within: "Instance" };

export const fixture: CreateFixture<"InstanceDisk"> = async (cloud) => {
  const { api, emulator, world } = cloud;
  const [off, on] = [await bootable(cloud, "sql"), await bootable(cloud, "web", { runs: true })];
  const around = (call: string) => ["instances.shutdown", call, "instances.boot"];
  const resize = "instanceDisks.resize size";
  const password = "instanceDisks.resetPassword password";
  const passwordOf = (id: number) => {
    const [salt, digest] = world.disks.get(id).root_pass?.split("$") ?? [];
    const isIt = (one: string) => createHash("sha256").update(`${salt}${one}`).digest("hex") === digest;
    return ["correct horse 1", "battery staple 2"].find(isIt);
  };
  return {
    table: "disks",
    base: { computeId: on.id, label: "data", size: 5120, ...image },
    changes: {
      computeId: { to: off.id, read: (id) => world.disks.get(id).compute_id },
      label: { to: "logs" },
      size: [
        { to: 6144, calls: around(resize) },
        { to: 4096, calls: around(resize) },
      ],
      filesystem: { to: "raw" },
      image: { to: "compute/ubuntu22.04", read: () => "compute/ubuntu22.04" },
      rootPass: { to: "battery staple 2", calls: around(password), read: passwordOf },
      stackscriptId: { before: script, to: 8, read: () => 8 },
      stackscriptData: { before: script, to: { domain_name: "example.com" } },
      authorizedKeys: { to: ["ssh-ed25519 AAAA b@example.org"] },
      authorizedUsers: { to: ["emulator"] },
      allowReboot: { to: false },
    },
    async remove(id) {
      const [computeId, diskId] = id.split("/").map(Number) as [number, number];
      await api.instances.shutdown({ path: { computeId } });
      emulator.settle();
      await api.instanceDisks.delete({ path: { computeId, diskId } });
    },
    changeUnmanaged: (id) => world.disks.patch(id, {}),
  };
};

export const equivalentValues: EquivalentValues = ({ computeId, size }) => [
  {
    inputs: {},
    equivalent: {
      computeId: number(computeId as number),
      size: number(size as number),
      filesystem: fc.constantFrom("ext4", undefined),
      allowReboot: fc.constantFrom(true, undefined),
    },
  },
];

export const exampleEdit: ExampleEdit<"InstanceDisk"> = { size: 6144 };

export const templates: Templates = {
  InstanceDisk: {
    needs: { machine: "EmptyInstance" },
    skip: ["computeId", "allowReboot"],
    inputs: (roles) => ({ computeId: id(roles, "machine") }),
  },
};
