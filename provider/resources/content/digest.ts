import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Problem } from "../../../api";
import { isLate } from "../../engine/errors";
import type { Host } from "../../engine/host";
import { type ContentInputs, open, wayOf } from "./content";

/** The digest by which two contents are compared. */
export interface Digest {
  sha256: string;
  md5: string;
  size: number;
}

/** The digest of the content, or the reason why the content cannot be read. Undefined if no content is declared. */
export async function digestOf(host: Host, inputs: ContentInputs): Promise<{ digest?: Digest; problems?: Problem[] }> {
  const way = wayOf(inputs);
  if (!way) return {};
  try {
    return { digest: await digested((await open(host, inputs)).bytes()) };
  } catch (error) {
    if (isLate(error)) throw error;
    return { problems: [{ path: [way], reason: `cannot be read: ${(error as Error).message}` }] };
  }
}

async function digested(bytes: Readable): Promise<Digest> {
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  let size = 0;
  for await (const chunk of bytes) {
    sha256.update(chunk);
    md5.update(chunk);
    size += chunk.length;
  }
  return { sha256: sha256.digest("hex"), md5: md5.digest("hex"), size };
}
