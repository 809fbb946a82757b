import { z } from "zod";
import { ByteCount, Time } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Acl, bucketParams } from "./object-storage-buckets";

/** Maximum length of an object's name in bytes, as in the S3 protocol. */
const NAME_BYTES = 1024;

const utf8 = new TextEncoder();

export const ObjectName = z
  .string()
  .min(1)
  .max(NAME_BYTES)
  .refine((name) => utf8.encode(name).length <= NAME_BYTES, `must be at most ${NAME_BYTES} bytes long in UTF-8`)
  .regex(/^[^\p{Surrogate}\p{Cc}\u{fffe}\u{ffff}]*$/u, "must not contain control characters")
  .regex(/^(?!(.*\/)?\.{1,2}(\/|$))/s, "must not have . or .. between slashes, because URLs cannot contain them")
  .describe("Name (key) of the object in its bucket. Can contain slashes.");

export type ObjectStorageObject = z.output<typeof ObjectStorageObject>;
/**
 * An object in a bucket or, as in S3, a common prefix: with the delimiter `/`, one entry `logs/` represents all objects
 * whose names begin with `logs/`.
 */
export const ObjectStorageObject = z.strictObject({
  name: z
    .string()
    .describe(
      "Name of the object, or a common prefix. A common prefix ends with the delimiter and represents all objects whose names begin with it.",
    ),
  etag: z.string().nullable().describe("MD5 of the content in hex. Null for a common prefix."),
  last_modified: Time.nullable().describe("Time of the last write in UTC. Null for a common prefix."),
  owner: z.string().nullable().describe("Id of the account that owns the object. Null for a common prefix."),
  size: ByteCount.nullable().describe("Size of the content in bytes. Null for a common prefix."),
});

const AclShown = z.strictObject({
  acl: Acl,
  acl_xml: z.string().describe("ACL as an `AccessControlPolicy` of the S3 protocol."),
});

/** The HTTP methods that pre-signed URLs can allow. */
export const ObjectMethod = z.enum(["GET", "PUT", "DELETE", "HEAD"]);
const WITHOUT_TYPE: readonly string[] = ["GET", "DELETE"];

const bucket = "/object-storage/buckets/{clusterId}/{bucket}";
const source = "part 2 · Endpoints · Object storage";

export const objectUrlRules: Rule<{ method: string; content_type?: string | undefined }>[] = [
  {
    reads: ["method", "content_type"],
    *check({ method, content_type }) {
      if (content_type === undefined && !WITHOUT_TYPE.includes(method))
        yield {
          field: "content_type",
          reason: `is required for ${method}; it can be omitted only for ${WITHOUT_TYPE.join(" and ")}`,
        };
    },
    source: `${source} · rule 4`,
  },
];

export const objectStorageObjects = {
  list: {
    summary: "List the objects of a bucket, sorted by name.",
    method: "GET",
    path: `${bucket}/object-list`,
    params: bucketParams,
    scopes: ["object_storage:read_only"],
    query: z.strictObject({
      marker: z
        .string()
        .optional()
        .describe("Name after which the list begins: the `next_marker` of the previous page."),
      delimiter: z
        .string()
        .optional()
        .describe(
          "Delimiter for grouping, such as `/`. All names with the same text up to the first delimiter after `prefix` become one entry: the common prefix.",
        ),
      prefix: z.string().optional().describe("Prefix of the names to list. If omitted, all are listed."),
      page_size: z.int().min(25).max(100).default(100).describe("Number of entries per page."),
    }),
    result: z.strictObject({
      data: z.array(ObjectStorageObject),
      next_marker: z.string().nullable().describe("`marker` of the next page. Null on the last page."),
      is_truncated: z.boolean().describe("Whether there is a next page."),
    }),
    decided: [
      "`next_marker` and `is_truncated` are next to `data` in the response.",
      "A common prefix is an entry in which only `name` is set. It counts as one entry on the page.",
    ],
    source,
  },
  viewAcl: {
    summary: "View the ACL of an object.",
    method: "GET",
    path: `${bucket}/object-acl`,
    params: bucketParams,
    scopes: ["object_storage:read_only"],
    query: z.strictObject({ name: ObjectName }),
    result: AclShown,
    decided: [
      "An object has the ACL of its bucket until its own ACL is set. Writing the object again removes its own ACL.",
    ],
    source,
  },
  updateAcl: {
    summary: "Update the ACL of an object.",
    method: "PUT",
    path: `${bucket}/object-acl`,
    params: bucketParams,
    scopes: ["object_storage:read_write"],
    // In most updates all fields are optional, but here the API documentation requires both.
    body: z.strictObject({ acl: Acl, name: ObjectName }),
    result: AclShown,
    decided: ["The ACL of the bucket controls writing. The ACL of an object controls reading only."],
    source,
  },
  createUrl: {
    summary: "Create a pre-signed URL for an object.",
    method: "POST",
    path: `${bucket}/object-url`,
    params: bucketParams,
    scopes: ["object_storage:read_write"],
    body: z.strictObject({
      method: ObjectMethod.describe("HTTP method of the URL, usually GET."),
      name: ObjectName.describe(
        "Name of the object. The object does not have to exist: with the method PUT, the URL can be used to upload it.",
      ),
      content_type: z
        .string()
        .min(1)
        .max(255)
        .regex(
          /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
          "must contain only characters that are allowed in an HTTP header",
        )
        .optional()
        .describe("`Content-Type` header that a request to the URL must contain."),
      expires_in: z.int().min(360).max(68400).default(3600).describe("Validity of the URL in seconds."),
    }),
    result: z.strictObject({
      url: z.string().meta({ secret: true }).describe("Pre-signed URL. Anyone who has it can use it."),
    }),
    decided: [
      "`method` is required, although the documents name GET as its default.",
      `\`method\` is one of ${ObjectMethod.options.join(", ")}.`,
      "If a URL for GET or DELETE was signed with a `content_type`, the request must have it. Otherwise any content type is accepted.",
      "A DELETE by URL succeeds even if the object does not exist, as in the S3 protocol. Other methods return 404.",
    ],
    source,
  },
} satisfies Area;
