import { z } from "zod";
import { Instance } from "../compute/instances";
import { Domain } from "../domains/domains";
import { NodeBalancer } from "../load-balancers/node-balancers";
import { asSet, Empty, Id, Paging, page, Tag } from "../schema/common";
import type { Area } from "../schema/operation";
import { Volume } from "../storage/volumes";

export type TagRecord = z.output<typeof TagRecord>;
/** A tag that groups objects of several types. */
export const TagRecord = z.strictObject({ label: Tag.describe("Label of the tag.") });

const tagged = <T extends string, D extends z.core.$ZodType>(type: T, data: D) =>
  z.strictObject({
    type: z.literal(type).describe("Type of the tagged object."),
    data,
  });

export type TaggedObject = z.output<typeof TaggedObject>;
/**
 * A tagged object with its type. `data` has the same fields as the response of the operation that returns an object of
 * this type, such as `GET /volumes/{id}`.
 */
export const TaggedObject = z.discriminatedUnion("type", [
  tagged("compute", Instance.describe("Tagged instance.")),
  tagged("domain", Domain.describe("Tagged domain.")),
  tagged("nodebalancer", NodeBalancer.describe("Tagged load balancer.")),
  tagged("volume", Volume.describe("Tagged volume.")),
]);

/**
 * Key for comparing tags, because `Web` and `web` are the same tag. Not for storing: the service keeps the case in
 * which a tag was sent.
 */
export const sameTag = (label: string): string => label.toLowerCase();

const Ids = z.array(Id).meta({ canonical: asSet });

export type TagCreate = z.output<typeof TagCreate>;
export const TagCreate = z.strictObject({
  label: Tag.describe("Label of the tag. Must have 3 to 50 characters. Must be unique regardless of case."),
  computes: Ids.optional().describe("Instances to tag."),
  domains: Ids.optional().describe("Domains to tag."),
  nodebalancers: Ids.optional().describe("Load balancers to tag."),
  volumes: Ids.optional().describe("Volumes to tag."),
});

const one = "/tags/{label}";
const params = { label: z.string().min(1).meta({ slashes: true }) };
const caseless =
  "Tags are case-insensitive. The list has a tag in the case in which it was created by this API, or else in that of the oldest object with the tag. An object has its tags in the case in which they were set.";
const source = "part 2 · Endpoints · Tags";

export const tags = {
  list: {
    summary: "List the tags of the account.",
    method: "GET",
    path: "/tags",
    scopes: ["account:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(TagRecord),
    decided: [
      caseless,
      "The list contains every tag of any object, including firewalls, clusters and node pools, in alphabetical order.",
      "A tag created by this API exists until it is deleted. A tag that was only set on an object is deleted with the last object that has it.",
    ],
    source,
  },
  create: {
    summary: "Create a tag and add it to objects.",
    method: "POST",
    path: "/tags",
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: TagCreate,
    result: TagRecord,
    event: "tag_create",
    decided: [
      caseless,
      "Creating an existing tag is an error. Add it to objects by updating them.",
      "If one of the objects does not exist, the tag is not added to any of them.",
    ],
    source,
  },
  objects: {
    summary: "List the instances, domains, load balancers and volumes with a tag.",
    method: "GET",
    path: one,
    params,
    scopes: ["account:read_only"],
    query: Paging,
    result: page(TaggedObject),
    decided: [
      "Objects are sorted by type, then by age, oldest first. Firewalls, clusters and node pools are not listed.",
      "Restricted users get the objects that they have access to, and 404 if there are none.",
    ],
    source,
  },
  delete: {
    summary: "Delete a tag and remove it from all objects.",
    method: "DELETE",
    path: one,
    params,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: Empty,
    event: "tag_delete",
    decided: ["Also removes it from firewalls, clusters and node pools."],
    source,
  },
} satisfies Area;
