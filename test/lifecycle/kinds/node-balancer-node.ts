import fc from "fast-check";
import { cased, number } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { first, isPrivate, type Templates } from "../template";
import { backend } from "./needs";

export const effects: Effects<"NodeBalancerNode"> = {
  nodebalancerId: "replace",
  configId: "replace",
  label: ["nodeBalancerNodes.update"],
  address: ["nodeBalancerNodes.update"],
  weight: ["nodeBalancerNodes.update"],
  mode: ["nodeBalancerNodes.update"],
};

export const found: Found = { by: "operation", within: "NodeBalancerConfig" };

export const fixture: CreateFixture<"NodeBalancerNode"> = async (cloud) => {
  const { api, world } = cloud;
  const [web, sql] = [await backend(cloud, "web"), await backend(cloud, "sql")];
  const listening = async (label: string, port: number) => {
    const { id: nodeBalancerId } = await api.nodeBalancers.create({ body: { label, region: "us-east" } });
    const { id: configId } = await api.nodeBalancerConfigs.create({ path: { nodeBalancerId }, body: { port } });
    return { nodebalancerId: nodeBalancerId, configId };
  };
  const [one, other] = [await listening("one", 80), await listening("other", 80)];
  const more = await api.nodeBalancerConfigs.create({
    path: { nodeBalancerId: one.nodebalancerId },
    body: { port: 81 },
  });
  return {
    base: { ...one, label: "web", address: `${web.ip}:8080` },
    changes: {
      nodebalancerId: { to: other.nodebalancerId, along: { configId: other.configId } },
      configId: { to: more.id },
      label: { to: "web.1" },
      address: [{ to: `${sql.ip}:8080` }, { to: `${web.ip}:8081` }, { to: web.ip }],
      weight: { to: 10 },
      mode: [{ to: "drain" }, { before: { mode: "reject" }, to: "backup" }],
    },
    /** Changes only the time of the last update in the emulator's table. This must not be reported as drift. */
    changeUnmanaged: (id) => world.nodeBalancerNodes.patch(id, {}),
  };
};

export const equivalentValues: EquivalentValues = ({ nodebalancerId, configId }) => [
  {
    inputs: { weight: 50, mode: "accept" },
    equivalent: {
      nodebalancerId: number(nodebalancerId as number),
      // A program can set `configId` to the number, or to the id of a `NodeBalancerConfig` resource, which has the form
      // "12/34".
      configId: fc.oneof(number(configId as number), fc.constant(`${nodebalancerId}/${configId}`)),
      weight: fc.constantFrom(50, "50", undefined),
      mode: fc.oneof(cased("accept"), fc.constant(undefined)),
    },
  },
];

export const exampleEdit: ExampleEdit<"NodeBalancerNode"> = { weight: 30 };

export const templates: Templates = {
  NodeBalancerNode: {
    needs: { config: "NodeBalancerConfig", machine: "Instance" },
    skip: ["nodebalancerId", "configId", "address"],
    inputs({ config = {}, machine }, { nth }) {
      const address = first(machine, "ipv4", isPrivate);
      const isKnown = Array.isArray(machine?.ipv4);
      return {
        nodebalancerId: config.nodebalancerId,
        configId: config.id,
        address: isKnown ? `${address}:${8000 + nth}` : address,
      };
    },
  },
};
