import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { World } from "../../core/world";
import { turnedOn } from "./object-account";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets before they are stored, to hide them from a casual reader. The key is stored together with the
 * secrets, so this does not protect against attackers.
 */
export function seal(world: World, text: string): string {
  const key = sealingKey(world);
  const iv = Buffer.from(world.random.hex(2 * IV_BYTES), "hex");
  const cipher = createCipheriv(CIPHER, key, iv);
  const sealed = [cipher.update(text, "utf8"), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString("base64");
}

export function unseal(world: World, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv(CIPHER, sealingKey(world), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

const sealingKey = (world: World): Buffer =>
  Buffer.from(hkdfSync("sha256", Buffer.from(turnedOn(world).secret, "hex"), "", "object storage", 32));

/** The parts of a pre-signed URL that its signature covers. */
export interface Signed {
  method: string;
  cluster: string;
  bucket: string;
  name: string;
  /** The content type that a request must have; empty if it can have any. */
  content_type: string;
  /** Expiry time in seconds since 1970. */
  expires: number;
}

export function signedUrl(world: World, origin: string, signed: Signed): string {
  const { cluster, bucket, name, expires } = signed;
  const path = [cluster, bucket, ...name.split("/")].map(encodeURIComponent).join("/");
  return `${origin}/objects/${path}?expires=${expires}&signature=${sign(world, signed)}`;
}

export const isSigned = (world: World, signed: Signed, signature: string): boolean =>
  same(sign(world, signed), signature);

/** Compares two signatures in a time that does not depend on where they differ. */
export function same(expected: string, actual: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(actual)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const sign = (world: World, { method, cluster, bucket, name, content_type, expires }: Signed): string =>
  createHmac("sha256", Buffer.from(turnedOn(world).secret, "hex"))
    .update(JSON.stringify([method, cluster, bucket, name, content_type, expires]))
    .digest("hex");
