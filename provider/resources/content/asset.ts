import { createHash } from "node:crypto";
import { z } from "zod";
import { SIGNATURE } from "../../engine/values";

/** The signature by which Pulumi marks assets. */
const ASSET = "c44067f5952c0a294b673a41bacd8c17";

const Marked = z.strictObject({
  path: z.string().optional(),
  text: z.string().optional(),
  uri: z.string().optional(),
  hash: z.string().optional(),
  [SIGNATURE]: z.literal(ASSET).optional(),
});

/**
 * A `FileAsset`, `StringAsset` or `RemoteAsset` of a program. The SDK converts it to `{ path }`, `{ text }` or
 * `{ uri }`, because Pulumi may store only the hash of an asset, which the SDKs cannot convert back to an asset.
 */
export const Asset = z
  .custom<AssetValue>(
    (value) => {
      const { success, data } = Marked.safeParse(value);
      return success && (waysOf(data).length === 1 || isEmptyText(data));
    },
    { error: "must be a FileAsset, StringAsset or RemoteAsset" },
  )
  .meta({ opaque: true, asset: true });

const waysOf = ({ path, text, uri }: AssetValue): string[] => [path, text, uri].filter((way) => way !== undefined);

const EMPTY = createHash("sha256").digest("hex");

/** Whether Pulumi has omitted the empty text of a `StringAsset`, as it does for the native plugin. */
const isEmptyText = (asset: z.output<typeof Marked>): boolean =>
  !waysOf(asset).length && asset[SIGNATURE] === ASSET && asset.hash === EMPTY;

export interface AssetValue {
  path?: string | undefined;
  text?: string | undefined;
  uri?: string | undefined;
}

/** Removes Pulumi's signature from an asset. */
export const assetWithoutMarker = ({ path, text, uri }: AssetValue): AssetValue =>
  path !== undefined ? { path } : uri !== undefined ? { uri } : { text: text ?? "" };
