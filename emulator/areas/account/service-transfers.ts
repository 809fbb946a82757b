import type { serviceTransfers } from "../../../api";
import type { Handlers } from "../../http/handlers";
import { handlers as entityTransfers } from "./entity-transfers";

/** Another name of the same transfers. */
export const handlers: Handlers<typeof serviceTransfers> = {
  list: entityTransfers.list,
  create: entityTransfers.create,
};
