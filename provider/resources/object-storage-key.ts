import { ObjectStorageKey, objectKeyInputRules, objectStorageKeys } from "../../api";
import { resource } from "../engine/resource";

const { label, bucket_access } = objectStorageKeys.create.body.shape;

export const objectStorageKey = resource({
  kind: "ObjectStorageKey",
  summary: "A pair of keys for the standard object storage protocol, for all buckets or for some.",
  source: "part 2 · Endpoints · Object storage",
  area: "objectStorageKeys",
  inputs: objectStorageKeys.create.body.extend({
    label: label.unwrap(),
    bucket_access: bucket_access
      .unwrap()
      .nullable()
      .optional()
      .describe(
        "Buckets that the key can use, and only they; without it or with `null`, all of the account; none with an empty list.",
      ),
  }),
  outputs: ObjectStorageKey.extend({
    secret_key: ObjectStorageKey.shape.secret_key
      .optional()
      .describe("The secret half; absent for a key that was not made here, since only its creation tells it."),
  }),
  changes: {
    label: "edit",
    // The update operation takes a label only.
    bucket_access: "replace",
  },
  steps: {
    edit: { run: ({ api, path, changed: { label } }) => api.objectStorageKeys.update({ path, body: { label } }) },
  },
  rules: objectKeyInputRules,
  autoname: "label",
  // Labels need not be unique, so that a new key can take over before the old one is revoked.
  deleteFirst: false,
  key: ["label", "bucket_access"],
  secretive: true,
  async create({ api, want: { label, bucket_access }, learn }) {
    const { id, secret_key } = await api.objectStorageKeys.create({
      body: { label, bucket_access: bucket_access ?? undefined },
    });
    learn({ secret_key });
    return { keyId: id };
  },
  read: async ({ was: { secret_key } }, record) => ({ ...record, secret_key }),
});
