import { z } from "zod";
import { Created, ImageId, Paging, page, Time, Updated } from "./common";
import type { Area } from "./operation";

export type Image = z.output<typeof Image>;
/** What an instance's disk can be deployed from. */
export const Image = z.strictObject({
  id: ImageId,
  label: z.string().meta({ filterable: true }).describe("Name for people."),
  description: z.string().min(1).max(65000).nullable().describe("More about the image."),
  status: z.enum(["creating", "pending_upload", "available"]).describe("Whether the image can be deployed yet."),
  type: z.enum(["manual", "automatic"]).meta({ filterable: true }).describe("Whether a person made it."),
  is_public: z.boolean().meta({ filterable: true }).describe("Whether everybody can deploy it."),
  deprecated: z.boolean().meta({ filterable: true }).describe("Whether it should not be chosen any more."),
  vendor: z.string().optional().meta({ filterable: true }).describe("Maker of a public image's distribution."),
  size: z.int().meta({ filterable: true }).describe("Smallest disk that holds it, in MB."),
  created_by: z.string().describe("User who made it; the platform for public ones."),
  expiry: Time.nullable().describe("When an image that the platform made goes away; null if never."),
  eol: Time.optional().describe("When the distribution's support ends; absent where nobody has said."),
  created: Created,
  updated: Updated,
});

const source = "part 2 · Endpoints · Images";

export const images = {
  list: {
    summary: "List the public images, and with a token the account's own.",
    method: "GET",
    path: "/images",
    scopes: ["images:read_only"],
    public: true,
    query: Paging,
    result: page(Image),
    source,
  },
  view: {
    summary: "View an image.",
    method: "GET",
    path: "/images/{imageId}",
    params: { imageId: ImageId.meta({ slashes: true }) },
    scopes: ["images:read_only"],
    public: true,
    result: Image,
    source,
  },
} satisfies Area;
