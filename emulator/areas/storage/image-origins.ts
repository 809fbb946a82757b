import type { Disk } from "../../../api";
import { isObject } from "../../../api";
import { type JobEnding, renamed } from "../../core/core-tables";
import { entity } from "../../core/events";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { Part } from "../../http/handlers";

/**
 * Data of a private image that the API does not return, such as the disk that it is captured from. The id is the number
 * in the image's id `private/<n>`.
 */
export interface ImageOriginRow {
  id: number;
  filesystem: Disk["filesystem"];
  /** The disk that is being captured; null if no capture is in progress. */
  disk_id: number | null;
  upload: ImageUpload | null;
}

/** The pending upload of the image; null if the image is not waiting for data. */
export interface ImageUpload {
  /** Digest of the token in the upload URL. The token itself is not stored. */
  token: string;
  event: number;
  username: string | null;
  /** How the job that processes the upload will end: `finish`, unless a fault for the create request has changed it. */
  ending: JobEnding;
  received: boolean;
}

export const imageOrigins: Part<{ imageOrigins: ImageOriginRow }> = {
  tables: {
    imageOrigins: table<ImageOriginRow>([], {
      refs: { disk_id: "disks" },
      upgrade: ({ upload, ...row }) => ({
        ...row,
        upload: isObject(upload) ? renamed(upload, "fate", "ending") : upload,
      }),
    }),
  },
};

export const imageId = (number: number): string => `private/${number}`;

/** The number in the id of a private image; NaN for a public image. */
export const numberOf = (image: string): number => Number(/^private\/(\d+)$/.exec(image)?.[1]);

/** The filesystem of disks that are deployed from the image, unless a request sets another one. */
export const filesystemOf = (world: World, image: string): Disk["filesystem"] =>
  world.imageOrigins.find(numberOf(image))?.filesystem ?? "ext4";

export const imageEntity = (world: World, number: number) =>
  entity("image", { id: number, label: world.images.get(imageId(number)).label });

export function removeImage(world: World, number: number): void {
  world.images.remove(imageId(number));
  if (world.imageOrigins.find(number)) world.imageOrigins.remove(number);
}

/**
 * Deletes the images that were being captured from a deleted disk. The capture jobs were cancelled when the disk was
 * deleted.
 */
export function loseCapture(world: World, disk: number): void {
  for (const { id } of world.imageOrigins.by("disk_id", disk)) removeImage(world, id);
}
