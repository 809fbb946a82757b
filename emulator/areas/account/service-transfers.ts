import type { AreaModule } from "../../http/handlers";
import { entityTransfers } from "./entity-transfers";

/** Another name of the same transfers. */
export const serviceTransfers: AreaModule<"serviceTransfers"> = {
  handlers: {
    list: entityTransfers.handlers.list,
    create: entityTransfers.handlers.create,
  },
};
