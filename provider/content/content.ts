import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, open as openFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { request } from "undici";
import type { PlainAsset } from "./asset";

/** What a program says content is: exactly one of these. */
export interface Given {
  content?: string | undefined;
  file?: string | undefined;
  source?: PlainAsset | undefined;
}

/** Content that is ready to be read, as often as somebody asks. */
export interface Content extends AsyncDisposable {
  size: number;
  bytes(): Readable;
}

/** Which of the ways of giving content is taken. */
export const wayOf = ({ content, file, source }: Given): keyof Given | undefined =>
  content !== undefined ? "content" : file !== undefined ? "file" : source !== undefined ? "source" : undefined;

/** Opens what is given; what is elsewhere is fetched once, to a temporary file. */
export async function open({ content, file, source = {} }: Given): Promise<Content> {
  const text = content ?? source.text;
  if (text !== undefined) return ofText(text);
  const path = file ?? source.path;
  if (path !== undefined) return ofFile(path);
  const url = new URL(source.uri ?? "");
  if (url.protocol === "file:") return ofFile(fileURLToPath(url));
  if (!/^https?:$/.test(url.protocol)) throw new Error(`only file:, http: and https: can be read, not ${url.protocol}`);
  return fetched(url);
}

function ofText(text: string): Content {
  const bytes = Buffer.from(text);
  return { size: bytes.length, bytes: () => Readable.from([bytes]), [Symbol.asyncDispose]: async () => {} };
}

async function ofFile(path: string, close = async () => {}): Promise<Content> {
  const handle = await openFile(path);
  const stat = await handle.stat().finally(() => handle.close());
  if (!stat.isFile()) throw new Error(`${path} is no file`);
  return { size: stat.size, bytes: () => createReadStream(path), [Symbol.asyncDispose]: close };
}

async function fetched(url: URL): Promise<Content> {
  const { statusCode, body } = await request(url, { reset: true });
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`${url.origin}${url.pathname} answers ${statusCode}`);
  }
  const folder = await mkdtemp(join(tmpdir(), "cloudinfra-"));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, "content");
    await pipeline(body, createWriteStream(path));
    return await ofFile(path, close);
  } catch (error) {
    await close();
    throw error;
  }
}
