import { Instance, InstanceDisk } from "pulumi-cloudinfra";

// An instance without an image has no disks of its own.
const builder = new Instance("builder", { region: "eu-central", type: "g6-nanode-1", resizeDisks: false });

const scratch = new InstanceDisk("scratch", {
  computeId: builder.id,
  label: "scratch",
  size: 5120,
  filesystem: "ext4",
});

export const size = scratch.size;
