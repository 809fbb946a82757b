import { Instance, InstanceConfig, InstanceDisk } from "pulumi-cloudinfra";

const router = new Instance("router", { region: "eu-central", type: "g6-nanode-1", resizeDisks: false });
const system = new InstanceDisk("router-system", {
  computeId: router.id,
  label: "system",
  size: 5120,
  filesystem: "ext4",
});

new InstanceConfig("router", {
  computeId: router.id,
  label: "router",
  kernel: "compute/grub2",
  devices: { sda: { diskId: system.id } },
  interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "backend", ipamAddress: "10.0.0.1/24" }],
});
