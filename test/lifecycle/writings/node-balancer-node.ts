import fc from "fast-check";
import { cased, number } from "../spellings";
import type { Writings } from "./writing";

export const nodeBalancerNode: Writings = ({ nodebalancerId, configId }) => [
  {
    as: { weight: 50, mode: "accept" },
    or: {
      nodebalancerId: number(nodebalancerId as number),
      // The id of the config's resource names its balancer as well.
      configId: fc.oneof(number(configId as number), fc.constant(`${nodebalancerId}/${configId}`)),
      weight: fc.constantFrom(50, "50", undefined),
      mode: fc.oneof(cased("accept"), fc.constant(undefined)),
    },
  },
];
