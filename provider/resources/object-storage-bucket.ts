import { z } from "zod";
import {
  type Acl,
  CannedAcl,
  ObjectStorageBucket,
  objectCertificateRules,
  objectStorageBuckets,
  objectStorageCertificates,
  pemOf,
  readCertificate,
  within,
} from "../../api";
import { ApiError, isInvalid, isNotFound } from "../client/errors";
import { isEqual } from "../engine/comparison";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { laterObjectReason } from "../engine/identity";
import { bodyOf } from "./body";

const { create, updateAccess } = objectStorageBuckets;
const { upload } = objectStorageCertificates;
const access = updateAccess.body.shape;

/**
 * Stands for a certificate that the program has not set. It is not a valid input, but it differs from null, with which
 * a program removes the certificate.
 */
const foreign = { certificate: "(unknown)", private_key: "(unknown)" };

export const objectStorageBucket = resource({
  name: "ObjectStorageBucket",
  summary:
    "Manages an object storage bucket with its ACL, CORS setting and TLS certificate. A replacement does not copy its objects: they are deleted with the old bucket if `forceDestroy` is true, and otherwise it is deleted only if it is empty.",
  elsewhere: {
    terraform: "linode_object_storage_bucket",
    pulumi: "ObjectStorageBucket",
    note: "The id is `{cluster}/{label}` instead of `{cluster}:{label}`.",
  },
  inputs: create.body.extend({
    acl: access.acl.describe(
      "ACL of the bucket: access for everyone else. With `public-read`, everyone on the internet can read it, with `public-read-write` also write, and with `authenticated-read`, all accounts can read it. New buckets are `private`. With `custom`, only the owner has access. The API does not return it, so drift is not detected.",
    ),
    cors_enabled: access.cors_enabled.describe(
      "Whether CORS is enabled, for all origins. New buckets have it disabled. The API does not return it, so drift is not detected.",
    ),
    certificate: upload.body
      .nullable()
      .optional()
      .describe(
        "Custom TLS certificate of the bucket. `null` removes it. Removal outside this program is detected, replacement is not.",
      ),
    force_destroy: z
      .boolean()
      .default(false)
      .describe(
        "Whether deleting the bucket also deletes all objects in it. With more than 1000 objects, the deletion fails and deletes nothing.",
      ),
  }),
  outputs: ObjectStorageBucket.extend({
    certificate: upload.body
      .nullable()
      .optional()
      .meta({ secret: true })
      .describe(
        "Custom TLS certificate of the bucket. If it was not set by this program, its texts are `(unknown)`, because the API does not return it.",
      ),
    ssl: objectStorageCertificates.view.result.shape.ssl,
  }),
  identity: {
    area: "objectStorageBuckets",
    autoname: "label",
    async extend({ api, path, state }, record) {
      const shown = await api.objectStorageCertificates.view({ path }).catch(undefinedIfMissing);
      if (!shown) return undefined;
      // The time of creation stays that of the bucket that the resource has created: a deletion leaves a later bucket
      // of the same name.
      const created = state.created ?? record.created;
      return { ...record, created, ssl: shown.ssl, certificate: shown.ssl ? (state.certificate ?? foreign) : null };
    },
    listed: ({ cluster, label }) => ({ clusterId: cluster, bucket: label }),
    lostCreate: {
      match: ["cluster", "label"],
      async candidates({ api, want }) {
        const path = pathIn(want);
        return (await api.objectStorageBuckets.view({ path }).catch(undefinedIfMissing)) ? [path] : [];
      },
    },
  },
  inventory: { file: "object-storage", list: "operation", title: "label" },
  fields: {
    cluster: "replace",
    label: "replace",
    acl: { change: "access", by: ["objectStorageBuckets.updateAccess"] },
    cors_enabled: { change: "access", by: ["objectStorageBuckets.updateAccess"] },
    certificate: {
      change: "secure",
      by: ["objectStorageCertificates.delete", "objectStorageCertificates.upload"],
      revealedBy: "ssl",
      current: ({ certificate }, want) =>
        want.certificate === undefined && isEqual(certificate, foreign) ? undefined : certificate,
      touches: ["ssl"],
    },
    // An update stores the new value in state, because a deletion uses the value from state and not from the program.
    force_destroy: {
      change: "keep",
      note: "apply the new value with an update before the bucket is deleted: a deletion uses the value of the last update",
    },
  },
  steps: {
    access: {
      run: ({ api, path, changed }) =>
        api.objectStorageBuckets.updateAccess({ path, body: bodyOf(updateAccess.body, changed) }),
    },
    secure: {
      async run({ host, api, path, want: { certificate }, observed, setState }) {
        rejectExpired(host, certificate);
        // The service accepts a certificate only if the bucket has none.
        if (observed.ssl) await api.objectStorageCertificates.delete({ path }).catch(undefinedIfMissing);
        setState({ certificate: null });
        if (certificate) await api.objectStorageCertificates.upload({ path, body: certificate });
        setState({ certificate });
      },
    },
    keep: { run: async () => undefined },
  },
  checks: { rules: within("certificate", objectCertificateRules) },
  // The create request accepts only the canned ACLs, so any other ACL requires a second request.
  initialState: ({ acl }): { acl?: Acl } => (acl === "custom" ? { acl: "private" } : {}),
  async create({ host, api, want }) {
    const path = pathIn(want);
    // A create request with the cluster and label of an existing bucket succeeds and returns that bucket with its
    // objects. An existing bucket is therefore rejected here.
    if (await api.objectStorageBuckets.view({ path }).catch(undefinedIfMissing))
      throw new Error(
        `ObjectStorageBucket ${path.clusterId}/${path.bucket} already exists. If you renamed the resource in the program, add the resource option aliases. Otherwise, adopt the bucket (${host.adoptCommand("ObjectStorageBucket")} NAME ${path.clusterId}/${path.bucket}) or choose another label`,
      );
    const { label, cluster, cors_enabled } = want;
    const acl = CannedAcl.safeParse(want.acl).data;
    await api.objectStorageBuckets.create({ body: { label, cluster, acl, cors_enabled } });
    return path;
  },
  delete: {
    async run({ host, api, path, want: { force_destroy = false }, state }) {
      const found = await api.objectStorageBuckets.view({ path }).catch(undefinedIfMissing);
      // If a replacement fails and the program gets the former name back, Pulumi deletes the replaced bucket only after
      // it has created a new one of that name.
      const later = found && laterObjectReason(state, found);
      if (later) {
        host.warn(
          `ObjectStorageBucket ${path.clusterId}/${path.bucket} was not deleted: ${later}. Delete it by hand unless you need it`,
        );
        return "missing";
      }
      return api.objectStorageBuckets.delete({ path, query: { force: force_destroy } }).catch((error) => {
        if (force_destroy || !isInvalid(error)) throw error;
        const hint = "or set forceDestroy to true and run pulumi up, then destroy the bucket";
        throw new ApiError(error.operation, error.status, error.reasons, hint);
      });
    },
    // The replacement has another cluster or label, so both buckets can exist at the same time.
    replaceOrder: "createFirst",
  },
});

const pathIn = ({ cluster, label }: { cluster: string; label: string }) => ({ clusterId: cluster, bucket: label });

/** Rejects an expired certificate before the old one is deleted. */
function rejectExpired({ now }: Pick<Host, "now">, declared: { certificate: string } | null | undefined): void {
  const read = declared && readCertificate(pemOf(declared.certificate));
  if (read && read.notAfter <= now())
    throw new Error(`ObjectStorageBucket: the certificate expired at ${new Date(read.notAfter).toISOString()}`);
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
