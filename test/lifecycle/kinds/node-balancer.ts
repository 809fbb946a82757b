import type { Fixture } from "../fixture";

export const nodeBalancer: Fixture<"NodeBalancer"> = async ({ world }) => ({
  base: { label: "front", region: "us-east", tags: ["web"] },
  changes: {
    label: { to: "front_2" },
    region: { to: "eu-west" },
    clientConnThrottle: [{ to: 20 }, { given: { clientConnThrottle: 20 }, to: 0 }],
    tags: [{ to: ["prod", "web"] }, { given: { tags: ["prod"] }, to: [] }],
  },
  stir: (id) => world.nodeBalancers.patch(id, {}),
});
