import { z } from "zod";
import { ByteCount, Empty } from "../schema/common";
import type { Area } from "../schema/operation";

/** Outbound transfer in bytes that enabling object storage adds to the account's monthly pool: one terabyte. */
export const OBJECT_STORAGE_TRANSFER = 1_000_000_000_000;

const source = "part 2 · Endpoints · Object storage";

export const objectStorage = {
  cancel: {
    summary: "Cancel object storage for the account. All buckets must be empty.",
    method: "POST",
    path: "/object-storage/cancel",
    scopes: ["object_storage:read_write"],
    result: Empty,
    decided: [
      "Empty buckets, keys and pre-signed URLs are deleted. Creating a bucket or key enables object storage again.",
      "Cancelling again succeeds and has no effect.",
    ],
    source,
  },
  transfer: {
    summary: "View the outgoing transfer of the account's object storage in this month.",
    method: "GET",
    path: "/object-storage/transfer",
    scopes: ["object_storage:read_only"],
    result: z.strictObject({
      used: ByteCount.describe(
        "Outgoing transfer of objects in this month (UTC) in bytes. Object storage adds 1,000,000,000,000 bytes to the account's monthly transfer pool.",
      ),
    }),
    decided: [
      "Counts downloads since the first of the month. Uploads, lists and rejected requests are free.",
      "No operation returns the account's pool. Compare `used` with the terabyte that object storage adds to it.",
    ],
    source,
  },
} satisfies Area;
