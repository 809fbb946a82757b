import { type BucketAccess, type ObjectStorageKey, REDACTED, reasons } from "../../../api";
import { ErrorResponse, Reasons } from "../../core/error-response";
import type { Random } from "../../core/random";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import { type AreaModule, listed } from "../../http/handlers";
import { turnedOn } from "./object-account";
import { seal } from "./object-secrets";
import { findBucket } from "./object-storage-buckets";

export interface KeyRow extends Omit<ObjectStorageKey, "secret_key"> {
  /** The encrypted secret key, with which signatures are verified. The API does not return it. */
  sealed: string;
}

export const objectStorageKeys: AreaModule<"objectStorageKeys", { objectStorageKeys: KeyRow }> = {
  tables: { objectStorageKeys: table<KeyRow>() },
  handlers: {
    list: ({ world }) => listed(world.objectStorageKeys, keyRecord),

    create({ world, body: { label, bucket_access = null } }) {
      rejectUnknown(world, bucket_access ?? []);
      turnedOn(world);
      const access_key = text(world.random, ACCESS, 20);
      const secret_key = text(world.random, SECRET, 40);
      const row = world.objectStorageKeys.insert({
        label: label ?? access_key,
        access_key,
        limited: bucket_access !== null,
        bucket_access,
        sealed: seal(world, secret_key),
      });
      return { ...keyRecord(row), secret_key };
    },

    view: ({ world, path }) => keyRecord(find(world, path.keyId)),

    update: ({ world, path, body }) => keyRecord(world.objectStorageKeys.patch(find(world, path.keyId).id, body)),

    delete({ world, path }) {
      world.objectStorageKeys.remove(find(world, path.keyId).id);
      return {};
    },
  },
};

const ACCESS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const SECRET = `${ACCESS}abcdefghijklmnopqrstuvwxyz`;

const text = (random: Random, letters: string, length: number): string =>
  Array.from({ length }, () => letters[random.below(letters.length)]).join("");

function rejectUnknown(world: World, bucket_access: readonly BucketAccess[]): void {
  const problems = new Reasons();
  for (const [at, { cluster, bucket_name }] of bucket_access.entries())
    problems.addUnless(
      findBucket(world, cluster, bucket_name) !== undefined,
      `There is no bucket ${bucket_name} in ${cluster}`,
      `bucket_access.${at}.bucket_name`,
    );
  problems.throwIfAny();
}

function find(world: World, id: number): Readonly<KeyRow> {
  const key = world.objectStorageKeys.find(id);
  if (!key) throw new ErrorResponse(404, reasons.accessKeyNotFound);
  return key;
}

const keyRecord = (row: Readonly<KeyRow>): ObjectStorageKey => ({ ...row, secret_key: REDACTED });
