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
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { bodyOf } from "./body";

const { create, updateAccess } = objectStorageBuckets;
const { upload } = objectStorageCertificates;
const access = updateAccess.body.shape;

export const objectStorageBucket = resource({
  name: "ObjectStorageBucket",
  summary: "A container of objects, with who may use it and its TLS certificate.",
  source: "part 2 · Endpoints · Object storage",
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
  identity: {
    area: "objectStorageBuckets",
    autoname: "label",
    async extend({ api, path, state }, record) {
      const shown = await api.objectStorageCertificates.view({ path }).catch(undefinedIfMissing);
      if (!shown) return undefined;
      return { ...record, ssl: shown.ssl, certificate: shown.ssl ? state.certificate : null };
    },
    lostCreate: {
      match: ["cluster", "label"],
      async candidates({ api, want }) {
        const path = pathIn(want);
        return (await api.objectStorageBuckets.view({ path }).catch(undefinedIfMissing)) ? [path] : [];
      },
    },
  },
  fields: {
    cluster: "replace",
    label: "replace",
    acl: { change: "access", by: ["objectStorageBuckets.updateAccess"] },
    cors_enabled: { change: "access", by: ["objectStorageBuckets.updateAccess"] },
    certificate: { change: "secure", by: ["objectStorageCertificates.delete", "objectStorageCertificates.upload"] },
    // A deletion knows only the state that the last update has left.
    force_destroy: { change: "keep", note: "kept in state for the deletion" },
  },
  steps: {
    access: {
      run: ({ api, path, changed }) =>
        api.objectStorageBuckets.updateAccess({ path, body: bodyOf(updateAccess.body, changed) }),
    },
    secure: {
      async run({ host, api, path, want: { certificate }, seen, setState }) {
        refuseExpired(host, certificate);
        // The service accepts a certificate only for a bucket without one.
        if (seen.ssl) await api.objectStorageCertificates.delete({ path }).catch(undefinedIfMissing);
        setState({ certificate: null });
        if (certificate) await api.objectStorageCertificates.upload({ path, body: certificate });
        setState({ certificate });
      },
    },
    keep: { run: async () => undefined },
  },
  checks: { rules: within("certificate", objectCertificateRules) },
  async create({ api, want, setState }) {
    const path = pathIn(want);
    // The service returns a bucket that exists, with its objects, as if it had created it.
    if (await api.objectStorageBuckets.view({ path }).catch(undefinedIfMissing))
      throw new Error(
        `ObjectStorageBucket ${path.clusterId}/${path.bucket} exists already; adopt it (cloudinfra adopt ObjectStorageBucket NAME ${path.clusterId}/${path.bucket}), or choose another label`,
      );
    const { label, cluster, cors_enabled } = want;
    const acl = CannedAcl.safeParse(want.acl).data;
    // A create request takes canned ACLs only; state has to say so before the response can be lost.
    if (want.acl !== undefined && !acl) setState({ acl: "private" });
    await api.objectStorageBuckets.create({ body: { label, cluster, acl, cors_enabled } });
    return path;
  },
  delete: {
    run: ({ api, path, want: { force_destroy = false } }) =>
      api.objectStorageBuckets.delete({ path, query: { force: force_destroy } }).catch((error) => {
        const isFull = error instanceof ApiError && error.status === 400 && !force_destroy;
        if (!isFull) throw error;
        const hint = "or set forceDestroy to true and update before";
        throw new ApiError(error.operation, error.status, error.reasons, hint);
      }),
    // A replacement has another cluster or another label, so the old bucket is not in its way.
    replaceOrder: "createFirst",
  },
});

const pathIn = ({ cluster, label }: { cluster: string; label: string }) => ({ clusterId: cluster, bucket: label });

/** Called before the old certificate is deleted. */
function refuseExpired({ now }: Pick<Host, "now">, given: { certificate: string } | null | undefined): void {
  const read = given && readCertificate(pemOf(given.certificate));
  if (read && read.notAfter <= now())
    throw new Error(`ObjectStorageBucket: the certificate has expired at ${new Date(read.notAfter).toISOString()}`);
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
