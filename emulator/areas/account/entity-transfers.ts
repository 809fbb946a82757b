import type { EntityTransfer, EventEntity, TransferCreate } from "../../../api";
import { ErrorResponse, notFound, Reasons } from "../../core/error-response";
import { table } from "../../core/store";
import { task, type World } from "../../core/world";
import { type AreaModule, listed } from "../../http/handlers";
import { removeInstance } from "../compute/instance-removal";
import { addOffered, type Offered, obstacle, requireIdle } from "./transfer-computes";

/** A stored transfer. Entity transfers and service transfers are two names of the API for the same transfers. */
export interface TransferRow extends Omit<EntityTransfer, "entities"> {
  id: number;
  computes: readonly number[];
  /**
   * The instances of another account that are offered to this one. They are added to the table of instances when the
   * transfer completes.
   */
  offered: readonly Offered[];
}

const DAY = 24 * 3600;
const SECONDS_EACH = 600;
/** Maximum time in seconds between the acceptance and the completion of a transfer: three hours. */
const MAX_SECONDS = 3 * 3600;

/** Marks a transfer that was not accepted in time as stale. */
const expired = task<{ id: number }>("transfers.expired", (world, { id }) => {
  const transfer = world.transfers.find(id);
  if (transfer?.status !== "pending") return;
  world.transfers.patch(id, { status: "stale" });
  if (transfer.is_sender) world.events.add("entity_transfer_stale", transferEntity(transfer));
});

/** Runs when an accepted transfer is due: moves all of its instances, or none. */
const moved = task<{ id: number }>("transfers.moved", (world, { id }, outcome) => {
  const transfer = world.transfers.find(id);
  if (!transfer) return;
  const why = outcome === "failed" ? "The instances could not be moved" : blocked(world, transfer);
  if (why) {
    fail(world, transfer, why);
    return;
  }
  if (transfer.is_sender) for (const compute of transfer.computes) removeInstance(world, compute);
  else for (const compute of transfer.offered) addOffered(world, compute);
  world.transfers.patch(id, { status: "completed", offered: [] });
});

export const entityTransfers: AreaModule<"entityTransfers", { transfers: TransferRow }> = {
  tables: { transfers: table<TransferRow>() },
  tasks: [expired, moved],
  handlers: {
    list: ({ world }) => listed(listTransfers(world), transferRecord),

    create({ world, body, emit }) {
      const transfer = offer(world, body);
      // The event's message contains the token, because another account needs the token to accept the transfer.
      emit(transferEntity(transfer), { message: `Transfer token: ${transfer.token}` });
      return transferRecord(transfer);
    },

    view: ({ world, path }) => transferRecord(transferOf(world, path.token)),

    cancel({ world, path, emit }) {
      emit(transferEntity(cancel(world, path.token)));
      return {};
    },

    accept({ world, path }) {
      accept(world, path.token, "this");
      return {};
    },
  },
};

/**
 * Lists the transfers that the account created and those that it received. Received ones are listed only after this
 * account has accepted them.
 */
const listTransfers = (world: World): readonly Readonly<TransferRow>[] =>
  world.transfers.where(({ is_sender, status }) => is_sender || (status !== "pending" && status !== "stale"));

export function transferOf(world: World, token: string): Readonly<TransferRow> {
  const [transfer] = world.transfers.by("token", token.toLowerCase());
  if (!transfer) throw notFound();
  return transfer;
}

/** Creates a transfer that offers instances of this account to other accounts. */
function offer(world: World, { entities: { computes } }: TransferCreate): Readonly<TransferRow> {
  const problems = new Reasons();
  const reserved = underway(world);
  for (const [at, id] of computes.entries()) {
    const field = `entities.computes.${at}`;
    const why = obstacle(world, id);
    if (why) problems.add(why, field);
    else if (reserved.has(id)) problems.add(`Instance ${id} is already part of another transfer`, field);
  }
  requireIdle(world, computes, problems);
  problems.throwIfAny();
  return addTransfer(world, { is_sender: true, computes, offered: [] });
}

/** Creates a transfer in which another account offers instances to this one. */
export const offered = (world: World, computes: readonly Offered[]): Readonly<TransferRow> =>
  addTransfer(world, { is_sender: false, computes: computes.map(({ id }) => id), offered: computes });

function cancel(world: World, token: string): Readonly<TransferRow> {
  const transfer = transferOf(world, token);
  if (!transfer.is_sender)
    throw new ErrorResponse(403, "Unauthorized: only the account that created a transfer can cancel it");
  rejectSettled(transfer, "cancelled");
  return world.transfers.patch(transfer.id, { status: "cancelled" });
}

/**
 * Accepts a transfer: either this account accepts the offer of another account, or another account accepts the offer of
 * this one.
 */
export function accept(world: World, token: string, by: "this" | "another"): void {
  const transfer = transferOf(world, token);
  if (transfer.is_sender === (by === "this"))
    throw new ErrorResponse(400, "A transfer cannot be accepted by the account that created it");
  rejectSettled(transfer, "accepted");
  const why = blocked(world, transfer);
  if (why) {
    fail(world, transfer, why);
    return;
  }
  world.transfers.patch(transfer.id, { status: "accepted" });
  world.jobs.start({
    entity: transferEntity(transfer),
    action: "entity_transfer_accept",
    seconds: Math.min(MAX_SECONDS, SECONDS_EACH * transfer.computes.length),
    task: moved,
    args: { id: transfer.id },
  });
}

export const transferRecord = ({ computes, ...row }: Readonly<TransferRow>): EntityTransfer => ({
  ...row,
  entities: { computes: [...computes] },
});

/**
 * The reference to a transfer in events. Events require a numeric id, so `id` is the row's id, not the UUID that the
 * API uses.
 */
const transferEntity = ({ id, token }: Readonly<TransferRow>): EventEntity<"entity_transfer"> => ({
  id,
  label: token,
  type: "entity_transfer",
  url: `/v4/account/entity-transfers/${token}`,
});

function addTransfer(
  world: World,
  what: Pick<TransferRow, "is_sender" | "computes" | "offered">,
): Readonly<TransferRow> {
  const expiry = world.clock.time(world.clock.now() + world.clock.takes(DAY));
  const transfer = world.transfers.insert({ ...what, token: world.random.uuid(), status: "pending", expiry });
  world.later(expired, { id: transfer.id }, DAY, { background: true });
  return transfer;
}

/** The instances of this account that are part of a pending or accepted transfer. */
const underway = (world: World): ReadonlySet<number> =>
  new Set(
    (["pending", "accepted"] as const).flatMap((status) =>
      world.transfers.by("status", status).flatMap(({ is_sender, computes }) => (is_sender ? computes : [])),
    ),
  );

/**
 * The reason why an offered instance cannot be transferred any more, for example because it was deleted after the
 * offer.
 */
const blocked = (world: World, { is_sender, computes }: Readonly<TransferRow>): string | undefined =>
  is_sender ? computes.map((id) => obstacle(world, id)).find((why) => why !== undefined) : undefined;

function fail(world: World, transfer: Readonly<TransferRow>, message: string): void {
  world.transfers.patch(transfer.id, { status: "failed", offered: [] });
  world.events.add("entity_transfer_fail", transferEntity(transfer), { message });
}

function rejectSettled({ status }: Readonly<TransferRow>, done: "accepted" | "cancelled"): void {
  if (status !== "pending")
    throw new ErrorResponse(400, `The transfer is ${status}; only a pending one can be ${done}`);
}
