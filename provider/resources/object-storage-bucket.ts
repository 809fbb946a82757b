import { z } from "zod";
import {
  CannedAcl,
  ObjectStorageBucket,
  objectCertificateRules,
  objectStorageBuckets,
  objectStorageCertificates,
  pemOf,
  readCertificate,
  within,
} from "../../api";
import { ApiError, isNotFound } from "../client/errors";
import type { Host } from "../engine";
import { resource } from "../engine/resource";
import { bodyOf } from "./body";

const { create, updateAccess } = objectStorageBuckets;
const { upload } = objectStorageCertificates;
const access = updateAccess.body.shape;

export const objectStorageBucket = resource({
  kind: "ObjectStorageBucket",
  summary: "A container of objects, with who may use it and its TLS certificate.",
  source: "part 2 · Endpoints · Object storage",
  area: "objectStorageBuckets",
  inputs: create.body.extend({
    acl: access.acl.describe(
      "Who else may read or write, `private` for a new bucket; `custom` lets in nobody but the owner. No operation shows it, so changes made elsewhere are not seen.",
    ),
    cors_enabled: access.cors_enabled.describe(
      "Whether web pages of other origins may use the bucket: CORS, for every origin; not so for a new bucket. No operation shows it, so changes made elsewhere are not seen.",
    ),
    certificate: upload.body
      .nullable()
      .optional()
      .describe(
        "TLS certificate of the bucket's own; `null` takes it away. That it is gone is seen, another one is not.",
      ),
    force_destroy: z
      .boolean()
      .default(false)
      .describe(
        "Whether a deletion takes the objects in the bucket with it; the service deletes up to 1000 of them so.",
      ),
  }),
  outputs: ObjectStorageBucket.extend({
    certificate: upload.body
      .nullable()
      .optional()
      .meta({ secret: true })
      .describe("TLS certificate of the bucket's own."),
    ssl: objectStorageCertificates.view.result.shape.ssl,
  }),
  changes: {
    cluster: "replace",
    label: "replace",
    acl: "access",
    cors_enabled: "access",
    certificate: "secure",
    // Deletions only know what the last update has left in state.
    force_destroy: "note",
  },
  exceptions: {
    acl: "`objectStorageBuckets.updateAccess`",
    cors_enabled: "`objectStorageBuckets.updateAccess`",
    certificate:
      "`objectStorageCertificates.delete` takes the old one away, `objectStorageCertificates.upload` puts the new one there",
    force_destroy: "only noted in the state, for the deletion",
  },
  steps: {
    access: {
      run: ({ api, path, changed }) =>
        api.objectStorageBuckets.updateAccess({ path, body: bodyOf(updateAccess.body, changed) }),
    },
    secure: {
      async run({ host, api, path, want: { certificate }, seen, learn }) {
        refuseExpired(host, certificate);
        // The service takes a new certificate only where there is none.
        if (seen.ssl) await api.objectStorageCertificates.delete({ path }).catch(unlessGone);
        learn({ certificate: null });
        if (certificate) await api.objectStorageCertificates.upload({ path, body: certificate });
        learn({ certificate });
      },
    },
    note: { run: async () => undefined },
  },
  rules: within("certificate", objectCertificateRules),
  autoname: "label",
  // A replacement has another cluster or another label, so nothing is in its way.
  deleteFirst: false,
  key: ["cluster", "label"],
  find: async ({ api, want }) => {
    const path = pathIn(want);
    const found = await api.objectStorageBuckets.view({ path }).catch(unlessGone);
    return found ? [path] : [];
  },
  async create({ api, want, learn }) {
    const path = pathIn(want);
    // The service answers with a bucket that is there already, objects and all, as if it had made it.
    if (await api.objectStorageBuckets.view({ path }).catch(unlessGone))
      throw new Error(
        `ObjectStorageBucket ${path.clusterId}/${path.bucket} exists already; adopt it (cloudinfra adopt ObjectStorageBucket NAME ${path.clusterId}/${path.bucket}), or choose another label`,
      );
    const { label, cluster, cors_enabled } = want;
    const acl = CannedAcl.safeParse(want.acl).data;
    // Not every ACL can be had at creation; it is to be known before the answer can be lost.
    if (want.acl !== undefined && !acl) learn({ acl: "private" });
    await api.objectStorageBuckets.create({ body: { label, cluster, acl, cors_enabled } });
    return path;
  },
  async read({ api, path, was }, record) {
    const shown = await api.objectStorageCertificates.view({ path }).catch(unlessGone);
    if (!shown) return undefined;
    return { ...record, ssl: shown.ssl, certificate: shown.ssl ? was.certificate : null };
  },
  delete: ({ api, path, want: { force_destroy = false } }) =>
    api.objectStorageBuckets.delete({ path, query: { force: force_destroy } }).catch((error) => {
      const full = error instanceof ApiError && error.status === 400 && !force_destroy;
      if (!full) throw error;
      const hint = "or set forceDestroy to true and update before";
      throw new ApiError(error.operation, error.status, error.reasons, hint);
    }),
});

const pathIn = ({ cluster, label }: { cluster: string; label: string }) => ({ clusterId: cluster, bucket: label });

/** Before the old certificate is taken away for it. */
function refuseExpired({ now }: Pick<Host, "now">, given: { certificate: string } | null | undefined): void {
  const read = given && readCertificate(pemOf(given.certificate));
  if (read && read.notAfter <= now())
    throw new Error(`ObjectStorageBucket: the certificate has expired at ${new Date(read.notAfter).toISOString()}`);
}

function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
