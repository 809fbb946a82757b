import { addRange } from "../../../emulator/areas/networking/ipv6";
import type { Fixture } from "../fixture";
import { instance } from "./needs";

export const ipv6Range: Fixture<"Ipv6Range"> = async (cloud) => {
  const { api, world } = cloud;
  const [web, db] = [await instance(cloud, "web"), await instance(cloud, "sql")];
  const range = (id: number) => addRange(world, world.instances.get(id));
  const [one, other] = [range(web.id), range(db.id)];
  return {
    base: { range: one.range },
    changes: {
      range: { to: other.range },
      computeId: { to: web.id, shown: () => world.ipv6Ranges.get(one.id).compute_id },
    },
    table: null,
    creation: "ipv6.ranges",
    remove: null,
    stir: () =>
      api.instances.update({ path: { computeId: web.id }, body: { label: `web${world.clock.now()}`.slice(0, 32) } }),
  };
};
