import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Managed } from "../../../testing/provider";
import { account } from "./accounts";

describe("the content type of an ObjectStorageObject", () => {
  const at = { cluster: "us-east-1", bucket: "site" };
  const id = (name: string) => `us-east-1/site/${name}`;

  async function bucket() {
    const world = await account();
    await world.api.objectStorageBuckets.create({ body: { cluster: at.cluster, label: at.bucket } });
    return world;
  }

  test.each([
    ["page", { file: "page.html" }, "text/html"],
    ["page", { file: "PAGE.HTML" }, "text/html"],
    ["page.css", { file: "style.unheard-of" }, "text/css"],
    ["data.json", { content: "{}" }, "application/json"],
    ["data", { content: "{}" }, "application/octet-stream"],
    ["logo.svg", { source: { path: "logo.png" } }, "image/png"],
    ["page.html", { file: "page.html", contentType: "text/plain" }, "text/plain"],
  ])("%s of %j is sent as %s", async (name, value, type) => {
    await using world = await bucket();
    const path = (file: string) => join(tmpdir(), `content-type-${file}`);
    const file = "file" in value ? value.file : "source" in value ? value.source.path : undefined;
    if (file) await writeFile(path(file), "content");
    const inputs =
      "file" in value
        ? { ...value, file: path(value.file) }
        : "source" in value
          ? { source: { path: path(value.source.path) } }
          : value;
    const it = new Managed("ObjectStorageObject", world.host);
    await it.up({ ...at, name, ...inputs });
    expect(world.world.objectStorageObjects.get(id(name)).content_type).toBe(type);
    expect(await it.preview({ ...at, name, ...inputs })).toMatchObject({ op: "same" });
  });

  test("a content type from an earlier version is not a difference if the program omits it", async () => {
    await using world = await bucket();
    const it = new Managed("ObjectStorageObject", world.host);
    const page = { ...at, name: "index.html", content: "<h1>It works</h1>" };
    await it.up({ ...page, contentType: "application/octet-stream" });
    expect(await it.preview(page)).toMatchObject({ op: "same" });
    expect(await it.refresh()).toBe("same");
  });
});
