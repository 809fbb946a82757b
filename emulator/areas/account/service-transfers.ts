import type { AreaModule } from "../../http/handlers";
import { entityTransfers } from "./entity-transfers";

/** Service transfers are entity transfers under another path, so both use the same handlers. */
export const serviceTransfers: AreaModule<"serviceTransfers"> = {
  handlers: {
    list: entityTransfers.handlers.list,
    create: entityTransfers.handlers.create,
  },
};
