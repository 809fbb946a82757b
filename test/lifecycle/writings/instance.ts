import fc from "fast-check";
import { constants, number, tags } from "../spellings";
import type { Writings } from "./writing";

export const instance: Writings = () => [
  {
    as: {
      tags: ["prod", "web"],
      alerts: { cpu: 50, io: 9000 },
      interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "net", ipamAddress: "10.0.0.1/24" }],
      swapSize: 256,
    },
    or: {
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
