import { Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";
import { EntityTransfer, TransferCreate, transferConditions, transfersListed } from "./entity-transfers";

const path = "/account/service-transfers";
const source = "part 3 · Endpoints · Account and billing";

/**
 * Service transfers are entity transfers under a newer name. The API documentation describes only two operations under
 * this name.
 */
export const serviceTransfers = {
  list: {
    summary: "List the transfers that the account has created or accepted.",
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
    summary: "Create a transfer of instances. Any account with the token of the transfer can accept it.",
    method: "POST",
    path,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: TransferCreate,
    result: EntityTransfer,
    event: "entity_transfer_create",
    decided: [
      ...transferConditions,
      "To view, cancel or accept a service transfer, use `/account/entity-transfers/{token}`.",
    ],
    source,
  },
} satisfies Area;
