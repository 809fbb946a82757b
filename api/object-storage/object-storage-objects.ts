import { z } from "zod";
import { Time } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Acl, bucketParams } from "./object-storage-buckets";

/** Bytes of the longest name, as in the standard protocol. */
const NAME_BYTES = 1024;

const utf8 = new TextEncoder();

export const ObjectName = z
  .string()
  .min(1)
  .max(NAME_BYTES)
  .refine((name) => utf8.encode(name).length <= NAME_BYTES, `must be at most ${NAME_BYTES} bytes long in UTF-8`)
  .regex(/^[^\p{Surrogate}\p{Cc}\u{fffe}\u{ffff}]*$/u, "must hold no control characters")
  .regex(/^(?!(.*\/)?\.{1,2}(\/|$))/s, "must have no part between slashes that is . or .., which URLs can't say")
  .describe("Name of the object in its bucket; slashes in it mean nothing to the service.");

export type ObjectStorageObject = z.output<typeof ObjectStorageObject>;
/** An object of a bucket, or what the names of several have in common up to the delimiter. */
export const ObjectStorageObject = z.strictObject({
  name: z.string().describe("Name of the object; or the common begin of names, with the delimiter at its end."),
  etag: z.string().nullable().describe("MD5 of the content, in hex; null for a common begin of names."),
  last_modified: Time.nullable().describe("When the object was written, in UTC; null for a common begin of names."),
  owner: z.string().nullable().describe("Id of the account that owns it; null for a common begin of names."),
  size: z.int().min(0).nullable().describe("Bytes of the content; null for a common begin of names."),
});

const AclShown = z.strictObject({
  acl: Acl,
  acl_xml: z.string().describe("The same as an `AccessControlPolicy` of the standard protocol."),
});

/** Methods that a pre-signed URL can be for. */
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
          reason: `is required for ${method}; only ${WITHOUT_TYPE.join(" and ")} need none`,
        };
    },
    source: `${source} · rule 4`,
  },
];

export const objectStorageObjects = {
  list: {
    summary: "List the objects of a bucket by name, from a marker on.",
    method: "GET",
    path: `${bucket}/object-list`,
    params: bucketParams,
    scopes: ["object_storage:read_only"],
    query: z.strictObject({
      marker: z.string().optional().describe("Only what comes after this: the `next_marker` of the page before."),
      delimiter: z
        .string()
        .optional()
        .describe("Names that go on after it, once the prefix is over, are one entry: what they begin with, up to it."),
      prefix: z.string().optional().describe("Only names that begin with it."),
      page_size: z.int().min(25).max(100).default(100).describe("Entries on a page."),
    }),
    result: z.strictObject({
      data: z.array(ObjectStorageObject),
      next_marker: z.string().nullable().describe("The `marker` of the next page; null on the last one."),
      is_truncated: z.boolean().describe("Whether there is a next page."),
    }),
    decided: [
      "`next_marker` and `is_truncated` stand beside `data`, once a page.",
      "A common begin of names is an entry with its `name` only, the rest of it null, and counts as one on the page.",
    ],
    source,
  },
  viewAcl: {
    summary: "View who may use an object.",
    method: "GET",
    path: `${bucket}/object-acl`,
    params: bucketParams,
    scopes: ["object_storage:read_only"],
    query: z.strictObject({ name: ObjectName }),
    result: AclShown,
    decided: ["An object has its bucket's ACL until it is given one of its own; writing it anew takes that away."],
    source,
  },
  updateAcl: {
    summary: "Change who may use an object.",
    method: "PUT",
    path: `${bucket}/object-acl`,
    params: bucketParams,
    scopes: ["object_storage:read_write"],
    // The documents ask for both fields, each time.
    body: z.strictObject({ acl: Acl, name: ObjectName }),
    result: AclShown,
    decided: ["Whether an object can be written is for its bucket's ACL to say; its own is about reading."],
    source,
  },
  createUrl: {
    summary: "Sign a URL by which anyone can use an object for a while.",
    method: "POST",
    path: `${bucket}/object-url`,
    params: bucketParams,
    scopes: ["object_storage:read_write"],
    body: z.strictObject({
      method: ObjectMethod.describe("What the URL is for; most often GET."),
      name: ObjectName.describe("Name of the object, which need not be there: a URL for PUT uploads it."),
      content_type: z
        .string()
        .min(1)
        .max(255)
        .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, "must be what a header can hold")
        .optional()
        .describe("The `Content-Type` that the request by the URL must have, to the letter."),
      expires_in: z.int().min(360).max(68400).default(3600).describe("Seconds that the URL works."),
    }),
    result: z.strictObject({ url: z.string().meta({ secret: true }).describe("The URL, as good as a password.") }),
    decided: [
      "`method` has to be given, although GET is called its default.",
      `\`method\` is one of ${ObjectMethod.options.join(", ")}.`,
      "A URL for GET or DELETE that was signed with a `content_type` needs it as well; without one, any will do.",
      "A URL for DELETE succeeds also when the object is gone, as in the standard protocol; the others answer 404.",
    ],
    source,
  },
} satisfies Area;
