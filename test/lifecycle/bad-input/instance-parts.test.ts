import { describe, expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { refusals } from "./refusals";

describe("InstanceDisk", () => {
  const disk = (inputs: Bag) => refusals("InstanceDisk", { computeId: 1, label: "data", size: 1024, ...inputs });

  test("rejects invalid labels, sizes and file systems", async () => {
    expect(await disk({ label: "", size: 0 })).toMatchInlineSnapshot(`
      "size: must be at least 1 (given 0)
      label: must not be empty (given "")"
    `);
    expect(await disk({ label: "a".repeat(49), size: "10 GB" })).toMatchInlineSnapshot(`
      "size: must be a number (given "10 GB")
      label: must be at most 48 characters long (given "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")"
    `);
    expect(await disk({ label: undefined })).toMatchInlineSnapshot(`"label: is required for a disk without an image"`);
    expect(await disk({ filesystem: "zfs", readOnly: true })).toMatchInlineSnapshot(`
      "filesystem: must be "raw", "swap", "ext3", "ext4" or "initrd" (given "zfs")
      ["readOnly"]: is not a known field"
    `);
    expect(await refusals("InstanceDisk", {})).toMatchInlineSnapshot(`
      "size: is required
      computeId: is required
      label: is required for a disk without an image"
    `);
  });

  test("rejects invalid inputs for deploying an image", async () => {
    expect(await disk({ image: "compute/debian12", rootPass: "correct horse" })).toMatchInlineSnapshot(
      `"image: must be "compute/almalinux8", "compute/alpine3.14", "compute/alpine3.15", "compute/arch", "compute/centos7", "compute/debian10", "compute/debian11", "compute/debian9", "compute/fedora35", "compute/opensuse15.3", "compute/rocky8", "compute/slackware14.2", "compute/ubuntu18.04", "compute/ubuntu20.04" or "compute/ubuntu22.04"; did you mean "compute/debian10"? (given "compute/debian12")"`,
    );
    expect(await disk({ image: "compute/debian11" })).toMatchInlineSnapshot(
      `"rootPass: is required to deploy the image compute/debian11"`,
    );
    expect(await disk({ image: "compute/debian11", rootPass: "planted" })).toMatchInlineSnapshot(
      `"["rootPass"]: must contain at least two of lower case letters, upper case letters, digits and other characters (given [secret])"`,
    );
    expect(await disk({ stackscriptId: 1 })).toMatchInlineSnapshot(`"image: is required to run the StackScript 1"`);
  });
});

describe("InstanceConfig", () => {
  const config = (inputs: Bag) => refusals("InstanceConfig", { computeId: 1, label: "main", devices: {}, ...inputs });

  test("rejects invalid names, kernels and limits", async () => {
    expect(await config({ label: "", memoryLimit: -1, rootDevice: "dev sda" })).toMatchInlineSnapshot(`
      "label: must not be empty (given "")
      rootDevice: must be a device path of letters, digits, slashes, underscores and dashes, like /dev/sda (given "dev sda")
      memoryLimit: must be at least 0 (given -1)"
    `);
    expect(await config({ kernel: "compute/grub" })).toMatchInlineSnapshot(
      `"kernel: must be "compute/4.14.120-x86-compute131", "compute/5.10.13-x86_64-compute141", "compute/5.14.17-x86_64-compute150", "compute/5.15.10-x86_64-compute152", "compute/direct-disk", "compute/grub2", "compute/latest-32bit" or "compute/latest-64bit"; did you mean "compute/grub2"? (given "compute/grub")"`,
    );
    expect(await config({ runLevel: "5", virtMode: "kvm", helpers: { net: true } })).toMatchInlineSnapshot(`
      "runLevel: must be "default", "single" or "binbash" (given "5")
      virtMode: must be "paravirt" or "fullvirt" (given "kvm")
      helpers.net: is not a known field"
    `);
    expect(await refusals("InstanceConfig", {})).toMatchInlineSnapshot(`
      "label: is required
      devices: is required
      computeId: is required"
    `);
  });

  test("rejects invalid devices and interfaces", async () => {
    expect(await config({ devices: { sda: { diskId: 1, volumeId: 2 } } })).toMatchInlineSnapshot(
      `"devices.sda: must contain either a disk or a volume, not both (disk 1 and volume 2) (given {"diskId":1,"volumeId":2})"`,
    );
    expect(await config({ devices: { sda: { diskId: 1 }, sdb: { diskId: 1 } } })).toMatchInlineSnapshot(
      `"devices.sdb.diskId: must not be disk 1, which is already in the device slot sda (given 1)"`,
    );
    expect(await config({ devices: { sdz: { diskId: 1 } } })).toMatchInlineSnapshot(
      `"devices.sdz: is not a known field; did you mean "sda"?"`,
    );
    expect(await config({ interfaces: [{ purpose: "vlan" }] })).toMatchInlineSnapshot(
      `"interfaces[0].label: is required for an interface of purpose vlan (given "")"`,
    );
  });
});

describe("InstanceSnapshot", () => {
  test("rejects invalid names and triggers", async () => {
    expect(await refusals("InstanceSnapshot", { computeId: 1, label: "", triggers: "v1" })).toMatchInlineSnapshot(`
      "label: must not be empty (given "")
      triggers: must be a list (given "v1")"
    `);
    expect(await refusals("InstanceSnapshot", {})).toMatchInlineSnapshot(`
      "computeId: is required
      label: is required"
    `);
  });
});
