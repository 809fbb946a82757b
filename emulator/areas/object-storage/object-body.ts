import { createHash } from "node:crypto";
import type { DataRequest } from "../../http/data-plane";
import { first } from "../../http/messages";
import { ObjectError } from "./object-protocol";

/** The service takes 5 GB in a request; what the emulator keeps lies in memory and in snapshots. */
const OBJECT_LIMIT = 16 * 1024 * 1024;

/** All bytes of a request, refused as soon as they are too many. */
export async function bodyOf({ body, headers }: Pick<DataRequest, "body" | "headers">): Promise<Buffer> {
  if (Number(first(headers["content-length"]) ?? 0) > OBJECT_LIMIT) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The stream stays whole when the loop is left: the answer goes the same way.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > OBJECT_LIMIT) throw tooLarge();
    }
  } catch (error) {
    body.resume();
    throw error instanceof ObjectError ? error : new ObjectError(400, "IncompleteBody", "The body broke off");
  }
  const bytes = Buffer.concat(chunks);
  const md5 = first(headers["content-md5"]);
  if (md5 !== undefined && md5 !== createHash("md5").update(bytes).digest("base64"))
    throw new ObjectError(400, "BadDigest", "The body does not have the given Content-MD5");
  return bytes;
}

const tooLarge = (): ObjectError =>
  new ObjectError(
    413,
    "EntityTooLarge",
    `The emulator keeps at most ${OBJECT_LIMIT} bytes (${OBJECT_LIMIT / 1024 / 1024} MiB) of an object; the service takes 5 GB in a request`,
  );
