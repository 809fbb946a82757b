import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ProjectFolder } from "../../../cli/import/project";
import { newFolder } from "../../folder";

const root = newFolder();

/** The folder of an imported project with one file. */
async function project() {
  const path = mkdtempSync(join(root, "shop-"));
  const at = (name: string): string => join(path, name);
  const mark = "# Created by cloudinfra import, which adds new objects to the files of this project.";
  writeFileSync(at("Pulumi.yaml"), `${mark}\nname: shop\nruntime: nodejs\n`);
  writeFileSync(at("compute.ts"), "old", { mode: 0o640 });
  chmodSync(at("compute.ts"), 0o664);
  return { at, path, folder: await ProjectFolder.at(path) };
}

const changed = new Map([
  ["compute.ts", "new"],
  ["domains.ts", "more"],
]);

test("files are replaced as a whole, with their mode and as the target of a link", async () => {
  const { at, path, folder } = await project();
  const shared = join(mkdtempSync(join(root, "shared-")), "domains.ts");
  writeFileSync(shared, "");
  symlinkSync(shared, at("domains.ts"));
  await folder.write(changed, async () => {
    expect(readFileSync(at("compute.ts"), "utf8")).toBe("new");
  });
  expect(readFileSync(shared, "utf8")).toBe("more");
  expect(statSync(at("compute.ts")).mode & 0o777).toBe(0o664);
  expect(readdirSync(path).sort()).toEqual(["Pulumi.yaml", "compute.ts", "domains.ts"]);
});

test("a file that cannot be written is the only one that the error names", async () => {
  const { at, folder } = await project();
  mkdirSync(at("domains.ts"));
  await expect(folder.write(changed, async () => {})).rejects.toThrow(
    new RegExp(`^${at("domains.ts")} cannot be written \\(EISDIR\\); nothing was imported$`),
  );
  expect(readFileSync(at("compute.ts"), "utf8")).toBe("old");
});

test("after an error, all files are as before", async () => {
  const { at, path, folder } = await project();
  await expect(
    folder.write(changed, async () => {
      throw new Error("the state cannot be written");
    }),
  ).rejects.toThrow(/^the state cannot be written$/);
  expect(readFileSync(at("compute.ts"), "utf8")).toBe("old");
  expect(readdirSync(path).sort()).toEqual(["Pulumi.yaml", "compute.ts"]);
});

test("a file that cannot be restored is named", async () => {
  const { at, path, folder } = await project();
  await expect(
    folder.write(new Map([["compute.ts", "new"]]), async () => {
      rmSync(path, { recursive: true });
      throw new Error("the state cannot be written");
    }),
  ).rejects.toThrow(
    `the state cannot be written\n${at("compute.ts")} has declarations of this import, because it could not be restored (ENOENT)`,
  );
});
