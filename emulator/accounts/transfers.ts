import { entityTransfers, instances, serviceTransfers } from "../../api";
import type { Plan } from "./account";

export const plan: Plan = {
  async small({ call, settle }) {
    // Machines of their own, since what is offered is locked.
    for (const operation of [entityTransfers.create, serviceTransfers.create]) {
      const { id } = await call(instances.create, { body: { region: "us-west", type: "g6-nanode-1" } });
      settle();
      await call(operation, { body: { entities: { computes: [id] } } });
    }
  },
};
