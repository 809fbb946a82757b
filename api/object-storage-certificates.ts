import { z } from "zod";
import { Empty } from "./common";
import { bucketParams } from "./object-storage-buckets";
import type { Area } from "./operation";

const Shown = z.strictObject({
  ssl: z.boolean().describe("Whether the bucket has a certificate that a user put there."),
});

const path = "/object-storage/buckets/{clusterId}/{bucket}/ssl";
const source = "part 2 · Endpoints · Object storage";

export const objectStorageCertificates = {
  view: {
    summary: "See whether a bucket has a TLS certificate of the user's.",
    method: "GET",
    path,
    params: bucketParams,
    scopes: ["object_storage:read_only"],
    result: Shown,
    source,
  },
  upload: {
    summary: "Give a bucket a TLS certificate; an earlier one has to be deleted first.",
    method: "POST",
    path,
    params: bucketParams,
    scopes: ["object_storage:read_write"],
    body: z.strictObject({
      certificate: z
        .string()
        .min(1)
        .describe("The certificate or chain, the bucket's own first: PEM, or Base64 of it."),
      private_key: z
        .string()
        .min(1)
        .meta({ secret: true })
        .describe("The private key of the certificate, without a passphrase: PEM, or Base64 of it."),
    }),
    result: Shown,
    decided: [
      "Both fields are taken as PEM and as Base64 of it.",
      "A certificate that has expired or that the key does not belong to is refused.",
    ],
    source,
  },
  delete: {
    summary: "Delete a bucket's TLS certificate and its key.",
    method: "DELETE",
    path,
    params: bucketParams,
    scopes: ["object_storage:read_write"],
    result: Empty,
    decided: ["404 when the bucket has none."],
    source,
  },
} satisfies Area;
