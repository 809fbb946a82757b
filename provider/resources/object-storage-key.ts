import { ObjectStorageKey, objectKeyInputRules, objectStorageKeys } from "../../api";
import { resource } from "../engine/definition";

const { label, bucket_access } = objectStorageKeys.create.body.shape;

export const objectStorageKey = resource({
  name: "ObjectStorageKey",
  summary: "Manages an object storage key pair for the S3 protocol, for all buckets or for some.",
  elsewhere: { terraform: "linode_object_storage_key", pulumi: "ObjectStorageKey" },
  inputs: objectStorageKeys.create.body.extend({
    label: label.unwrap(),
    bucket_access: bucket_access
      .unwrap()
      .nullable()
      .optional()
      .describe(
        "Buckets that the key is limited to. If omitted or `null`, the key has access to all buckets of the account. An empty list gives access to none.",
      ),
  }),
  outputs: ObjectStorageKey.extend({
    secret_key: ObjectStorageKey.shape.secret_key
      .optional()
      .describe(
        "Secret key. Not available for a key that was created outside this program, because the API returns it only at creation.",
      ),
  }),
  identity: {
    area: "objectStorageKeys",
    autoname: "label",
    extend: async ({ state: { secret_key } }, record) => ({ ...record, secret_key }),
    // Only the response to the create request contains the secret, so a key whose response was lost is created again.
    lostCreate: { match: ["label", "bucket_access"], found: "recreate" },
  },
  inventory: { file: "object-storage", list: "operation", title: "label" },
  fields: { label: "edit", bucket_access: "replace" },
  steps: {
    edit: { run: ({ api, path, changed: { label } }) => api.objectStorageKeys.update({ path, body: { label } }) },
  },
  checks: { rules: objectKeyInputRules },
  async create({ api, want: { label, bucket_access }, setState }) {
    const { id, secret_key } = await api.objectStorageKeys.create({
      body: { label, bucket_access: bucket_access ?? undefined },
    });
    setState({ secret_key });
    return { keyId: id };
  },
  // Keys can have the same label, so the new key can be in use before the old one is revoked.
  delete: { replaceOrder: "createFirst" },
});
