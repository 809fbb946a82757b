import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test as vitest } from "vitest";
import { UNKNOWN } from "../../../provider/engine/values";
import { Managed } from "../../../testing/provider";
import { newFolder } from "../../folder";
import { fresh } from "../../fresh";
import { type Account, account } from "./accounts";

const test = vitest
  .extend("world", fresh(bucket))
  .extend("it", async ({ world }) => new Managed("ObjectStorageObject", world.host));

const at = { cluster: "us-east-1", bucket: "photos", name: "docs/a b/ü.txt" };
const id = "us-east-1/photos/docs/a b/ü.txt";
const path = { clusterId: "us-east-1", bucket: "photos" };
const MARKED = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17" };
const data = "/objects/**";

const folder = newFolder();

async function bucket() {
  const world = await account();
  await world.api.objectStorageBuckets.create({ body: { cluster: at.cluster, label: at.bucket } });
  world.calls();
  return world;
}

const held = ({ world }: Pick<Account, "world">): string =>
  Buffer.from(world.objectStorageContents.get(id).bytes, "base64").toString();

async function overwrite({ api }: Pick<Account, "api">, body: string): Promise<void> {
  const order = { method: "PUT", name: at.name, content_type: "text/plain" } as const;
  const { url } = await api.objectStorageObjects.createUrl({ path, body: order });
  await fetch(url, { method: "PUT", headers: { "content-type": "text/plain" }, body });
}

