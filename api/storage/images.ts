import { z } from "zod";
import { Created, Empty, ImageId, Paging, PartId, page, RegionId, Time, Updated } from "../schema/common";
import type { Area } from "../schema/operation";

export const ImageDescription = z.string().min(1).max(65000).describe("More about the image.");
export const ImageStatus = z
  .enum(["creating", "pending_upload", "available"])
  .describe("Whether the image can be deployed yet; only an available one can.");

export type Image = z.output<typeof Image>;
/** What an instance's disk can be deployed from. */
export const Image = z.strictObject({
  id: ImageId,
  label: z.string().meta({ filterable: true }).describe("Name for people."),
  description: ImageDescription.nullable(),
  status: ImageStatus,
  type: z.enum(["manual", "automatic"]).meta({ filterable: true }).describe("Whether a person made it."),
  is_public: z.boolean().meta({ filterable: true }).describe("Whether everybody can deploy it."),
  deprecated: z.boolean().meta({ filterable: true }).describe("Whether it should not be chosen any more."),
  vendor: z
    .string()
    .nullable()
    .meta({ filterable: true })
    .describe("Maker of a public image's distribution. Null for a private image."),
  size: z.int().meta({ filterable: true }).describe("Smallest disk that holds it, in MB; 0 until it is uploaded."),
  created_by: z.string().describe("User who made it; the platform for public ones."),
  expiry: Time.nullable().describe("When an image that the platform made goes away; null if never."),
  eol: Time.nullable().describe("When support of the distribution ends. Null if unknown, and for a private image."),
  created: Created,
  updated: Updated,
});

/** What a caller may send as a label; the documents name no bounds. */
const ImageLabel = z.string().min(1).max(50).describe("Name for people; several images may have the same.");

/** How many bytes the data of an upload may have as they are sent, which is compressed. */
export const uploadLimit = 5e9;

const one = "/images/{imageId}";
const params = { imageId: ImageId.meta({ slashes: true }) };
const labels = "A label that is sent has 1 to 50 characters; images may share one.";
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
  create: {
    summary: "Capture a private image from a disk of an instance.",
    method: "POST",
    path: "/images",
    scopes: ["images:read_write", "computes:read_only"],
    grant: "add_images",
    body: z.strictObject({
      disk_id: PartId.describe("Disk to capture: a ready one of an instance that is running or offline."),
      label: ImageLabel.optional().describe("Name for people, 1 to 50 characters; the disk's label unless stated."),
      description: ImageDescription.optional(),
    }),
    result: Image,
    event: "disk_imagize",
    decided: [
      labels,
      "A restricted user captures disks of those instances that they may at least look at.",
      "The instance must be running or offline with no job under way, and is busy until the image is captured.",
      "A swap disk holds nothing that could be deployed, so it is refused.",
      "An image is as large as the data on the disk, not as the disk; it keeps the disk's filesystem.",
      "An image whose capture fails, or whose instance is deleted meanwhile, is gone.",
    ],
    source,
  },
  upload: {
    summary: "Announce a private image, and get the URL that takes its data by PUT.",
    method: "POST",
    path: "/images/upload",
    scopes: ["images:read_write"],
    grant: "add_images",
    body: z.strictObject({
      label: ImageLabel,
      region: RegionId.describe("Region that takes the data; the image can be deployed in every region."),
      description: ImageDescription.optional(),
    }),
    result: z.strictObject({
      upload_to: z.url().meta({ secret: true }).describe("URL that takes the data; whoever has it can upload."),
      image: Image,
    }),
    event: "image_upload",
    decided: [
      labels,
      "The URL takes one PUT without a token: gzip of a raw disk image with `Content-Type: application/octet-stream`; other methods are answered 405, other content types 415, everything else that is wrong 400.",
      "Compressed data may have 5,000,000,000 bytes; unpacked they may have 40,960 MB.",
      "Data that are refused or break off leave the image as it was: they can be sent again within the 24 hours, counted to the end of the upload.",
      "The event `image_upload` is scheduled until the data are there and fails when they do not come; an image whose processing fails is gone.",
      "An uploaded image is deployed as ext4 unless the disk's request says otherwise.",
      "A region with an outage takes no uploads.",
    ],
    source,
  },
  view: {
    summary: "View an image.",
    method: "GET",
    path: one,
    params,
    scopes: ["images:read_only"],
    public: true,
    result: Image,
    source,
  },
  update: {
    summary: "Change a private image's label or description.",
    method: "PUT",
    path: one,
    params,
    scopes: ["images:read_write"],
    grant: "read_write",
    body: z
      .strictObject({
        label: ImageLabel,
        description: ImageDescription.nullable(),
        status: ImageStatus.describe("Status that the image has; another one is refused."),
      })
      .partial(),
    result: Image,
    event: "image_update",
    decided: [
      labels,
      "The status follows the image's data: an update may repeat it but not change it.",
      "Public images are refused with 400.",
    ],
    source,
  },
  delete: {
    summary: "Delete a private image for good; what was deployed from it stays.",
    method: "DELETE",
    path: one,
    params,
    scopes: ["images:read_write"],
    grant: "read_write",
    result: Empty,
    event: "image_delete",
    decided: [
      "Deleting an image that waits for its upload cancels the upload; one that is being captured or processed is refused until that is done.",
      "Instances keep the id of a deleted image in `image`, to show where they come from.",
      "Public images are refused with 400.",
    ],
    source,
  },
} satisfies Area;
