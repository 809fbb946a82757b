import { expect, test } from "vitest";
import { mutations, sandbox } from "./sandbox";

/** A program with a bucket, an access key that is limited to the bucket, and objects from a text, a file and assets. */
const program = (text: string): string => `
const pulumi = require("@pulumi/pulumi");
const fs = require("node:fs");
fs.writeFileSync("page.html", "<h1>${text}</h1>");
const bucket = new cloudinfra.ObjectStorageBucket("photos", { cluster: "us-east-1", acl: "private", corsEnabled: true });
const at = { cluster: bucket.cluster, bucket: bucket.label };
const key = new cloudinfra.ObjectStorageKey("uploads", {
  bucketAccess: [{ cluster: bucket.cluster, bucketName: bucket.label, permissions: "read_write" }],
});
const object = (name, args) => new cloudinfra.ObjectStorageObject(name, { ...at, name: "docs/" + name, ...args });
object("text", { content: "${text}", acl: "public-read" });
object("path", { file: "page.html", contentType: "text/html" });
object("file", { source: new pulumi.asset.FileAsset("page.html"), contentType: "text/html" });
object("string", { source: new pulumi.asset.StringAsset("${text}") });
const later = object("later", { source: bucket.hostname.apply((host) => new pulumi.asset.StringAsset(host + "${text}")) });
exports.secret = key.secretKey;
exports.hash = later.contentHash;
`;

test("object storage in one program: up, no changes, edit in place, no changes, destroy", async () => {
  await using box = await sandbox(program("one"));
  const { stack, emulator } = box;
  const up = await stack.up();
  expect(up.changes).toEqual({ create: 8 });
  expect(box.holds()).toMatchObject({ objectStorageBuckets: 1, objectStorageKeys: 1, objectStorageObjects: 5 });
  const state = JSON.stringify(await stack.export());
  expect(state).toMatch(/"secretKey":\{"4dabf18193072939515e22adb298388d":/);

  emulator.requests.clear();
  await stack.preview(["--expect-no-changes"]);
  for (let times = 0; times < 2; times++) await stack.refresh(["--expect-no-changes"]);
  await stack.preview(["--expect-no-changes"]);
  expect(mutations(emulator)).toEqual([]);

  await box.rewrite(program("two"));
  const edited = await stack.up();
  expect(new Set(Object.values(edited.ops))).toEqual(new Set(["update"]));
  expect(Object.keys(edited.ops)).toHaveLength(5);
  const contents = emulator.world.objectStorageContents
    .all()
    .map(({ bytes }) => Buffer.from(bytes, "base64").toString());
  expect(contents.filter((text) => text.includes("two"))).toHaveLength(5);
  await stack.preview(["--expect-no-changes"]);
  await stack.destroy();
  for (const table of ["objectStorageBuckets", "objectStorageKeys", "objectStorageObjects"])
    expect(box.holds()).not.toHaveProperty(table);
});
