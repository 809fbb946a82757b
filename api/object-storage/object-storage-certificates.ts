import { z } from "zod";
import { Empty, ofText } from "../schema/common";
import type { Area } from "../schema/operation";
import { canonicalPem, isPrivateKey, keyMatches, pemOf, readCertificate } from "../schema/pem";
import type { Rule } from "../schema/rule";
import { bucketParams } from "./object-storage-buckets";

const Shown = z.strictObject({
  ssl: z.boolean().describe("Whether the bucket has a certificate that a user put there."),
});

const path = "/object-storage/buckets/{clusterId}/{bucket}/ssl";
const source = "part 2 · Endpoints · Object storage";

const canonical = ofText((text) => canonicalPem(pemOf(text)));

export const objectCertificateRules: Rule<{ certificate: string; private_key: string }>[] = [
  {
    reads: ["certificate", "private_key"],
    *check({ certificate, private_key }) {
      const [pem, key] = [pemOf(certificate), pemOf(private_key)];
      const read = readCertificate(pem);
      if (!read) yield { field: "certificate", reason: "must be a certificate in PEM form, or Base64 of one" };
      if (!isPrivateKey(key))
        yield { field: "private_key", reason: "must be a private key in PEM form, or Base64 of one" };
      else if (read && !keyMatches(read, key))
        yield { field: "private_key", reason: "must be the key of the certificate" };
    },
    source,
  },
];

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
        .meta({ canonical })
        .describe("The certificate or chain, the bucket's own first: PEM, or Base64 of it."),
      private_key: z
        .string()
        .min(1)
        .meta({ secret: true, canonical })
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
