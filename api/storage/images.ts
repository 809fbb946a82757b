import { z } from "zod";
import { Created, Empty, ImageId, Paging, PartId, page, RegionId, Time, Updated } from "../schema/common";
import type { Area } from "../schema/operation";

const MAX_DESCRIPTION = 65000;
export const ImageDescription = z.string().min(1).max(MAX_DESCRIPTION).describe("Description of the image.");
const NewDescription = z.string().max(MAX_DESCRIPTION).optional().describe("Description of the image.");
export const ImageStatus = z
  .enum(["creating", "pending_upload", "available"])
  .describe("Status of the image. Only an `available` image can be deployed.");

export type Image = z.output<typeof Image>;
/** An image that disks are deployed from. */
export const Image = z.strictObject({
  id: ImageId,
  label: z.string().meta({ filterable: true }).describe("Label of the image."),
  description: z.string().nullable().describe("Description of the image. Empty or null if not set."),
  status: ImageStatus,
  type: z
    .enum(["manual", "automatic"])
    .meta({ filterable: true })
    .describe("Whether the image was created manually instead of automatically."),
  is_public: z.boolean().meta({ filterable: true }).describe("Whether the image is available to all accounts."),
  deprecated: z.boolean().meta({ filterable: true }).describe("Whether the image is deprecated."),
  vendor: z
    .string()
    .nullable()
    .meta({ filterable: true })
    .describe("Vendor of the distribution. Null for a private image."),
  size: z
    .int()
    .meta({ filterable: true })
    .describe("Minimum size in MB of a disk for the image. 0 until the upload is complete."),
  created_by: z
    .string()
    .meta({ names: "platform" })
    .describe("Name of the user who created the image. For a public image, the name of the platform."),
  expiry: Time.nullable().describe(
    "Time at which an automatically created image is deleted. Null if it is never deleted.",
  ),
  eol: Time.nullable().describe("End of life of the distribution. Null if unknown, and for private images."),
  created: Created,
  updated: Updated,
});

/**
 * The label of an image in a request. The API documentation does not limit its length; 50 characters is this project's
 * choice.
 */
const ImageLabel = z.string().min(1).max(50).describe("Label of the image. Does not have to be unique.");

/** Maximum size of an image upload in bytes, compressed. */
export const uploadLimit = 5e9;

const one = "/images/{imageId}";
const params = { imageId: ImageId.meta({ slashes: true, examples: ["private/12"] }) };
const labels = "A label must have 1 to 50 characters. Images can have the same label.";
const source = "part 2 · Endpoints · Images";

export const images = {
  list: {
    summary: "List the public images and, with a token, the private images of the account.",
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
      disk_id: PartId.describe(
        "Disk to capture. Its status must be ready, and its instance must be running or offline.",
      ),
      label: ImageLabel.optional().describe(
        "Label of the image. Must have 1 to 50 characters. Defaults to the label of the disk.",
      ),
      description: NewDescription,
    }),
    result: Image,
    event: "disk_imagize",
    decided: [
      labels,
      "Restricted users can capture disks of instances that they have at least read access to.",
      "The instance must be running or offline, without a job in progress. It is busy until the image is captured.",
      "A swap disk cannot be captured.",
      "The description is at most as long as in an update.",
      "The size of the image is the size of the data on the disk, not the size of the disk. The image keeps the filesystem of the disk.",
      "If the capture fails, or if the instance is deleted during the capture, the image is deleted.",
    ],
    source,
  },
  upload: {
    summary: "Create a private image and return the URL for uploading its data.",
    method: "POST",
    path: "/images/upload",
    scopes: ["images:read_write"],
    grant: "add_images",
    body: z.strictObject({
      label: ImageLabel,
      region: RegionId.describe("Region of the upload. The image can be deployed in every region."),
      description: NewDescription,
    }),
    result: z.strictObject({
      upload_to: z
        .url()
        .meta({ secret: true })
        .describe("URL for uploading the data. Anyone who has the URL can upload."),
      image: Image,
    }),
    event: "image_upload",
    decided: [
      labels,
      "The URL accepts one PUT without a token: a gzip-compressed raw disk image with `Content-Type: application/octet-stream`. Other methods return 405, other content types 415, and all other errors 400.",
      "Compressed data can have up to 5,000,000,000 bytes, uncompressed data up to 40,960 MB.",
      "Rejected or interrupted uploads do not change the image. The data can be sent again. The upload must be complete within 24 hours.",
      "The event `image_upload` is scheduled until the data arrives, and fails if it does not arrive. If processing fails, the image is deleted.",
      "An uploaded image is deployed as ext4 unless the request for the disk sets another filesystem.",
      "A region with an outage does not accept uploads.",
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
        status: ImageStatus.describe("Status of the image. Read-only: if set, it must be the current status."),
      })
      .partial(),
    result: Image,
    event: "image_update",
    decided: [
      labels,
      "The status cannot be changed: an update can only repeat the current value.",
      "A request for a public image returns 403.",
    ],
    source,
  },
  delete: {
    summary: "Delete a private image permanently. Disks that were deployed from it are not affected.",
    method: "DELETE",
    path: one,
    params,
    scopes: ["images:read_write"],
    grant: "read_write",
    result: Empty,
    event: "image_delete",
    decided: [
      "Deleting an image before its upload cancels the upload. An image that is being captured or processed cannot be deleted.",
      "Instances keep the id of a deleted image in `image`.",
      "A request for a public image returns 403.",
    ],
    source,
  },
} satisfies Area;
