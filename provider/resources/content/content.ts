import { createReadStream } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Host } from "../../engine/host";
import type { AssetValue } from "./asset";
import { downloaded } from "./download";
import { requireFile } from "./require-file";

/** The inputs by which a program can declare content. A program sets exactly one of them. */
export interface ContentInputs {
  content?: string | undefined;
  file?: string | undefined;
  source?: AssetValue | undefined;
}

/** Content that is ready to be read. Each call of `bytes` reads it from its beginning. */
export interface Content {
  size: number;
  bytes(): Readable;
}

/** Name of the input by which the program declares the content. */
export const wayOf = ({ content, file, source }: ContentInputs): keyof ContentInputs | undefined =>
  content !== undefined ? "content" : file !== undefined ? "file" : source !== undefined ? "source" : undefined;

/** Opens the content that the program declares. Remote content is downloaded only once. */
export async function open(host: Host, { content, file, source = {} }: ContentInputs): Promise<Content> {
  const text = content ?? source.text;
  if (text !== undefined) return ofText(text);
  const path = file ?? source.path;
  if (path !== undefined) return ofFile(path);
  const url = new URL(source.uri ?? "");
  if (url.protocol === "file:") return ofFile(fileURLToPath(url));
  if (!/^https?:$/.test(url.protocol)) throw new Error(`only file:, http: and https: can be read, not ${url.protocol}`);
  return ofFile(await downloaded(host, url));
}

function ofText(text: string): Content {
  const bytes = Buffer.from(text);
  return { size: bytes.length, bytes: () => Readable.from([bytes]) };
}

async function ofFile(path: string): Promise<Content> {
  await requireFile(path);
  const handle = await openFile(path);
  const { size } = await handle.stat().finally(() => handle.close());
  return { size, bytes: () => createReadStream(path) };
}
