import { z } from "zod";
import { Empty } from "../schema/common";
import type { Area } from "../schema/operation";

/** Outbound transfer that object storage adds to the account's pool, in bytes: a terabyte. */
export const OBJECT_STORAGE_TRANSFER = 1_000_000_000_000;

const source = "part 2 · Endpoints · Object storage";

export const objectStorage = {
  cancel: {
    summary: "Turn object storage off for the account, once all its buckets are empty.",
    method: "POST",
    path: "/object-storage/cancel",
    scopes: ["object_storage:read_write"],
    result: Empty,
    decided: [
      "Empty buckets, keys and the URLs that were signed go with it; creating a bucket or key turns object storage on again.",
      "Cancelling what is off already succeeds and changes nothing.",
    ],
    source,
  },
  transfer: {
    summary: "View how much the account's objects were downloaded this month.",
    method: "GET",
    path: "/object-storage/transfer",
    scopes: ["object_storage:read_only"],
    result: z.strictObject({
      used: z
        .int()
        .min(0)
        .describe(
          `Bytes of objects sent out in this month (UTC); object storage adds 1,000,000,000,000 of them to the account's pool.`,
        ),
    }),
    decided: [
      "Counted from the first of the month, downloads only; uploads, lists and refusals are free.",
      "No operation shows the account's pool, so its terabyte for object storage shows nowhere; `used` is to be held against it.",
    ],
    source,
  },
} satisfies Area;
