import type { AreaModule } from "../../http/handlers";
import { entityTransfers } from "./entity-transfers";

/** The operations for service transfers. They return the same transfers as the operations for entity transfers. */
export const serviceTransfers: AreaModule<"serviceTransfers"> = {
  handlers: {
    list: entityTransfers.handlers.list,
    create: entityTransfers.handlers.create,
  },
};
