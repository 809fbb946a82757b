import { ObjectName } from "../../../api";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import type { DataRequest, DataResponse } from "../../http/data-plane";
import type { Part } from "../../http/handlers";
import { first } from "../../http/messages";
import { countTransfer, turnedOn } from "./object-account";
import { type Bearer, bearerOf, keyed, rejectLabel, requestedAcl, requireAccess, type Target } from "./object-bearer";
import { bodyOf } from "./object-body";
import { bucketsXml, listingXml } from "./object-lists";
import { errorXml, noBucket, noObject, ObjectError } from "./object-protocol";
import { rejectOtherBody, signedDigest, signedUrlParameters } from "./object-sigv4";
import { createBucket, findBucket, isTaken, isUnavailable, removeBucket } from "./object-storage-buckets";
import { contentOf, objectIn, removeObject, writeObject } from "./object-store";

interface Passage {
  world: World;
  request: DataRequest;
  target: Target;
  bearer: Bearer;
}

type Serve = (passage: Passage) => DataResponse | Promise<DataResponse>;

/** Supported S3 requests by target and method. All other requests are rejected. */
const served: Readonly<Record<"cluster" | "bucket" | "object", Readonly<Record<string, Serve>>>> = {
  cluster: { GET: listBuckets },
  bucket: { GET: listObjects, HEAD: look, PUT: makeBucket, DELETE: dropBucket },
  object: { GET: get, HEAD: get, PUT: put, DELETE: remove },
};

/** Supported query parameters. Any other parameter, such as `versioning`, requests an unsupported S3 feature. */
const parameters: Readonly<Record<keyof typeof served, readonly string[]>> = {
  cluster: ["x-id", ...signedUrlParameters],
  bucket: [
    ...["x-id", "list-type", "prefix", "delimiter", "max-keys"],
    ...["start-after", "continuation-token", "fetch-owner", "encoding-type"],
    ...signedUrlParameters,
  ],
  object: ["x-id", "expires", "signature", ...signedUrlParameters],
};

