import { z } from "zod";

/** The keys by which Pulumi tells an asset from a plain object. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";

const Marked = z.strictObject({
  path: z.string().optional(),
  text: z.string().optional(),
  uri: z.string().optional(),
  hash: z.string().optional(),
  [SIGNATURE]: z.literal(ASSET).optional(),
});

/**
 * What a program's `FileAsset`, `StringAsset` or `RemoteAsset` arrives as. The SDK makes a plain `{ path }`, `{ text }` or
 * `{ uri }` of it, since what the engine keeps of an asset in state can be its hash alone, which no SDK reads back.
 */
export const Asset = z
  .custom<PlainAsset>(
    (value) => {
      const { success, data } = Marked.safeParse(value);
      return success && [data.path, data.text, data.uri].filter((way) => way !== undefined).length === 1;
    },
    { error: "must be a FileAsset, StringAsset or RemoteAsset" },
  )
  .meta({ opaque: true, asset: true });

export interface PlainAsset {
  path?: string | undefined;
  text?: string | undefined;
  uri?: string | undefined;
}

/** An asset without what marks it. */
export const plainAsset = ({ path, text, uri }: PlainAsset): PlainAsset =>
  path !== undefined ? { path } : text !== undefined ? { text } : { uri };
