import { BucketLabel, CannedAcl } from "../../../api";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import type { DataRequest } from "../../http/data-plane";
import { first } from "../../http/messages";
import { everyoneMay } from "./object-acl";
import { denied, ObjectError } from "./object-protocol";
import { isSigned, unseal } from "./object-secrets";
import { signedBy, urlSignedBy } from "./object-sigv4";
import { aclOf } from "./object-storage-objects";

/**
 * The cluster, bucket and object in the path of a request, `/objects/<cluster>/<bucket>/<name>`. Names are decoded. A
 * name that the path does not contain is empty.
 */
export interface Target {
  cluster: string;
  bucket: string;
  name: string;
}

/** The authorization of a request: a verified pre-signed URL, an access key, or none. */
export type Bearer = "url" | RowOf<"objectStorageKeys"> | undefined;

/** HTTP methods without a request body. A pre-signed URL for them can be signed without a content type. */
const BARE: readonly string[] = ["GET", "DELETE"];

/** Determines the authorization of a request. Throws if a signature is invalid. */
export function bearerOf(world: World, request: DataRequest, target: Target): Bearer {
  const { method, query, headers, rest } = request;
  const signature = query.get("signature");
  if (signature !== null) {
    rejectUrl(world, { method, query, headers }, target, signature);
    return "url";
  }
  const keyOf = (access: string) => world.objectStorageKeys.by("access_key", access)[0];
  const secretOf = (access: string) => {
    const key = keyOf(access);
    return key && unseal(world, key.sealed);
  };
  const signed = { method, query, headers, path: `/objects/${rest}` };
  if (query.has("X-Amz-Signature")) return keyOf(urlSignedBy(signed, world.clock.now(), secretOf));
  return headers.authorization === undefined ? undefined : keyOf(signedBy(signed, world.clock.now(), secretOf));
}

/**
 * Throws unless the request is authorized to read or write the object. If no object is addressed, the bucket is
 * checked.
 */
export function requireAccess(
  bearer: Bearer,
  what: "read" | "write",
  bucket: RowOf<"objectStorageBuckets">,
  object?: RowOf<"objectStorageObjects">,
): void {
  if (bearer === "url") return;
  if (bearer) {
    if (!keyMay(bearer, what, bucket))
      throw denied(`The access key does not have ${what} permission for bucket ${bucket.label}`);
  } else if (!everyoneMay(what === "read" && object ? aclOf(bucket, object) : bucket.acl, what)) {
    throw denied(`Anonymous requests do not have ${what} permission for this bucket; sign the request`);
  }
}

/** The access key of a request. Throws for requests with a pre-signed URL or without a signature. */
export function keyed(bearer: Bearer): RowOf<"objectStorageKeys"> {
  if (!bearer || bearer === "url") throw denied("This operation requires an access key; sign the request");
  return bearer;
}

export function requestedAcl({ headers }: DataRequest) {
  const header = first(headers["x-amz-acl"]);
  if (header === undefined) return undefined;
  const acl = CannedAcl.safeParse(header);
  if (!acl.success)
    throw new ObjectError(400, "InvalidArgument", `x-amz-acl must be one of ${CannedAcl.options.join(", ")}`);
  return acl.data;
}

export function rejectLabel(label: string): void {
  const { error } = BucketLabel.safeParse(label);
  if (error) throw new ObjectError(400, "InvalidBucketName", `The bucket's name: ${error.issues[0]?.message}`);
}

function keyMay(
  { bucket_access }: RowOf<"objectStorageKeys">,
  what: "read" | "write",
  bucket: RowOf<"objectStorageBuckets">,
): boolean {
  if (bucket_access === null) return true;
  return bucket_access.some(
    ({ cluster, bucket_name, permissions }) =>
      cluster === bucket.cluster && bucket_name === bucket.label && (what === "read" || permissions === "read_write"),
  );
}

function rejectUrl(
  world: World,
  { method, query, headers }: Pick<DataRequest, "method" | "query" | "headers">,
  target: Target,
  signature: string,
): void {
  const expires = Number(query.get("expires"));
  const types = [first(headers["content-type"]) ?? "", ...(BARE.includes(method) ? [""] : [])];
  if (!types.some((content_type) => isSigned(world, { ...target, method, content_type, expires }, signature)))
    throw new ObjectError(
      403,
      "SignatureDoesNotMatch",
      "The method, the Content-Type and the URL must be those that were signed",
    );
  if (expires * 1000 <= world.clock.now()) throw denied(`The URL expired at ${world.clock.time(expires * 1000)}`);
}
