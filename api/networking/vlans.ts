import { z } from "zod";
import { Created, Id, Paging, page, RegionId } from "../schema/common";
import type { Area } from "../schema/operation";

export type Vlan = z.output<typeof Vlan>;
/** A private network of a region; it is there as long as an instance is attached to it. */
export const Vlan = z.strictObject({
  label: z.string().meta({ filterable: true }).describe("Name of the network, unique in the region."),
  region: RegionId.meta({ filterable: true }).describe("Region of the network."),
  computes: z.array(Id).describe("Instances that are attached to it."),
  created: Created,
});

export const vlans = {
  list: {
    summary: "List the private networks that instances are attached to.",
    method: "GET",
    path: "/networking/vlans",
    beta: true,
    scopes: ["computes:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Vlan),
    decided: [
      "A VLAN is made when the first instance boots with it, and is gone when the last one is detached.",
      "Restricted users see the VLANs of the instances that they may see, and only those instances in them.",
    ],
    source: "part 3 · Endpoints · IP addresses and VLANs",
  },
} satisfies Area;
