import { createHash } from "node:crypto";
import { z } from "zod";
import { asSet, EntityTransfer, TransferCreate } from "../../api";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";

/** The token allows accepting the transfer, and Pulumi never encrypts ids. So the id is a digest of the token. */
const transferId = (token: string): string => createHash("sha256").update(token).digest("hex").slice(0, 20);

export const serviceTransfer = resource({
  name: "ServiceTransfer",
  summary:
    "Creates a transfer of instances to another account. Any account that has its token can accept it. An accepted transfer stays in the state unchanged. A transfer that was cancelled, failed or expired no longer exists.",
  source: "part 3 · Endpoints · Account and billing",
  inputs: TransferCreate,
  outputs: EntityTransfer,
  identity: {
    area: "serviceTransfers",
    lookup: {
      path: z.strictObject({ transferId: z.string().min(1) }),
      async get({ api, path, state }) {
        // The service may delete a completed transfer, and transferring instances again that have moved would fail.
        if (state.status === "completed") return state;
        const transfer = await transferOf(api, path);
        return transfer && !/^(cancelled|failed|stale)$/.test(transfer.status) ? transfer : undefined;
      },
    },
    lostCreate: {
      match: ["entities"],
      async candidates({ api }) {
        const transfers = await Array.fromAsync(transfersOf(api));
        return transfers.map(({ token }) => ({ transferId: transferId(token) }));
      },
    },
  },
  fields: {
    entities: { change: "replace", canonical: ({ computes }) => ({ computes: asSet(computes) }) },
  },
  readiness: {
    // A pending transfer is ready: the other account has a day to accept it, and may never do so.
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
        // Accepted or cancelled in the meantime: there is no transfer to cancel.
        if ((await transferOf(api, path))?.status === "pending") throw error;
      }
    },
    kept: {
      note: "Deleting the resource cancels a pending transfer. An accepted transfer cannot be cancelled and is unchanged.",
    },
    // An instance can be in only one transfer at a time.
    replaceOrder: "deleteFirst",
  },
});

/** The transfers that the account has created. Only the list operation returns them under their current name. */
const transfersOf = (api: Host["api"]): AsyncIterable<EntityTransfer> =>
  api.serviceTransfers.list.all({}, { filter: { is_sender: true } });

/** The transfer with this id. In earlier stacks, such as test/engine/fixtures has, the id is the token; new kinds have no such stacks. */
async function transferOf(
  api: Host["api"],
  { transferId: id }: { transferId: string },
): Promise<EntityTransfer | undefined> {
  for await (const transfer of transfersOf(api))
    if (transferId(transfer.token) === id || transfer.token === id) return transfer;
  return undefined;
}
