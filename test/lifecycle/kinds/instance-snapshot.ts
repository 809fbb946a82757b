import type { Fixture } from "../fixture";
import { bootable } from "./needs";

export const instanceSnapshot: Fixture<"InstanceSnapshot"> = async (cloud) => {
  const { api, world } = cloud;
  const [one, other] = [await bootable(cloud, "web", { runs: true }), await bootable(cloud, "sql")];
  for (const { id } of [one, other]) await api.instanceBackups.enable({ path: { computeId: id } });
  return {
    table: "instanceBackups",
    lasting: ["instanceBackups"],
    creation: "instanceBackups.snapshot",
    base: { computeId: one.id, label: "first" },
    changes: {
      computeId: { to: other.id, shown: (id) => world.instanceBackups.get(id).compute_id },
      label: { to: "second" },
      triggers: [
        { to: ["v1"], shown: () => ["v1"] },
        { given: { triggers: ["v1"] }, to: ["v2"], shown: () => ["v2"] },
      ],
    },
    /** Somebody else's snapshot takes its place. */
    remove: (id) =>
      api.instanceBackups.snapshot({ path: { computeId: Number(id.split("/")[0]) }, body: { label: "theirs" } }),
    stir: (id) => world.instanceBackups.patch(id, {}),
  };
};
