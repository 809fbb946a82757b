import type { Disk } from "../../../api";
import { entity } from "../../core/events";
import type { Fate } from "../../core/jobs";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { Part } from "../../http/handlers";

/** Where a private image comes from, with the fields that the API does not return. Its id is the number in `private/<n>`. */
export interface ImageOriginRow {
  id: number;
  filesystem: Disk["filesystem"];
  /** The disk that is being captured; null before and after. */
  disk_id: number | null;
  upload: ImageUpload | null;
}

/** The upload of an image that was announced. */
export interface ImageUpload {
  /** Digest of the token in the URL: the token itself is stored nowhere. */
  token: string;
  /** The event that tells how far it is. */
  event: number;
  username: string | null;
  /** What a fault for the announcing request makes of the processing. */
  fate: Fate;
  received: boolean;
}

export const imageOrigins: Part<{ imageOrigins: ImageOriginRow }> = {
  tables: { imageOrigins: table<ImageOriginRow>([], { refs: { disk_id: "disks" } }) },
};

export const imageId = (number: number): string => `private/${number}`;

/** The number of a private image; NaN for public ones. */
export const numberOf = (image: string): number => Number(/^private\/(\d+)$/.exec(image)?.[1]);

/** What a disk gets that is deployed from the image, unless its request says otherwise. */
export const filesystemOf = (world: World, image: string): Disk["filesystem"] =>
  world.imageOrigins.find(numberOf(image))?.filesystem ?? "ext4";

/** A private image as events name it. */
export const imageEntity = (world: World, number: number) =>
  entity("image", { id: number, label: world.images.get(imageId(number)).label });

export function removeImage(world: World, number: number): void {
  world.images.remove(imageId(number));
  if (world.imageOrigins.find(number)) world.imageOrigins.remove(number);
}

/** The disk is gone before its capture was done, and the image with it: the job that would have ended it is dropped. */
export function loseCapture(world: World, disk: number): void {
  for (const { id } of world.imageOrigins.by("disk_id", disk)) removeImage(world, id);
}
