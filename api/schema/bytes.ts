import { z } from "zod";
import { metaOf } from "./meta";

/** The media type of a binary body or result; undefined for JSON. */
export const contentTypeOf = (schema: z.core.$ZodType): string | undefined => metaOf(schema).contentType;

/**
 * Maximum size of a picture in bytes. The API documentation does not specify one, so this project has chosen one that
 * is below the limit for request bodies.
 */
export const MAX_PICTURE_BYTES = 512 * 1024;
const MAX_SIDE = 1024;

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The last chunk of every PNG file, which is empty: length, type and checksum. */
const END = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];
/** Length and type of the first chunk of every PNG file. */
const HEADER = [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];

/** The bits per sample that each color type allows (PNG, table 11.1). */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** The content of a complete PNG file. */
export const Png = z
  .custom<Uint8Array>((value) => value instanceof Uint8Array, "must be bytes")
  .superRefine((bytes, { addIssue }) => {
    const problem = problemOf(bytes);
    if (problem) addIssue(problem);
  })
  .meta({ contentType: "image/png" })
  .describe(`A PNG image of at most ${MAX_SIDE} by ${MAX_SIDE} pixels and ${MAX_PICTURE_BYTES / 1024} KiB.`);

function problemOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_PICTURE_BYTES) return `must be at most ${MAX_PICTURE_BYTES} bytes long`;
  if (!has(bytes, 0, SIGNATURE) || !has(bytes, SIGNATURE.length, HEADER)) return "must be a PNG image";
  if (!has(bytes, bytes.length - END.length, END)) return "must be a complete PNG image: its end is missing";
  const header = new DataView(bytes.buffer, bytes.byteOffset + 16, 13);
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  const [depth, colour, compression, filter, interlace] = [8, 9, 10, 11, 12].map((at) => header.getUint8(at)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (!depths[colour]?.includes(depth) || compression + filter > 0 || interlace > 1)
    return "must be a PNG image with a valid header";
  if (Math.min(width, height) < 1 || Math.max(width, height) > MAX_SIDE)
    return `must be at least 1 and at most ${MAX_SIDE} pixels wide and high; it is ${width} by ${height}`;
  return undefined;
}

const has = (bytes: Uint8Array, at: number, part: readonly number[]): boolean =>
  at >= 0 && part.every((byte, offset) => bytes[at + offset] === byte);
