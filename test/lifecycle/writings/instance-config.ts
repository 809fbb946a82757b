import fc from "fast-check";
import { constants, number } from "../spellings";
import type { Writings } from "./writing";

export const instanceConfig: Writings = ({ computeId, devices }) => {
  const { diskId } = (devices as { sda: { diskId: number } }).sda;
  return [
    {
      as: {
        devices: { sda: { diskId }, sdh: {} },
        interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "net", ipamAddress: "10.0.0.1/24" }],
        memoryLimit: 1024,
        helpers: { distro: false, network: true },
      },
      or: {
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
