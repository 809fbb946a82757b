import { createHash } from "node:crypto";
import { z } from "zod";
import { asSet, EntityTransfer, TransferCreate } from "../../api";
import type { Host } from "../engine";
import { resource } from "../engine/resource";

/** Who knows the token can accept the transfer, so the id, which Pulumi never encrypts, is a digest of it. */
const offerId = (token: string): string => createHash("sha256").update(token).digest("hex").slice(0, 20);

const place = z.strictObject({ offerId: z.string().min(1) });

export const serviceTransfer = resource({
  kind: "ServiceTransfer",
  summary:
    "An offer of instances to whichever account gets its token. Once accepted it is done and stays as it is; one that was cancelled, failed or not accepted in time is gone.",
  source: "part 3 · Endpoints · Account and billing",
  area: "serviceTransfers",
  place,
  inputs: TransferCreate,
  outputs: EntityTransfer,
  changes: { entities: "replace" },
  steps: {},
  compare: { entities: ({ computes }) => ({ computes: asSet(computes) }) },
  key: ["entities"],
  // An instance is in one offer at a time.
  deleteFirst: true,
  // Once accepted it is not the program's to take back.
  outlives: true,
  // Nobody waits for the other account, which has a day to accept and may never do so.
  states: {
    pending: "ready",
    accepted: "ready",
    completed: "ready",
    cancelled: "failed",
    failed: "failed",
    stale: "failed",
  },
  async create({ api, want }) {
    const { token } = await api.serviceTransfers.create({ body: want });
    return { offerId: offerId(token) };
  },
  async find({ api }) {
    const offers = await Array.fromAsync(offersOf(api));
    return offers.map(({ token }) => ({ offerId: offerId(token) }));
  },
  async look({ api, path, was }) {
    // The service may forget what is over, and offering instances again that have moved would fail.
    if (was.status === "completed") return was as EntityTransfer;
    const transfer = await offerOf(api, path);
    return transfer && !/^(cancelled|failed|stale)$/.test(transfer.status) ? transfer : undefined;
  },
  async delete({ api, path, seen }) {
    if (seen.status !== "pending") return;
    try {
      await api.entityTransfers.cancel({ path: { token: seen.token } });
    } catch (error) {
      // Accepted or cancelled in the meantime: nothing is left to take back.
      if ((await offerOf(api, path))?.status === "pending") throw error;
    }
  },
});

/** The account's offers, which only the list shows under their present name. */
const offersOf = (api: Host["api"]): AsyncIterable<EntityTransfer> =>
  api.serviceTransfers.list.all({}, { filter: { is_sender: true } });

/** The offer with this id; stacks of earlier versions have the token as the id. */
async function offerOf(api: Host["api"], { offerId: id }: { offerId: string }): Promise<EntityTransfer | undefined> {
  for await (const offer of offersOf(api)) if (offerId(offer.token) === id || offer.token === id) return offer;
  return undefined;
}
