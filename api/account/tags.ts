import { z } from "zod";
import { Instance } from "../compute/instances";
import { Domain } from "../domains/domains";
import { NodeBalancer } from "../load-balancers/node-balancers";
import { asSet, Empty, Id, Paging, page, Tag } from "../schema/common";
import type { Area } from "../schema/operation";
import { Volume } from "../storage/volumes";

export type TagRecord = z.output<typeof TagRecord>;
/** A label of the user's own that groups things of several kinds. */
export const TagRecord = z.strictObject({ label: Tag.describe("The tag itself.") });

const tagged = <T extends string, D extends z.core.$ZodType>(type: T, data: D) =>
  z.strictObject({
    type: z.literal(type).describe("Kind of the object."),
    data,
  });

export type TaggedObject = z.output<typeof TaggedObject>;
/** An object that has a tag, as its own operation shows it. */
export const TaggedObject = z.discriminatedUnion("type", [
  tagged("compute", Instance),
  tagged("domain", Domain),
  tagged("nodebalancer", NodeBalancer),
  tagged("volume", Volume),
]);

/** Tags are told apart without regard to case: of two spellings the older one is shown. */
export const sameTag = (label: string): string => label.toLowerCase();

const Ids = z.array(Id).meta({ canonical: asSet });

export type TagCreate = z.output<typeof TagCreate>;
export const TagCreate = z.strictObject({
  label: Tag.describe("Label of the tag, 3 to 50 characters; no other tag may differ from it by case alone."),
  computes: Ids.optional().describe("Instances that get the tag."),
  domains: Ids.optional().describe("Domains that get the tag."),
  nodebalancers: Ids.optional().describe("Load balancers that get the tag."),
  volumes: Ids.optional().describe("Volumes that get the tag."),
});

const one = "/tags/{label}";
const params = { label: z.string().min(1).meta({ slashes: true }) };
const caseless = "Tags that differ by case alone are the same tag, shown as it was written first.";
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
      "Every tag that something carries is listed, firewalls, clusters and node pools included; tags are in alphabetical order.",
      "A tag that was created stays until it is deleted; one that only came with an object goes with the last object that carries it.",
    ],
    source,
  },
  create: {
    summary: "Create a tag, and put it on objects.",
    method: "POST",
    path: "/tags",
    scopes: ["account:read_write"],
    grant: "unrestricted",
    body: TagCreate,
    result: TagRecord,
    event: "tag_create",
    decided: [
      caseless,
      "A tag that exists, created or on an object, is refused: objects get it by their own update.",
      "If one of the objects is not there, no object gets the tag.",
    ],
    source,
  },
  objects: {
    summary: "List the instances, domains, load balancers and volumes that have a tag.",
    method: "GET",
    path: one,
    params,
    scopes: ["account:read_only"],
    query: Paging,
    result: page(TaggedObject),
    decided: [
      "Objects come kind by kind, the oldest first; firewalls, clusters and node pools have no form here and are left out.",
      "A restricted user gets the objects that they may see, and 404 if there are none.",
    ],
    source,
  },
  delete: {
    summary: "Delete a tag, and take it off all objects.",
    method: "DELETE",
    path: one,
    params,
    scopes: ["account:read_write"],
    grant: "unrestricted",
    result: Empty,
    event: "tag_delete",
    decided: ["It is taken off firewalls, clusters and node pools as well."],
    source,
  },
} satisfies Area;
