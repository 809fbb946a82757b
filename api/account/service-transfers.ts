import { Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";
import { EntityTransfer, TransferCreate, transferConditions, transfersListed } from "./entity-transfers";

const path = "/account/service-transfers";
const source = "part 3 · Endpoints · Account and billing";

/** The later name of entity transfers; only these two operations of it are described. */
export const serviceTransfers = {
  list: {
    summary: "List the transfers that the account has made or accepted.",
    method: "GET",
    path,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(EntityTransfer),
    decided: transfersListed,
    source,
  },
  create: {
    summary: "Offer instances to whichever account gets the transfer's token.",
    method: "POST",
    path,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: TransferCreate,
    result: EntityTransfer,
    event: "entity_transfer_create",
    decided: [
      ...transferConditions,
      "View, cancel and accept a service transfer under `/account/entity-transfers/{token}`.",
    ],
    source,
  },
} satisfies Area;
