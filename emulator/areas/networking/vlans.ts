import type { AreaModule } from "../../http/handlers";

export const vlans: AreaModule<"vlans"> = {
  handlers: {
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
  },
};
