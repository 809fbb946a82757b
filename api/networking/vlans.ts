import { z } from "zod";
import { Created, Id, Paging, page, RegionId } from "../schema/common";
import type { Area } from "../schema/operation";

export type Vlan = z.output<typeof Vlan>;
/** A private network of a region. It exists as long as an instance is attached to it. */
export const Vlan = z.strictObject({
  label: z.string().meta({ filterable: true }).describe("Label of the VLAN. Must be unique in the region."),
  region: RegionId.meta({ filterable: true }).describe("Region of the VLAN."),
  computes: z.array(Id).describe("Ids of the attached instances."),
  created: Created,
});

export const vlans = {
  list: {
    summary: "List the VLANs to which at least one instance is attached.",
    method: "GET",
    path: "/networking/vlans",
    beta: true,
    scopes: ["computes:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Vlan),
    decided: [
      "A VLAN is created when the first instance boots with it and deleted when the last one is detached.",
      "Restricted users see the VLANs of the instances that they have access to, and only those instances in them.",
    ],
    source: "part 3 · Endpoints · IP addresses and VLANs",
  },
} satisfies Area;
