import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { uploadLimit } from "../../api";
import type { Host } from "../engine/host";
import { asLost, type Content, type Given, open, transfer } from "./content";

export interface Upload extends Given {
  /** Name of the upload for messages. */
  name: string;
  /** The upload URL. */
  to: string;
  /** SHA-256 of the content, as computed in the preview. */
  hash?: string | undefined;
}

/** Uploads the data of an image. The data is compressed while it is sent, unless it is already compressed. */
export async function sendImage(host: Host, upload: Upload): Promise<void> {
  const content = await open(host, upload);
  const isPacked = await beginsAsGzip(content);
  // If the content cannot be read or has changed, the upload request fails too. `contentError` then contains the cause, which
  // is reported instead of the request's error.
  let contentError: Error | undefined;
  const fail: Fail = (error) => {
    contentError = error;
    throw error;
  };
  const body = () => {
    const bytes = checked(content, upload, { onProgress: sending(host, upload.name, content.size), fail });
    return Readable.from(limited(isPacked ? bytes : gzip(bytes), fail), { objectMode: false });
  };
  const headers = {
    "content-type": "application/octet-stream",
    ...(isPacked && { "content-length": String(content.size) }),
  };
  try {
    const { name: what, to } = upload;
    await transfer(host, { what, method: "PUT", url: async () => to, headers, body, once: true });
  } catch (error) {
    throw contentError ?? asLost("images.upload", error);
  }
}

/** Size in bytes of a file that is compressed with gzip. 0 for other files and for files that cannot be read. */
export async function packedSize(host: Host, file: string | undefined): Promise<number> {
  if (file === undefined) return 0;
  try {
    const content = await open(host, { file });
    return (await beginsAsGzip(content)) ? content.size : 0;
  } catch {
    return 0;
  }
}

async function beginsAsGzip(content: Content): Promise<boolean> {
  let beginning = Buffer.alloc(0);
  for await (const chunk of content.bytes()) {
    beginning = Buffer.concat([beginning, chunk as Uint8Array]);
    if (beginning.length > 1) break;
  }
  return beginning[0] === 0x1f && beginning[1] === 0x8b;
}

type Bytes = AsyncIterable<Uint8Array>;
type Fail = (error: Error) => never;

/** Yields the content, and fails at the end if it differs from the content that the preview has hashed. */
async function* checked(
  content: Content,
  { name, hash }: Upload,
  { onProgress, fail }: { onProgress: (bytes: number) => void; fail: Fail },
): AsyncGenerator<Uint8Array> {
  const sha256 = createHash("sha256");
  try {
    for await (const chunk of content.bytes() as Bytes) {
      sha256.update(chunk);
      onProgress(chunk.length);
      yield chunk;
    }
  } catch (error) {
    fail(new Error(`${name}: the content cannot be read completely: ${(error as Error).message}`));
  }
  if (hash !== undefined && sha256.digest("hex") !== hash)
    fail(new Error(`${name}: the content changed during the upload. Run the update again`));
}

function gzip(bytes: AsyncGenerator<Uint8Array>): Bytes {
  const packed = createGzip();
  // The callback can be empty, because the streams themselves pass errors on.
  pipeline(bytes, packed, () => {});
  return packed;
}

/** Yields the data, and fails as soon as it exceeds the service's maximum size. */
async function* limited(bytes: Bytes, fail: Fail): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > uploadLimit)
      fail(
        new Error(`the content must be at most ${uploadLimit} bytes after gzip compression; the upload was stopped`),
      );
    yield chunk;
  }
}

const MB = 1e6;
/** Minimum size in bytes for which progress is reported. Smaller uploads end too soon for that. */
const LARGE = 20 * MB;
/** Milliseconds after which progress is reported even if little was sent. */
const QUIET_MS = 5000;

/**
 * Returns a function that counts the bytes that have been sent, and reports the progress every few seconds or after
 * every tenth of the content.
 */
function sending(
  { now, progress }: Pick<Host, "now" | "progress">,
  name: string,
  size: number,
): (bytes: number) => void {
  let sent = 0;
  let last = { sent, at: now() };
  return (bytes) => {
    sent += bytes;
    if (size < LARGE || (sent - last.sent < size / 10 && now() - last.at < QUIET_MS)) return;
    last = { sent, at: now() };
    progress(`${name}: ${Math.round(sent / MB)} of ${Math.round(size / MB)} MB sent`);
  };
}
