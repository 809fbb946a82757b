import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { checkpointOf, stacksFolder, stacksIn } from "../../../stack/checkpoint";
import { newFolder } from "../../folder";

const home = newFolder();

/** The folder of a backend with the given files. */
async function backend(name: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(home, name, ".pulumi", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return join(home, name);
}

test("lists the stacks of all projects once, without backups", async () => {
  const shared = await backend("shared", {
    "meta.yaml": "version: 1\n",
    "stacks/shop/prod.json": "{}",
    "stacks/shop/prod.json.gz": gzipSync("{}"),
    "stacks/shop/prod.json.bak": "{}",
    "stacks/shop/dev.json.zst": "",
    "stacks/blog/prod.json": "{}",
    "stacks/readme.json": "{}",
  });
  const folder = await stacksFolder(`file://${shared}`, "/");
  expect(folder).toEqual({ path: join(shared, ".pulumi/stacks"), hasProjects: true });
  expect((await stacksIn(folder as never)).sort()).toEqual(["blog/prod", "shop/dev", "shop/prod"]);
});

test("the address of a backend can be encoded, and its folder can be missing, but not unreadable", async () => {
  const spaced = await backend("my states", { "meta.yaml": "version: 1\n", "stacks/shop/prod.json": "{}" });
  for (const address of [spaced, encodeURI(spaced), spaced.replace(" ", "%20")])
    expect(await stacksIn((await stacksFolder(`file://${address}`, "/")) as never)).toEqual(["shop/prod"]);
  expect(await stacksIn({ path: join(home, "nowhere"), hasProjects: true })).toEqual([]);
  await expect(stacksIn({ path: join(spaced, ".pulumi/meta.yaml"), hasProjects: true })).rejects.toThrow(
    `the folder ${spaced}/.pulumi/meta.yaml with the states of the backend cannot be read (ENOTDIR)`,
  );
});

test("a backend of an old Pulumi CLI has no projects, and one of a newer CLI cannot be read", async () => {
  const old = await backend("old", { "stacks/prod.json": "{}", "stacks/prod.json.attrs": "{}" });
  const folder = await stacksFolder(`file://${old}?no_tmp_dir=true`, "/");
  expect(folder).toMatchObject({ hasProjects: false });
  expect(await stacksIn(folder as never)).toEqual(["prod"]);
  const newer = await backend("newer", { "meta.yaml": "version: 2\n" });
  expect(await stacksFolder(`file://${newer}`, "/")).toBeUndefined();
  expect(await stacksFolder("s3://states", "/")).toBeUndefined();
});

test("the state of a stack is its newer file, whether it is compressed or not", async () => {
  const both = await backend("both", {
    "stacks/prod.json": '{"version":1}',
    "stacks/prod.json.gz": gzipSync('{"version":2}'),
  });
  const folder = { path: join(both, ".pulumi/stacks"), hasProjects: false };
  await utimes(join(folder.path, "prod.json"), 1000, 1000);
  expect(await checkpointOf(folder, "prod")).toBe('{"version":2}');
  await utimes(join(folder.path, "prod.json.gz"), 500, 500);
  expect(await checkpointOf(folder, "prod")).toBe('{"version":1}');
  expect(await checkpointOf(folder, "dev")).toBeUndefined();
});
