import { sign } from "aws4";
import { expect } from "vitest";
import type { Cloud, TestResponse } from "../cloud";

export const rule = (number: number): string => `part 2 · Endpoints · Object storage · rule ${number}`;

/**
 * Sends an S3 request, such as `GET /bucket/key`, over HTTP to the emulator's data plane of object storage. The request
 * can name a whole URL instead of a path.
 */
export async function data(
  { url }: Cloud,
  request: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | Uint8Array } = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer; text: string }> {
  const [method = "", to = ""] = request.split(" ");
  const response = await fetch(to.startsWith("http") ? to : url.replace(/\/v4$/, `/objects${to}`), {
    method,
    headers,
    ...(body !== undefined && { body: body as string }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() };
}

/** The error code in an S3 error response. */
export const code = ({ text }: { text: string }): string | undefined => /<Code>(\w+)<\/Code>/.exec(text)?.[1];

/** The contents of all XML elements with the name. */
export const elements = ({ text }: { text: string }, name: string): string[] =>
  [...text.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "g"))].map(([, found]) => found as string);

export interface Bucket {
  path: `/object-storage/buckets/${string}/${string}`;
  view(): Promise<TestResponse["body"]>;
  /** Requests a pre-signed URL for the HTTP method. */
  url(method: string, name: string, more?: { content_type?: string; expires_in?: number }): Promise<string>;
  /** Uploads an object by a pre-signed URL. */
  put(name: string, content?: string | Uint8Array, type?: string): Promise<void>;
}

export async function bucket(cloud: Cloud, label = "photos", body: object = {}): Promise<Bucket> {
  const { send } = cloud;
  const created = await send("POST /object-storage/buckets", { body: { label, cluster: "us-east-1", ...body } });
  expect(created.body.errors).toBeUndefined();
  const path: Bucket["path"] = `/object-storage/buckets/${created.body.cluster}/${label}`;
  const url: Bucket["url"] = async (method, name, more) => {
    const type = ["GET", "DELETE"].includes(method) ? {} : { content_type: "text/plain" };
    return (await send(`POST ${path}/object-url`, { body: { method, name, ...type, ...more } })).body.url;
  };
  return {
    path,
    url,
    view: async () => (await send(`GET ${path}`)).body,
    async put(name, content = name, type = "text/plain") {
      const to = await url("PUT", name, { content_type: type });
      const done = await data(cloud, `PUT ${to}`, { headers: { "content-type": type }, body: content });
      expect(done.status).toBe(200);
    },
  };
}

/** An access key and its secret, as the API returns them. */
export interface Pair {
  access_key: string;
  secret_key: string;
}

export async function key({ send }: Cloud, body: object = {}): Promise<Pair & { id: number }> {
  const created = await send("POST /object-storage/keys", { body });
  expect(created.body.errors).toBeUndefined();
  return created.body;
}

/** The headers of a request that is signed by a published client with AWS Signature Version 4. */
export function signed(
  { url, world }: Cloud,
  { access_key, secret_key }: Pair,
  request: string,
  {
    body = "",
    headers = {},
    at = world.clock.now(),
  }: { body?: string; headers?: Record<string, string>; at?: number } = {},
): Record<string, string> {
  const [method = "", to = ""] = request.split(" ");
  const { host, pathname, search } = new URL(url.replace(/\/v4$/, `/objects${to}`));
  const own = { "X-Amz-Date": new Date(at).toISOString().replace(/[-:]|\.\d+/g, ""), ...headers };
  const wanted = { service: "s3", region: "us-east-1", method, host, path: `${pathname}${search}`, headers: own, body };
  const { Host: _, ...sent } = sign(wanted, { accessKeyId: access_key, secretAccessKey: secret_key }).headers ?? {};
  return sent as Record<string, string>;
}

/** Sends a request that is signed with the access key. */
export const as =
  (cloud: Cloud, pair: Pair) =>
  (request: string, options: Parameters<typeof signed>[3] = {}) =>
    data(cloud, request, {
      headers: signed(cloud, pair, request, options),
      ...(options.body !== undefined && { body: options.body }),
    });
