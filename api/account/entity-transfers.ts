import { z } from "zod";
import { Created, Empty, Id, Paging, page, Time, Updated } from "../schema/common";
import type { Area } from "../schema/operation";

export type EntityTransfer = z.output<typeof EntityTransfer>;
/** Instances that go from one account to another. */
export const EntityTransfer = z.strictObject({
  token: z.uuid().meta({ secret: true }).describe("What the receiving account accepts the transfer with."),
  status: z
    .enum(["accepted", "cancelled", "completed", "failed", "pending", "stale"])
    .meta({ filterable: true })
    .describe("How far the transfer is; a stale one was not accepted in time."),
  is_sender: z.boolean().meta({ filterable: true }).describe("Whether this account gives the instances away."),
  expiry: Time.describe("Until when the transfer can be accepted, in UTC."),
  entities: z.strictObject({ computes: z.array(Id).describe("Ids of the instances.") }),
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
        .refine((ids) => new Set(ids).size === ids.length, "must name each instance once")
        .describe("Ids of the instances to give away."),
    })
    .describe("What to give away; only instances can be transferred."),
});

/** What was chosen for the creation of a transfer, under whichever name it is called. */
export const transferConditions = [
  "At least one instance is named, each once.",
  "An instance can't be offered while a job runs on it, while another transfer of it is pending or accepted, while a firewall, a volume, a VLAN, a load balancer, a managed service or another instance that shares its addresses uses it, or when it is the node of a cluster.",
  "A transfer that nobody accepts within 24 hours becomes stale.",
] as const;

/** What both names of transfers show. */
export const transfersListed = [
  "Both names of transfers show the same ones.",
  "Another account's offer is listed once this account has accepted it.",
] as const;

const one = "/account/entity-transfers/{token}";
const params = { token: z.uuid("must be the token of a transfer, a UUID").meta({ secret: true }) };
const source = "part 3 · Endpoints · Account and billing";

export const entityTransfers = {
  list: {
    summary: "List the transfers that the account has made or accepted.",
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
    summary: "Offer instances to whichever account gets the transfer's token.",
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
    summary: "View a transfer that the account has made, accepted, or been given the token of.",
    method: "GET",
    path: one,
    params,
    scopes: ["account:read_only"],
    grant: "unrestricted",
    result: EntityTransfer,
    deprecated: true,
    decided: ["The token is enough to view another account's offer."],
    source,
  },
  cancel: {
    summary: "Take back an offer that nobody has accepted yet.",
    method: "DELETE",
    path: one,
    params,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: Empty,
    event: "entity_transfer_cancel",
    deprecated: true,
    decided: [
      "Only a pending transfer can be cancelled, and only by the account that made it; it stays in the list, cancelled.",
    ],
    source,
  },
  accept: {
    summary: "Take over the instances that another account offers; it takes up to three hours.",
    method: "POST",
    path: `${one}/accept`,
    params,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: Empty,
    event: "entity_transfer_accept",
    deprecated: true,
    decided: [
      "Only a pending transfer of another account can be accepted.",
      "An instance keeps its id; its label gets a number if one of the account's has it already.",
    ],
    source,
  },
} satisfies Area;
