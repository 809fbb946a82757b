import { createHmac, timingSafeEqual } from "node:crypto";
import type { World } from "../../core/world";
import { turnedOn } from "./object-account";

/** What a pre-signed URL lets its bearer do, all of which is signed. */
export interface Signed {
  method: string;
  cluster: string;
  bucket: string;
  name: string;
  /** Empty for any. */
  content_type: string;
  /** Seconds since 1970. */
  expires: number;
}

export function signedUrl(world: World, origin: string, signed: Signed): string {
  const { cluster, bucket, name, expires } = signed;
  const path = [cluster, bucket, ...name.split("/")].map(encodeURIComponent).join("/");
  return `${origin}/objects/${path}?expires=${expires}&signature=${sign(world, signed)}`;
}

export const isSigned = (world: World, signed: Signed, signature: string): boolean =>
  same(sign(world, signed), signature);

/** Whether two signatures are equal, in the same time wherever they differ. */
export function same(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const sign = (world: World, { method, cluster, bucket, name, content_type, expires }: Signed): string =>
  createHmac("sha256", Buffer.from(turnedOn(world).secret, "hex"))
    .update(JSON.stringify([method, cluster, bucket, name, content_type, expires]))
    .digest("hex");
