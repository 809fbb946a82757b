import { truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { disk, file } from "../kinds/files";
import { refusals } from "./refusals";

describe("Image", () => {
  const image = (inputs: Bag) => refusals("Image", { label: "golden", ...inputs });
  const upload = (inputs: Bag) => image({ region: "us-east", ...inputs });

  test("requires exactly one source", async () => {
    expect(await image({})).toMatchInlineSnapshot(`"diskId: is required unless file or source is set"`);
    expect(await image({ diskId: 1, source: { text: "disk" }, region: "us-east" })).toMatchInlineSnapshot(`
      "["source"]: must be omitted if diskId is set (given {"text":"disk"})
      region: must be omitted if diskId is set: only uploads have a region (given "us-east")"
    `);
    expect(await image({ file: disk.raw })).toMatchInlineSnapshot(`"region: is required for an upload"`);
    expect(await upload({ source: { path: "a", text: "b" } })).toMatchInlineSnapshot(
      `"["source"]: must be a FileAsset, StringAsset or RemoteAsset (given {"path":"a","text":"b"})"`,
    );
    expect(await upload({ file: disk.raw, label: "a".repeat(51), description: "" })).toMatchInlineSnapshot(`
      "label: must be at most 50 characters long (given "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
      description: must not be empty (given "")"
    `);
    expect(await image({ diskId: 1, contents: "disk" })).toMatchInlineSnapshot(`"contents: is not a known field"`);
  });

  test("rejects a file that cannot be read or is not an image", async () => {
    const shown = async (inputs: Bag) =>
      (await upload(inputs)).replaceAll(tmpdir(), "/tmp").replaceAll(/files-\w{6}/g, "files-x");
    expect(await shown({ file: "none.img" })).toMatchInlineSnapshot(
      `"file: cannot be read: ENOENT: no such file or directory, open 'none.img' (given "none.img")"`,
    );
    expect(await shown({ file: tmpdir() })).toMatchInlineSnapshot(
      `"file: cannot be read: /tmp is not a file (given "/tmp")"`,
    );
    expect(await shown({ source: { path: "none.img" } })).toMatchInlineSnapshot(
      `"["source"]: cannot be read: ENOENT: no such file or directory, open 'none.img' (given {"path":"none.img"})"`,
    );
    expect(await shown({ source: { uri: "s3://images/golden.img" } })).toMatchInlineSnapshot(
      `"["source"]: cannot be read: only file:, http: and https: can be read, not s3: (given {"uri":"s3://images/golden.img"})"`,
    );
    const large = file("large.img.gz", gzipSync(disk.text));
    truncateSync(large, 5e9 + 1);
    expect(await shown({ file: large })).toMatchInlineSnapshot(
      `"file: must be at most 5000000000 bytes after gzip compression; it is 5000000001 (given "/tmp/cloudinfra-files-x/large.img.gz")"`,
    );
    expect(await shown({ file: file("empty.img", "") })).toMatchInlineSnapshot(
      `"file: must be a disk image; it is empty (given "/tmp/cloudinfra-files-x/empty.img")"`,
    );
  });
});
