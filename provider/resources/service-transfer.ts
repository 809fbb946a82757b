import { createHash } from "node:crypto";
import { z } from "zod";
import { asSet, EntityTransfer, TransferCreate } from "../../api";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";

/**
 * The resource's id: a digest of the transfer's token. The token itself cannot be the id, because it is secret and
 * Pulumi does not encrypt ids.
 */
const transferId = (token: string): string => createHash("sha256").update(token).digest("hex").slice(0, 20);

export const serviceTransfer = resource({
  name: "ServiceTransfer",
  summary:
    "Creates a transfer of instances to another account. Any account with the token of the transfer can accept it within 24 hours. Once it is accepted, and before the next update or refresh, remove the transfer and its instances from the program and the state: otherwise, an update creates the instances again and offers them again. Until you remove it, an accepted transfer stays in the state. A transfer that was cancelled, failed or expired no longer exists.",
  inputs: TransferCreate,
  outputs: EntityTransfer,
  identity: {
    area: "serviceTransfers",
    lookup: {
      path: z.strictObject({ transferId: z.string().min(1) }),
      async get({ api, path, state }) {
        // The service deletes a completed transfer after a while. The resource then keeps its state: if the transfer
        // were considered deleted, the next update would try to transfer the instances again.
        if (state.status === "completed") return state;
        const transfer = await transferOf(api, path);
        return transfer && !/^(cancelled|failed|stale)$/.test(transfer.status) ? transfer : undefined;
      },
    },
    listed: ({ token }) => ({ transferId: transferId(token) }),
    lostCreate: {
      match: ["entities"],
      async candidates({ api }) {
        const transfers = await Array.fromAsync(transfersOf(api));
        return transfers.map(({ token }) => ({ transferId: transferId(token) }));
      },
    },
  },
  inventory: {
    file: "account",
    list: "byId",
    title: "id",
    omissionReason: "a transfer is an offer that ends when it is accepted or expires",
    refersTo: { computes: "instances" },
  },
  fields: {
    entities: { change: "replace", canonical: ({ computes }) => ({ computes: asSet(computes) }) },
  },
  readiness: {
    // A pending transfer is considered ready. Updates do not wait until the other account accepts it, because that can
    // take a day or never happen.
    byStatus: {
      pending: "ready",
      accepted: "ready",
      completed: "ready",
      cancelled: "failed",
      failed: "failed",
      stale: "failed",
    },
  },
  async create({ api, want }) {
    const { token } = await api.serviceTransfers.create({ body: want });
    return { transferId: transferId(token) };
  },
  delete: {
    async run({ api, path, observe }) {
      const { status, token } = (await observe()) ?? {};
      if (status !== "pending" || token === undefined) return;
      try {
        await api.entityTransfers.cancel({ path: { token } });
      } catch (error) {
        // The error is ignored if the transfer was accepted or cancelled meanwhile.
        if ((await transferOf(api, path))?.status === "pending") throw error;
      }
    },
    retained: {
      note: "Deleting the resource cancels a pending transfer. An accepted transfer cannot be cancelled and is unchanged.",
    },
    // An instance can be in only one transfer at a time, so the old transfer is cancelled first.
    replaceOrder: "deleteFirst",
  },
});

/** The service transfers that this account has created. The API has no operation that returns a single transfer. */
const transfersOf = (api: Host["api"]): AsyncIterable<EntityTransfer> =>
  api.serviceTransfers.list.all({}, { filter: { is_sender: true } });

/** The transfer with this id. In state of earlier versions, the id is the token. */
async function transferOf(
  api: Host["api"],
  { transferId: id }: { transferId: string },
): Promise<EntityTransfer | undefined> {
  for await (const transfer of transfersOf(api))
    if (transferId(transfer.token) === id || transfer.token === id) return transfer;
  return undefined;
}
