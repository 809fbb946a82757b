import { createHash } from "node:crypto";
import { z } from "zod";
import { asSet, EntityTransfer, TransferCreate } from "../../api";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";

/** The token allows accepting the transfer, and Pulumi never encrypts ids. So the id is a digest of the token. */
const offerId = (token: string): string => createHash("sha256").update(token).digest("hex").slice(0, 20);

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
      path: z.strictObject({ offerId: z.string().min(1) }),
      async get({ api, path, state }) {
        // The service may delete a completed offer, and offering instances again that have moved would fail.
        if (state.status === "completed") return state;
        const offer = await offerOf(api, path);
        return offer && !/^(cancelled|failed|stale)$/.test(offer.status) ? offer : undefined;
      },
    },
    lostCreate: {
      match: ["entities"],
      async candidates({ api }) {
        const offers = await Array.fromAsync(offersOf(api));
        return offers.map(({ token }) => ({ offerId: offerId(token) }));
      },
    },
  },
  fields: {
    entities: { change: "replace", canonical: ({ computes }) => ({ computes: asSet(computes) }) },
  },
  readiness: {
    // A pending offer is ready: the other account has a day to accept it, and may never do so.
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
    return { offerId: offerId(token) };
  },
  delete: {
    async run({ api, path, observe }) {
      const { status, token } = (await observe()) ?? {};
      if (status !== "pending" || token === undefined) return;
      try {
        await api.entityTransfers.cancel({ path: { token } });
      } catch (error) {
        // Accepted or cancelled in the meantime: there is no offer to cancel.
        if ((await offerOf(api, path))?.status === "pending") throw error;
      }
    },
    // An accepted offer cannot be cancelled.
    stays: true,
    // An instance can be in only one offer at a time.
    replaceOrder: "deleteFirst",
  },
});

/** The account's offers. Only the list operation returns them under their current name. */
const offersOf = (api: Host["api"]): AsyncIterable<EntityTransfer> =>
  api.serviceTransfers.list.all({}, { filter: { is_sender: true } });

/** The offer with this id, which is the token itself in stacks of earlier versions. */
async function offerOf(api: Host["api"], { offerId: id }: { offerId: string }): Promise<EntityTransfer | undefined> {
  for await (const offer of offersOf(api)) if (offerId(offer.token) === id || offer.token === id) return offer;
  return undefined;
}
