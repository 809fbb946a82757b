import type { Disk } from "../../../api";
import { entity } from "../../core/events";
import type { Fate } from "../../core/jobs";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { Part } from "../../http/handlers";

/**
 * The source of a private image, with the fields that the API does not return. Its id is the number in `private/<n>`.
 */
export interface ImageOriginRow {
  id: number;
  filesystem: Disk["filesystem"];
  /** The disk that is being captured; null before and after the capture. */
  disk_id: number | null;
  upload: ImageUpload | null;
}

/** The pending upload of the image, if it was created for one. */
export interface ImageUpload {
  /** Digest of the token in the upload URL. The token itself is not stored. */
  token: string;
  /** Event that shows the upload's progress. */
  event: number;
  username: string | null;
  /** Outcome of the processing job, if a fault on the create request set one. */
  fate: Fate;
  received: boolean;
}

export const imageOrigins: Part<{ imageOrigins: ImageOriginRow }> = {
  tables: { imageOrigins: table<ImageOriginRow>([], { refs: { disk_id: "disks" } }) },
};

export const imageId = (number: number): string => `private/${number}`;

/** The number of a private image; NaN for a public one. */
export const numberOf = (image: string): number => Number(/^private\/(\d+)$/.exec(image)?.[1]);

/** Default filesystem of a disk that is deployed from the image. */
export const filesystemOf = (world: World, image: string): Disk["filesystem"] =>
  world.imageOrigins.find(numberOf(image))?.filesystem ?? "ext4";

/** A private image as events refer to it. */
export const imageEntity = (world: World, number: number) =>
  entity("image", { id: number, label: world.images.get(imageId(number)).label });

export function removeImage(world: World, number: number): void {
  world.images.remove(imageId(number));
  if (world.imageOrigins.find(number)) world.imageOrigins.remove(number);
}

/** Deletes the images that were being captured from a deleted disk, because their jobs were cancelled with it. */
export function loseCapture(world: World, disk: number): void {
  for (const { id } of world.imageOrigins.by("disk_id", disk)) removeImage(world, id);
}
