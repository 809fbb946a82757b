import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { uploadLimit } from "../../../api";
import { ErrorResponse, notFound } from "../../core/error-response";
import type { RowOf } from "../../core/store";
import { digest } from "../../core/users";
import { task, type World } from "../../core/world";
import type { DataRequest } from "../../http/data-plane";
import type { Part } from "../../http/handlers";
import { first } from "../../http/messages";
import { RATE } from "../compute/disk-jobs";
import { type ImageUpload, imageEntity, imageId, removeImage } from "./image-origins";

/**
 * Maximum size of an upload in bytes, compressed and decompressed. The limit of the decompressed size prevents a small
 * file from keeping the service busy.
 */
export interface UploadLimits {
  compressed: number;
  unpacked: number;
}
const MB = 1024 ** 2;
const uploadLimits: UploadLimits = { compressed: uploadLimit, unpacked: 40_960 * MB };

/** Seconds after which an upload expires if no data arrives. */
const WAIT_SECONDS = 24 * 3600;
const PROCESS_SECONDS = 30;

type Announced = RowOf<"imageOrigins"> & { upload: ImageUpload };

const expired = task<{ id: number }>("imageUploads.expired", (world, { id }) => {
  const origin = world.imageOrigins.find(id);
  if (origin?.upload && !origin.upload.received) cancelUpload(world, id);
});

/**
 * Runs when the job that processes an upload has ended. The image becomes available, or is deleted if its data was
 * invalid.
 */
const processed = task<{ id: number }>("imageUploads.processed", (world, { id }, outcome) => {
  if (!world.imageOrigins.find(id)) return;
  if (outcome === "finished") world.images.patch(imageId(id), { status: "available" });
  else removeImage(world, id);
});

const prefix = "/image-uploads/";

/**
 * The URL to which the data of an image is uploaded. The token is in the query string, because the request log omits
 * query values.
 */
export const uploadUrl = (origin: string, number: number, token: string): string =>
  `${origin}${prefix}${number}?token=${token}`;

export function expectUpload(world: World, id: number, token: string): void {
  const event = world.events.add("image_upload", imageEntity(world, id), { status: "scheduled", started: null }).id;
  if (world.jobs.ending === "stall") world.jobs.stalls.add(event);
  const { actor: username } = world.events;
  world.imageOrigins.patch(id, { upload: { token, event, username, ending: world.jobs.ending, received: false } });
  // Unlike the duration of jobs, this wait does not depend on the emulator's `--pace`: the client has so much time.
  const due = world.clock.now() + WAIT_SECONDS * 1000;
  world.schedule.add({ due, task: expired.name, args: { id }, username, background: true });
}

export function cancelUpload(world: World, id: number): void {
  const upload = world.imageOrigins.find(id)?.upload;
  if (upload) world.events.table.patch(upload.event, { status: "failed", ended: world.clock.now() });
  removeImage(world, id);
}

export const imageUploads: Part = {
  tasks: [expired, processed],
  dataPlane: {
    prefix,
    async handle(world, { method, rest, query, headers, body }) {
      if (method !== "PUT") throw new ErrorResponse(405, "Method not allowed: this path accepts PUT");
      const token = query.get("token") ?? "";
      announced(world, rest, token);
      rejectHeaders(headers, uploadLimits);
      const size = await unpackedSize(body, uploadLimits);
      // While the data was read, the upload may have expired, or another request may have uploaded the data. So due
      // tasks run first, and the image is looked up again.
      world.schedule.runDue();
      startProcessing(world, announced(world, rest, token), Math.max(1, Math.ceil(size / MB)));
      return { status: 200, body: "{}" };
    },
  },
};

/** The image to which the URL belongs. Throws a 404 unless the token equals the token in the image's upload URL. */
function announced(world: World, number: string, token: string): Announced {
  const origin = /^[1-9]\d{0,14}$/.test(number) ? world.imageOrigins.find(Number(number)) : undefined;
  if (origin?.upload?.token !== digest(token)) throw notFound();
  if (origin.upload.received)
    throw new ErrorResponse(400, `Image ${imageId(origin.id)} cannot be uploaded again: its data is complete`);
  return origin as Announced;
}

function rejectHeaders(headers: DataRequest["headers"], { compressed }: UploadLimits): void {
  const type = first(headers["content-type"]);
  if (!/^application\/octet-stream\s*(;|$)/i.test(type ?? ""))
    throw new ErrorResponse(415, "The data must be sent with Content-Type: application/octet-stream");
  if (Number(first(headers["content-length"]) ?? 0) > compressed) throw tooLarge(compressed);
}

const tooLarge = (limit: number): ErrorResponse =>
  new ErrorResponse(400, `The data is too large: it must be at most ${limit} bytes compressed`);

/** The number of bytes of gzip data after decompression. The decompressed data is not stored. */
export async function unpackedSize(body: Readable, { compressed, unpacked }: UploadLimits): Promise<number> {
  const gunzip = createGunzip();
  let received = 0;
  let size = 0;
  async function* bounded(): AsyncGenerator<Uint8Array> {
    // The connection must stay open when reading ends early, because the error response is sent on it.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      received += chunk.length;
      if (received > compressed) throw tooLarge(compressed);
      yield chunk;
    }
  }
  try {
    await pipeline(bounded, gunzip, async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > unpacked)
          throw new ErrorResponse(400, `The image is too large: it must be at most ${unpacked} bytes uncompressed`);
      }
    });
  } catch (error) {
    if (error instanceof ErrorResponse) throw error;
    if (body.errored) throw new ErrorResponse(400, "The upload was interrupted; send the data again");
    throw new ErrorResponse(400, `The data is not a complete gzip file: ${(error as Error).message}`);
  }
  if (gunzip.bytesWritten < received)
    throw new ErrorResponse(400, `The data continues after the end of the gzip file, at byte ${gunzip.bytesWritten}`);
  return size;
}

function startProcessing(world: World, { id, upload }: Announced, size: number): void {
  const { event, ending, username } = upload;
  world.imageOrigins.patch(id, { upload: { ...upload, received: true } });
  world.images.patch(imageId(id), { size });
  world.events.actor = username;
  world.jobs.start({
    entity: imageEntity(world, id),
    action: "image_upload",
    seconds: PROCESS_SECONDS + size / RATE,
    task: processed,
    args: { id },
    event,
    ending: ending === "stall" && !world.jobs.stalls.has(event) ? "finish" : ending,
  });
}
