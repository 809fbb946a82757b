import fc from "fast-check";
import { tags } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import type { Templates } from "../template";

export const effects: Effects<"NodeBalancer"> = {
  region: "replace",
  label: ["nodeBalancers.update"],
  clientConnThrottle: ["nodeBalancers.update"],
  tags: ["nodeBalancers.update"],
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"NodeBalancer"> = async ({ world }) => ({
  base: { label: "front", region: "us-east", tags: ["web"] },
  changes: {
    label: { to: "front_2" },
    region: { to: "eu-west" },
    clientConnThrottle: [{ to: 20 }, { before: { clientConnThrottle: 20 }, to: 0 }],
    tags: [{ to: ["prod", "web"] }, { before: { tags: ["prod"] }, to: [] }],
  },
  changeUnmanaged: (id) => world.nodeBalancers.patch(id, {}),
});

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: { tags: ["prod", "web"], clientConnThrottle: 0 },
    equivalent: { tags: tags(["prod", "web"]), clientConnThrottle: fc.constantFrom(0, "0", undefined) },
  },
];

export const exampleEdit: ExampleEdit<"NodeBalancer"> = { clientConnThrottle: 5 };

export const templates: Templates = { NodeBalancer: { onlyIfUnused: ["region"] } };
