import type { vlans } from "../../../api";
import type { Handlers } from "../../http/handlers";

export const handlers: Handlers<typeof vlans> = {
  list: ({ world, caller }) =>
    world.vlans
      .all()
      .map(({ id, ...vlan }) => ({
        ...vlan,
        computes: world.vlanAttachments
          .by("vlan_id", id)
          .map(({ compute_id }) => compute_id)
          .filter((compute) => caller.may("compute", compute, "read_only")),
      }))
      .filter(({ computes }) => computes.length > 0),
};
