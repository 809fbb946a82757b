import type { AreaModule } from "../../http/handlers";
import { entityTransfers } from "./entity-transfers";

/** The operations for service transfers: the same transfers as entity transfers, under another path. */
export const serviceTransfers: AreaModule<"serviceTransfers"> = {
  handlers: {
    list: entityTransfers.handlers.list,
    create: entityTransfers.handlers.create,
  },
};
