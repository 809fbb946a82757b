import { z } from "zod";
import { Empty, ofText } from "../schema/common";
import type { Area } from "../schema/operation";
import { canonicalPem, isPrivateKey, keyMatches, pemOf, readCertificate } from "../schema/pem";
import type { Rule } from "../schema/rule";
import { bucketParams } from "./object-storage-buckets";

const Shown = z.strictObject({
  ssl: z.boolean().describe("Whether the bucket has a custom TLS certificate."),
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
      if (!read)
        yield { field: "certificate", reason: "must be a certificate in PEM format, optionally Base64-encoded" };
      if (!isPrivateKey(key))
        yield { field: "private_key", reason: "must be a private key in PEM format, optionally Base64-encoded" };
      else if (read && !keyMatches(read, key))
        yield { field: "private_key", reason: "must be the private key that matches the certificate" };
    },
    source,
  },
];

export const objectStorageCertificates = {
  view: {
    summary: "View whether a bucket has a custom TLS certificate.",
    method: "GET",
    path,
    params: bucketParams,
    scopes: ["object_storage:read_only"],
    result: Shown,
    source,
  },
  upload: {
    summary: "Upload a TLS certificate for a bucket. Delete the current one first.",
    method: "POST",
    path,
    params: bucketParams,
    scopes: ["object_storage:read_write"],
    body: z.strictObject({
      certificate: z
        .string()
        .min(1)
        .meta({ canonical })
        .describe("Certificate, optionally followed by its chain: PEM or Base64-encoded PEM."),
      private_key: z
        .string()
        .min(1)
        .meta({ secret: true, canonical })
        .describe("Private key of the certificate without a passphrase: PEM or Base64-encoded PEM."),
    }),
    result: Shown,
    decided: [
      "Both fields accept PEM, also with `\\n` instead of line breaks, and Base64-encoded PEM.",
      "Expired certificates are rejected, as are certificates that do not match the key.",
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
    decided: ["Returns 404 if the bucket does not have one."],
    source,
  },
} satisfies Area;
