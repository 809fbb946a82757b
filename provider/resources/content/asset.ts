import { z } from "zod";
import { SIGNATURE } from "../../engine/values";

/** The mark of a Pulumi asset. */
const ASSET = "c44067f5952c0a294b673a41bacd8c17";

const Marked = z.strictObject({
  path: z.string().optional(),
  text: z.string().optional(),
  uri: z.string().optional(),
  hash: z.string().optional(),
  [SIGNATURE]: z.literal(ASSET).optional(),
});

/**
 * The form in which a program's `FileAsset`, `StringAsset` or `RemoteAsset` arrives. The SDK converts it to a plain `{
 * path }`, `{ text }` or `{ uri }`, because the engine may store only the hash of an asset, which SDKs cannot read
 * back.
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

/** An asset without its mark. */
export const plainAsset = ({ path, text, uri }: PlainAsset): PlainAsset =>
  path !== undefined ? { path } : text !== undefined ? { text } : { uri };
