import { z } from "zod";
import { Created, Empty, Id, Paging, page, Time, Updated } from "../schema/common";
import type { Area } from "../schema/operation";

export type EntityTransfer = z.output<typeof EntityTransfer>;
/** A transfer of instances to another account. */
export const EntityTransfer = z.strictObject({
  token: z.uuid().meta({ secret: true }).describe("Token with which the receiving account accepts the transfer."),
  status: z
    .enum(["accepted", "cancelled", "completed", "failed", "pending", "stale"])
    .meta({ filterable: true })
    .describe("Status of the transfer. `stale` means that it was not accepted in time."),
  is_sender: z.boolean().meta({ filterable: true }).describe("Whether this account is the sender."),
  expiry: Time.describe("Expiry time of the transfer in UTC."),
  entities: z
    .strictObject({ computes: z.array(Id).describe("Ids of the transferred instances.") })
    .describe("Transferred objects."),
  created: Created,
  updated: Updated,
});

export type TransferCreate = z.output<typeof TransferCreate>;
export const TransferCreate = z.strictObject({
  entities: z
    .strictObject({
      computes: z
        .array(Id)
        .min(1)
        .refine((ids) => new Set(ids).size === ids.length, "must not list an instance twice")
        .describe("Ids of the instances to transfer."),
    })
    .describe("Objects to transfer. Only instances can be transferred."),
});

/**
 * How requests that create a transfer behave in cases that the API documentation leaves open. The behavior is this
 * project's choice; the generated pages of `entity-transfers` and `service-transfers` list it.
 */
export const transferConditions = [
  "At least one instance is required. No instance can be listed twice.",
  "An instance cannot be transferred while a job runs on it, while another transfer of it is pending or accepted, if it is a cluster node, or while it is used by a firewall, a volume, a VLAN, a load balancer, a managed service or another instance that shares its addresses.",
  "A transfer that is not accepted within 24 hours becomes stale.",
] as const;

/**
 * How the operations that list transfers behave in cases that the API documentation leaves open. The behavior is this
 * project's choice; the generated pages of `entity-transfers` and `service-transfers` list it.
 */
export const transfersListed = [
  "`entity-transfers` and `service-transfers` return the same transfers.",
  "A transfer from another account is listed after this account has accepted it.",
] as const;

const one = "/account/entity-transfers/{token}";
const params = { token: z.uuid("must be the token of a transfer, which is a UUID").meta({ secret: true }) };
const source = "part 3 · Endpoints · Account and billing";

export const entityTransfers = {
  list: {
    summary: "List the transfers that the account has created or accepted.",
    method: "GET",
    path: "/account/entity-transfers",
    scopes: ["account:read_only"],
    grant: "unrestricted",
    query: Paging,
    result: page(EntityTransfer),
    deprecated: true,
    decided: transfersListed,
    source,
  },
  create: {
    summary: "Create a transfer of instances. Any account with the token of the transfer can accept it.",
    method: "POST",
    path: "/account/entity-transfers",
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: TransferCreate,
    result: EntityTransfer,
    event: "entity_transfer_create",
    deprecated: true,
    decided: transferConditions,
    source,
  },
  view: {
    summary: "View a transfer. Any account with the token of the transfer can view it.",
    method: "GET",
    path: one,
    params,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    result: EntityTransfer,
    deprecated: true,
    decided: ["The token is sufficient to view a transfer of another account."],
    source,
  },
  cancel: {
    summary: "Cancel a pending transfer.",
    method: "DELETE",
    path: one,
    params,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: Empty,
    event: "entity_transfer_cancel",
    deprecated: true,
    decided: [
      "Only a pending transfer can be cancelled, and only by the account that created it. It stays in the list as cancelled.",
    ],
    source,
  },
  accept: {
    summary: "Accept a transfer from another account. The transfer then takes up to three hours.",
    method: "POST",
    path: `${one}/accept`,
    params,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: Empty,
    event: "entity_transfer_accept",
    deprecated: true,
    decided: [
      "Only a pending transfer from another account can be accepted.",
      "An instance keeps its id. If its label is already used in the account, a number is appended.",
    ],
    source,
  },
} satisfies Area;
