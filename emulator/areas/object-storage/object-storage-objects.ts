import { type Acl, objectUrlRules } from "../../../api";
import { notFound } from "../../core/error-response";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";
import { turnedOn } from "./object-account";
import { aclXml } from "./object-acl";
import { signedUrl } from "./object-secrets";
import { bucketOf } from "./object-storage-buckets";
import { listing, objectIn } from "./object-store";

export const objectStorageObjects: AreaModule<"objectStorageObjects"> = {
  rules: { createUrl: objectUrlRules },
  handlers: {
    list({ world, path, query: { page_size, ...query } }) {
      const bucket = bucketOf(world, path);
      const { owner } = turnedOn(world);
      const { entries, next } = listing(world, bucket, { ...query, limit: page_size });
      const data = entries.map((entry) =>
        "common" in entry
          ? { name: entry.common, etag: null, last_modified: null, owner: null, size: null }
          : objectRecord(entry, owner),
      );
      return { data, next_marker: next, is_truncated: next !== null };
    },

    viewAcl({ world, path, query: { name } }) {
      const bucket = bucketOf(world, path);
      return shownAcl(world, aclOf(bucket, existing(world, bucket, name)));
    },

    updateAcl({ world, path, body: { acl, name } }) {
      const bucket = bucketOf(world, path);
      world.objectStorageObjects.patch(existing(world, bucket, name).id, { acl });
      return shownAcl(world, acl);
    },

    createUrl({ world, path, body: { method, name, content_type = "", expires_in }, origin }) {
      const { cluster, label } = bucketOf(world, path);
      const expires = Math.floor(world.clock.now() / 1000) + expires_in;
      return { url: signedUrl(world, origin, { method, cluster, bucket: label, name, content_type, expires }) };
    },
  },
};

/** The ACL that applies to an object: its own ACL, or else the ACL of its bucket. */
export const aclOf = ({ acl }: RowOf<"objectStorageBuckets">, object: RowOf<"objectStorageObjects">): Acl =>
  object.acl ?? acl;

function existing(world: World, bucket: RowOf<"objectStorageBuckets">, name: string): RowOf<"objectStorageObjects"> {
  const found = objectIn(world, bucket, name);
  if (!found) throw notFound();
  return found;
}

const shownAcl = (world: World, acl: Acl) => ({ acl, acl_xml: aclXml(acl, turnedOn(world).owner) });

const objectRecord = ({ name, etag, last_modified, size }: RowOf<"objectStorageObjects">, owner: string) => ({
  name,
  etag,
  last_modified,
  owner,
  size,
});