/** Headers of copies and of conditional requests, which are not supported. */
const OTHER = ["x-amz-copy-source", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since"];

/** Serves objects through pre-signed URLs, signed requests, and anonymous requests that an ACL allows. */
export const objectDataPlane: Part = {
  dataPlane: {
    prefix: "/objects/",
    async handle(world, request) {
      const date = new Date(world.clock.now()).toUTCString();
      let response: DataResponse;
      try {
        response = await respond(world, request);
      } catch (error) {
        if (!(error instanceof ObjectError)) throw error;
        response = { status: error.status, body: errorXml(error.code, error.message) };
      }
      return { ...response, headers: { "content-type": "application/xml", date, ...response.headers } };
    },
  },
};

async function respond(world: World, request: DataRequest): Promise<DataResponse> {
  const target = targetOf(request.rest);
  if (!world.objectStorageClusters.find(target.cluster)) throw noBucket();
  const cors = findBucket(world, target.cluster, target.bucket)?.cors_enabled === true;
  const { method, query, headers } = request;
  if (method === "OPTIONS") return preflight(request, cors);
  const level = target.name ? "object" : target.bucket ? "bucket" : "cluster";
  const serve = served[level][method];
  if (!serve)
    throw new ObjectError(
      405,
      "MethodNotAllowed",
      `The path of ${level === "object" ? "an" : "a"} ${level} accepts ${Object.keys(served[level]).join(", ")}`,
    );
  const unsupported = [
    ...[...query.keys()].filter((name) => !parameters[level].includes(name)),
    ...OTHER.filter((name) => headers[name] !== undefined),
  ];
  if (unsupported.length > 0)
    throw new ObjectError(
      501,
      "NotImplemented",
      `These query parameters are not supported for ${level === "object" ? "an" : "a"} ${level}: ${unsupported.join(", ")}`,
    );
  if (level === "object" && !findBucket(world, target.cluster, target.bucket)) throw noBucket();
  const response = await serve({ world, request, target, bearer: bearerOf(world, request, target) });
  return cors ? { ...response, headers: { ...response.headers, "access-control-allow-origin": "*" } } : response;
}

function listBuckets({ world, target, bearer }: Passage): DataResponse {
  keyed(bearer);
  const buckets = world.objectStorageBuckets.by("cluster", target.cluster);
  return { status: 200, body: bucketsXml(buckets, turnedOn(world).owner) };
}

function makeBucket({ world, request, target: { cluster, bucket: label }, bearer }: Passage): DataResponse {
  keyed(bearer);
  rejectLabel(label);
  if (isTaken(world, cluster, label))
    throw new ObjectError(409, "BucketAlreadyExists", "Another account has a bucket of this name");
  if (isUnavailable(world, cluster, label))
    throw new ObjectError(503, "ServiceUnavailable", `Cluster ${cluster} is unavailable`);
  createBucket(world, { cluster, label, acl: requestedAcl(request) ?? "private", cors_enabled: false });
  return { status: 200, headers: { location: `/${label}` } };
}

function dropBucket({ world, target, bearer }: Passage): DataResponse {
  const bucket = existing(world, target);
  keyed(bearer);
  requireAccess(bearer, "write", bucket);
  if (bucket.objects > 0) throw new ObjectError(409, "BucketNotEmpty", `The bucket holds ${bucket.objects} objects`);
  removeBucket(world, bucket);
  return { status: 204 };
}

function look({ world, target, bearer }: Passage): DataResponse {
  requireAccess(bearer, "read", existing(world, target));
  return { status: 200 };
}

function listObjects({ world, request, target, bearer }: Passage): DataResponse {
  const bucket = existing(world, target);
  requireAccess(bearer, "read", bucket);
  return { status: 200, body: listingXml(world, bucket, request.query) };
}

function get({ world, request: { method }, target, bearer }: Passage): DataResponse {
  const bucket = existing(world, target);
  const object = objectIn(world, bucket, target.name);
  requireAccess(bearer, "read", bucket, object);
  if (!object) throw noObject();
  if (method === "GET") countTransfer(world, object.size);
  return {
    status: 200,
    headers: {
      "content-type": object.content_type,
      etag: `"${object.etag}"`,
      "last-modified": new Date(`${object.last_modified}Z`).toUTCString(),
      // A stored web page has the address of the console, and must not call it. Without an origin of its own, it cannot use
      // localStorage, and needs CORS for its modules, fonts and fetch requests.
      "content-security-policy": "sandbox allow-scripts allow-forms",
      "x-content-type-options": "nosniff",
    },
    body: contentOf(world, object),
  };
}

async function put({ world, request, target, bearer }: Passage): Promise<DataResponse> {
  const { headers } = request;
  requireAccess(bearer, "write", existing(world, target));
  const { error } = ObjectName.safeParse(target.name);
  if (error) throw new ObjectError(400, "InvalidObjectName", `The object's name ${error.issues[0]?.message}`);
  const keyedBy = bearer !== undefined && bearer !== "url";
  const digest = keyedBy && headers.authorization !== undefined ? signedDigest(headers) : undefined;
  const acl = (keyedBy && requestedAcl(request)) || null;
  const content = await bodyOf(request);
  rejectOtherBody(content, digest);
  const content_type = first(headers["content-type"]) ?? "application/octet-stream";
  // The bucket is looked up again, because it may have been deleted while the body was read.
  const { etag } = writeObject(world, existing(world, target), { name: target.name, content, content_type, acl });
  return { status: 200, headers: { etag: `"${etag}"` } };
}

function remove({ world, target, bearer }: Passage): DataResponse {
  const bucket = existing(world, target);
  requireAccess(bearer, "write", bucket);
  const object = objectIn(world, bucket, target.name);
  if (object) removeObject(world, bucket, object);
  return { status: 204 };
}

function existing(world: World, { cluster, bucket }: Target): RowOf<"objectStorageBuckets"> {
  const found = findBucket(world, cluster, bucket);
  if (!found) throw noBucket();
  return found;
}

function preflight({ headers }: DataRequest, cors: boolean): DataResponse {
  if (!cors) throw new ObjectError(403, "AccessForbidden", "CORS is not enabled for this bucket");
  return {
    status: 200,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": Object.keys(served.object).join(", "),
      "access-control-allow-headers": first(headers["access-control-request-headers"]) ?? "*",
    },
  };
}

function targetOf(rest: string): Target {
  try {
    const [cluster = "", bucket = "", ...name] = rest.split("/").map(decodeURIComponent);
    return { cluster, bucket, name: name.join("/") };
  } catch {
    throw new ObjectError(400, "InvalidURI", "The path is not percent-encoded UTF-8");
  }
}
