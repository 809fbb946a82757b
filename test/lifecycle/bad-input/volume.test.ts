import { describe, expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { cloud } from "../../../testing/cloud";
import { Managed } from "../../../testing/provider";
import { lines, refusals } from "./refusals";

describe("Volume", () => {
  const data = (inputs: Bag) => refusals("Volume", { label: "data", region: "us-east", ...inputs });

  test("rejects invalid labels, sizes and regions", async () => {
    expect(await data({ label: "" })).toMatchInlineSnapshot(`
      "label: must not be empty (given "")
      label: must start with a letter and contain only letters, digits, single dashes and single underscores (given "")"
    `);
    expect(await data({ label: "a".repeat(33) })).toMatchInlineSnapshot(
      `"label: must be at most 32 characters long (given "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")"`,
    );
    expect(await data({ label: "-data" })).toMatchInlineSnapshot(
      `"label: must start with a letter and contain only letters, digits, single dashes and single underscores (given "-data")"`,
    );
    expect(await data({ size: 9 })).toMatchInlineSnapshot(`"size: must be at least 10 (given 9)"`);
    expect(await data({ size: 10241 })).toMatchInlineSnapshot(`"size: must be at most 10240 (given 10241)"`);
    expect(await data({ size: 20.5 })).toMatchInlineSnapshot(`"size: must be a whole number (given 20.5)"`);
    expect(await data({ size: "20 GB" })).toMatchInlineSnapshot(`"size: must be a number (given "20 GB")"`);
    expect(await data({ region: undefined })).toMatchInlineSnapshot(
      `"region: is required for a volume without an instance"`,
    );
  });

  test("rejects shrinking a volume", async () => {
    await using own = await cloud();
    const volume = new Managed("Volume", own.host);
    await volume.up({ label: "data", region: "us-east", size: 40 });
    expect(lines(await volume.failures({ label: "data", region: "us-east", size: 20 }))).toMatchInlineSnapshot(
      `"size: must be at least 40 (current size in GiB): volumes cannot shrink. Set size to 40 or more, also if the volume was resized outside this program (given 20)"`,
    );
    expect(lines(await volume.failures({ label: "-", region: "us-east", size: 20 })).split("\n")).toEqual([
      expect.stringMatching(/^label: must start with a letter/),
      expect.stringMatching(/^size: must be at least 40 \(current size in GiB\)/),
    ]);
    expect(await volume.preview({ label: "data", region: "eu-west", size: 20 })).toMatchObject({ op: "replace" });
  });
});