describe("ObjectStorageObject", () => {
  test("the content can be a text, a file or an asset, which are equal if the content is", async ({ world, it }) => {
    const file = join(folder, "hello.txt");
    await writeFile(file, "hello");
    await it.up({ ...at, content: "hello" });
    expect(it.id).toBe(id);
    expect(it.outs).toMatchObject({
      size: 5,
      etag: createHash("md5").update("hello").digest("hex"),
      contentHash: createHash("sha256").update("hello").digest("hex"),
    });
    for (const way of [{ file }, { source: { path: file } }, { source: { text: "hello" } }])
      expect((await it.preview({ ...at, ...way })).op).toBe("same");
    await writeFile(file, "hello again");
    expect(await it.preview({ ...at, file })).toMatchObject({ op: "update", replaces: [] });
    await it.up({ ...at, source: { ...MARKED, path: file, hash: "0a" } as { path: string } });
    expect(held(world)).toBe("hello again");
    // State contains the file's path instead of the declared Pulumi asset, because Pulumi may store only the hash of an
    // asset.
    expect(it.state?.inputs.source).toEqual({ path: file });
    await it.up({ ...at, content: "" });
    expect([held(world), it.outs.size]).toEqual(["", 0]);
  });

  test("the preview shows an update if the content is not known yet", async ({ it }) => {
    await it.up({ ...at, content: "ours" });
    for (const way of ["content", "file", "source"])
      expect((await it.preview({ ...at, [way]: UNKNOWN })).op).toBe("update");
  });

  test("a name can have 1024 bytes, the most that the API allows", async ({ world, it }) => {
    const name = "n".repeat(1024);
    await it.up({ ...at, name, content: "ours" });
    expect(it.id).toBe(`us-east-1/photos/${name}`);
    expect(world.world.objectStorageObjects.all()).toMatchObject([{ name, size: 4 }]);
    expect(await it.refresh()).toBe("same");
  });

  test("streams a large file", async ({ it }) => {
    const file = join(folder, "large");
    await writeFile(file, Buffer.alloc(5_000_000, "photo"));
    await it.up({ ...at, file });
    expect(it.outs.size).toBe(5_000_000);
  });

  test("an object overwritten outside Pulumi is drift, and is uploaded again with its ACL", async ({ world, it }) => {
    const inputs = { ...at, content: "ours", acl: "public-read" as const };
    await it.up(inputs);
    await overwrite(world, "theirs");
    expect(await it.refresh()).toBe("changed");
    await it.refresh();
    expect((await it.up(inputs)).op).toBe("update");
    expect([held(world), await it.refresh()]).toEqual(["ours", "same"]);
    expect(it.outs).toMatchObject({ acl: "public-read" });
  });

  test("an upload outside Pulumi removes the object's own ACL, and the next update sets it again", async ({
    world,
    it,
  }) => {
    const inputs = { ...at, content: "ours", acl: "private" as const };
    await it.up(inputs);
    await overwrite(world, "ours, revised");
    // The bucket has the declared ACL, so the object seems to have it too.
    expect(await it.refresh()).toBe("changed");
    await it.up({ ...inputs, content: "ours, revised" });
    await world.api.objectStorageBuckets.updateAccess({ path, body: { acl: "public-read" } });
    expect(await it.refresh()).toBe("same");
  });

  test("a declared ACL stays if the bucket's ACL changes, also after another upload", async ({ world, it }) => {
    for (const content of ["one", "two"]) {
      await it.up({ ...at, content, acl: "private" });
      for (const acl of ["public-read", "private"] as const) {
        await world.api.objectStorageBuckets.updateAccess({ path, body: { acl } });
        expect(await it.refresh()).toBe("same");
      }
    }
  });

  test("an ACL that the program does not declare stays, also after another upload", async ({ world, it }) => {
    const { viewAcl, updateAcl } = world.api.objectStorageObjects;
    const acl = async () => (await viewAcl({ path, query: { name: at.name } })).acl;
    await it.up({ ...at, content: "one" });
    await updateAcl({ path, body: { name: at.name, acl: "public-read" } });
    world.calls();
    await it.up({ ...at, content: "two" });
    expect(world.calls()).toEqual(["objectStorageObjects.createUrl", "null", "objectStorageObjects.updateAcl"]);
    expect(await acl()).toBe("public-read");
    await it.up({ ...at, content: "two", acl: "authenticated-read" });
    expect((await it.up({ ...at, content: "two" })).op).toBe("same");
    await it.up({ ...at, content: "three" });
    expect(await acl()).toBe("authenticated-read");
    // The object has the ACL of its bucket, which needs no request.
    await updateAcl({ path, body: { name: at.name, acl: "private" } });
    it.reconnect(world.reconnect());
    world.calls();
    await it.up({ ...at, content: "four" });
    expect(world.calls()).toEqual(["objectStorageObjects.createUrl", "null"]);
  });

  test("an ACL that the program does not declare stays if all responses to an upload are lost", async ({
    world,
    it,
  }) => {
    const { viewAcl, updateAcl } = world.api.objectStorageObjects;
    await it.up({ ...at, content: "one" });
    await updateAcl({ path, body: { name: at.name, acl: "public-read" } });
    world.emulator.faults.add({ kind: "cut-after", method: "PUT", path: data, times: 1_000 });
    await it.up({ ...at, content: "two" });
    expect(held(world)).toBe("two");
    expect((await viewAcl({ path, query: { name: at.name } })).acl).toBe("public-read");
  });

  test("an ACL that the program does not declare stays after the time limit of an upload, or is in a warning", async ({
    world,
    it,
  }) => {
    const { viewAcl, updateAcl } = world.api.objectStorageObjects;
    const acl = async () => (await viewAcl({ path, query: { name: at.name } })).acl;
    await it.up({ ...at, content: "one" });
    await updateAcl({ path, body: { name: at.name, acl: "public-read" } });
    world.emulator.faults.add({ kind: "stall-after", method: "PUT", path: data, times: 1_000 });
    await expect(it.up({ ...at, content: "two" })).rejects.toThrow(`PUT of object ${id}`);
    expect([held(world), await acl()]).toEqual(["two", "public-read"]);

    world.emulator.faults.add({ kind: "status", status: 503, path: "objectStorageObjects.updateAcl", times: 1_000 });
    world.messages();
    await expect(it.up({ ...at, content: "three" })).rejects.toThrow(`PUT of object ${id}`);
    expect(world.messages()).toContainEqual(
      expect.stringMatching(/^the upload may have removed the ACL public-read of object .*503/),
    );
  });

  test("an ACL that the program declares later is set, even if the object had it from its bucket at first", async ({
    world,
    it,
  }) => {
    await world.api.objectStorageBuckets.updateAccess({ path, body: { acl: "public-read" } });
    await it.up({ ...at, content: "one" });
    expect(it.outs).not.toHaveProperty("acl");
    await world.api.objectStorageBuckets.updateAccess({ path, body: { acl: "private" } });
    expect((await it.up({ ...at, content: "one", acl: "public-read" })).op).toBe("update");
    expect(it.outs).toMatchObject({ acl: "public-read" });
    expect(await it.refresh()).toBe("same");
  });

  test("does not overwrite an existing object that is not in state", async ({ world, it }) => {
    await overwrite(world, "theirs");
    await expect(it.up({ ...at, content: "ours" })).rejects.toThrow(
      `ObjectStorageObject ${id} already exists with other content. If you renamed the resource in the program, add the resource option aliases. Otherwise, adopt the object (npx cloudinfra adopt ObjectStorageObject NAME ${id}), delete it, or choose another name`,
    );
    expect(held(world)).toBe("theirs");
    await it.up({ ...at, content: "theirs" });
    expect(it.id).toBe(id);
  });

  test.each([
    ["is cut off before it is carried out", { kind: "cut-before" }],
    ["is carried out and its response lost", { kind: "cut-after" }],
    ["is carried out and its response truncated", { kind: "cut-mid" }],
    ["fails with 500", { kind: "status", status: 500 }],
    ["comes too often: 429", { kind: "status", status: 429 }],
  ] as const)("sends data again that %s", async (_, fault) => {
    for (const method of ["PUT", "DELETE"] as const) {
      await using world = await bucket();
      const it = new Managed("ObjectStorageObject", world.host);
      world.emulator.faults.add({ ...fault, method, path: data });
      await it.up({ ...at, content: "ours" });
      expect(held(world)).toBe("ours");
      await it.destroy();
      expect(world.world.objectStorageObjects.all()).toEqual([]);
    }
  });

  test("the error of a failed upload names the object, and the next update uploads it", async ({ world, it }) => {
    for (const fault of [{ kind: "status", status: 503 }, { kind: "cut-before" }] as const) {
      world.emulator.faults.add({ ...fault, times: 1_000_000, path: data });
      const error = await it.up({ ...at, content: "ours" }).catch((error: Error) => error);
      expect(String(error)).toContain(`PUT of object ${id}: `);
      expect(String(error)).not.toMatch(/signature|expires|http:/);
      world.emulator.faults.clear();
    }
    expect(it.state).toBeUndefined();
    await it.up({ ...at, content: "ours" });
    world.emulator.faults.add({ kind: "status", status: 503, times: 1_000_000, path: data });
    await expect(it.up({ ...at, content: "new" })).rejects.toThrow("503");
    world.emulator.faults.clear();
    expect(held(world)).toBe("ours");
    await it.up({ ...at, content: "new" });
    expect([held(world), await it.refresh()]).toEqual(["new", "same"]);
  });

  test("if the object of a lost upload cannot be deleted, the error names it, and the next update uploads it again", async ({
    world,
    it,
  }) => {
    world.emulator.faults.add({ kind: "cut-mid", method: "PUT", path: data });
    const createUrl = "objectStorageObjects.createUrl";
    world.emulator.faults.add({ kind: "status", status: 401, path: createUrl, times: 1_000, nth: 2 });
    await expect(it.up({ ...at, content: "ours" })).rejects.toThrow(
      /^ObjectStorageObject us-east-1\/photos\/.* was created, but the response to its create request was lost, and deleting it failed: .*401/,
    );
    expect([held(world), it.state]).toEqual(["ours", undefined]);
    world.emulator.faults.clear();
    await it.up({ ...at, content: "ours" });
    expect(it.id).toBe(id);
  });

  test("the object of a lost upload is deleted, so that another content can be uploaded later", async ({
    world,
    it,
  }) => {
    world.emulator.faults.add({ kind: "stall-after", method: "PUT", path: data });
    world.emulator.faults.add({ kind: "cut-before", method: "PUT", path: data, nth: 2, times: 1_000 });
    await expect(it.up({ ...at, content: "ours" })).rejects.toThrow();
    expect([world.world.objectStorageObjects.all(), it.state]).toEqual([[], undefined]);
    world.emulator.faults.clear();
    await it.up({ ...at, content: "other" });
    expect([held(world), it.id]).toEqual(["other", id]);
  });

  test("an object with the same content that was there before a lost upload is not deleted", async ({ world, it }) => {
    const other = new Managed("ObjectStorageObject", world.host, "other");
    await other.up({ ...at, content: "ours" });
    world.emulator.faults.add({ kind: "cut-before", method: "PUT", path: data, times: 1_000 });
    await expect(it.up({ ...at, content: "ours" })).rejects.toThrow();
    expect(held(world)).toBe("ours");
  });

  test("a rejected upload is not retried, and its error has the reason", async ({ it }) => {
    const content = "x".repeat(17 * 1024 * 1024);
    await expect(it.up({ ...at, content })).rejects.toThrow(
      /^PUT of object .*: 413 EntityTooLarge: An object must be at most/,
    );
  });

  test("an object whose bucket was deleted counts as deleted", async ({ world, it }) => {
    await it.up({ ...at, content: "ours" });
    await world.api.objectStorageBuckets.delete({ path, query: { force: true } });
    await it.destroy();
    expect(it.state).toBeUndefined();
  });

  test("finds an object among others whose names begin with its name", async ({ world, it }) => {
    const others = Array.from({ length: 30 }, (_, i) => new Managed("ObjectStorageObject", world.host, `other-${i}`));
    for (const [i, other] of others.entries()) await other.up({ ...at, name: `a-${i}`, content: "other" });
    expect((await it.preview({ ...at, name: "a", content: "ours" })).op).toBe("create");
    await it.up({ ...at, name: "a", content: "ours" });
    expect(await it.refresh()).toBe("same");
  });
});
