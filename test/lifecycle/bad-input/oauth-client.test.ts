import { truncateSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { picture } from "../kinds/oauth-client";
import { refusals } from "./refusals";

describe("OAuthClient", () => {
  const client = async (inputs: Bag) =>
    (await refusals("OAuthClient", { label: "Shop", redirectUri: "https://example.org/", ...inputs })).replaceAll(
      /\S*(cloudinfra-pictures)[^/]*/g,
      "…",
    );

  test("rejects invalid URLs and versions", async () => {
    expect(await client({ redirectUri: "ftp://example.org/" })).toMatchInlineSnapshot(
      `"redirectUri: must be an http or https URL (given "ftp://example.org/")"`,
    );
    expect(await client({ redirectUri: "https://me@example.org/#top" })).toMatchInlineSnapshot(`
      "redirectUri: must not contain a fragment (#…) (given "https://me@example.org/#top")
      redirectUri: must not contain a username (given "https://me@example.org/#top")"
    `);
    expect(await client({ label: "", public: "no", secretVersion: 1.5 })).toMatchInlineSnapshot(`
      "label: must not be empty (given "")
      public: must be true or false (given "no")
      secretVersion: must be a whole number (given 1.5)"
    `);
    expect(await client({ secret: "Planted-1" })).toMatchInlineSnapshot(`"secret: is not a known field"`);
  });

  test("rejects invalid pictures", async () => {
    expect(await client({ thumbnail: "/nowhere/logo.png" })).toMatchInlineSnapshot(
      `"thumbnail: cannot be read: ENOENT: no such file or directory, open '/nowhere/logo.png' (given "/nowhere/logo.png")"`,
    );
    const broken = picture("broken.png", 2);
    writeFileSync(broken, "GIF89a");
    expect(await client({ thumbnail: broken })).toMatchInlineSnapshot(
      `"thumbnail: must be a PNG image (given …/broken.png")"`,
    );
    expect(await client({ thumbnail: picture("huge.png", 1025) })).toMatchInlineSnapshot(
      `"thumbnail: must be at least 1 and at most 1024 pixels wide and high; it is 1025 by 1025 (given …/huge.png")"`,
    );
    expect(await client({ thumbnail: "/dev/zero" })).toMatchInlineSnapshot(
      `"thumbnail: cannot be read: /dev/zero is not a file (given "/dev/zero")"`,
    );
    const endless = picture("endless.png", 2);
    truncateSync(endless, 8 * 1024 ** 3);
    expect(await client({ thumbnail: endless })).toMatchInlineSnapshot(
      `"thumbnail: must be at most 524288 bytes long (given …/endless.png")"`,
    );
    expect(await client({ thumbnailHash: "0".repeat(64) })).toMatchInlineSnapshot(
      `"thumbnailHash: must be omitted: it is computed from the file that thumbnail names (given "0000000000000000000000000000000000000000000000000000000000000000")"`,
    );
  });
});
