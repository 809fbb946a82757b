import {
  appendFileSync,
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
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename, join } from "node:path";
import { expect, test, vi } from "vitest";
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

/** Prevents this process from replacing a file, whose new content it writes to another file first: there is a folder. */
const block = (file: string): void => mkdirSync(`${file}.${process.pid}.part`);

test("files are replaced as a whole, with their mode and as the target of a link", async () => {
  const { at, path } = await project();
  const shared = join(mkdtempSync(join(root, "shared-")), "domains.ts");
  writeFileSync(shared, "");
  symlinkSync(shared, at("domains.ts"));
  const folder = await ProjectFolder.at(path);
  await folder.write(changed, async () => {
    expect(readFileSync(at("compute.ts"), "utf8")).toBe("new");
  });
  expect(readFileSync(shared, "utf8")).toBe("more");
  expect(statSync(at("compute.ts")).mode & 0o777).toBe(0o664);
  expect(readdirSync(path).sort()).toEqual(["Pulumi.yaml", "compute.ts", "domains.ts"]);
});

test("a file that is not UTF-8 is not changed, and others can be", async () => {
  const { at, path } = await project();
  const latin1 = Buffer.from("// größe\n// naïve\n", "latin1");
  writeFileSync(at("compute.ts"), latin1);
  const folder = await ProjectFolder.at(path);
  folder.requireUtf8(["domains.ts", "Pulumi.yaml"]);
  expect(() => folder.requireUtf8(changed.keys())).toThrow(
    `${at("compute.ts")}, line 1, column 6: the byte 0xF6 is not UTF-8\n` +
      "nothing was imported, because these files must be changed; convert them to UTF-8 first",
  );
  expect(readFileSync(at("compute.ts"))).toEqual(latin1);
});

test("a file that cannot be written is the only one that the error names", async () => {
  const { at, folder } = await project();
  block(at("domains.ts"));
  await expect(folder.write(changed, async () => {})).rejects.toThrow(
    new RegExp(`^${at("domains.ts")} cannot be written \\(EEXIST\\); nothing was imported$`),
  );
  expect(readFileSync(at("compute.ts"), "utf8")).toBe("old");
});

test("the error about a folder that cannot be created says that nothing was imported", async () => {
  const path = join(mkdtempSync(join(root, "parent-")), "shop");
  const folder = await ProjectFolder.at(path);
  writeFileSync(path, "");
  const attempt = folder.write(new Map(), async () => {});
  await expect(attempt).rejects.toThrow(`${path} cannot be created (EEXIST); nothing was imported`);
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

test("after an error, the file that was written last is removed first", async () => {
  const { folder } = await project();
  const removed = vi.spyOn(promises, "rm");
  syncBuiltinESMExports();
  try {
    const files = new Map(["dns.ts", "index.ts", "last.yaml"].map((name) => [name, "new"]));
    await expect(folder.write(files, () => Promise.reject(new Error("no state")))).rejects.toThrow("no state");
    const names = removed.mock.calls.map(([file]) => basename(String(file)));
    expect(names.filter((name) => files.has(name))).toEqual(["last.yaml", "index.ts", "dns.ts"]);
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
});

test("a file that cannot be restored is named", async () => {
  const { at, folder } = await project();
  await expect(
    folder.write(new Map([["compute.ts", "new"]]), async () => {
      block(at("compute.ts"));
      throw new Error("the state cannot be written");
    }),
  ).rejects.toThrow(
    `the state cannot be written\n${at("compute.ts")} has declarations of this import, because it could not be restored (EEXIST)`,
  );
});

test.each<[string, (at: (name: string) => string) => void, string, string]>([
  ["changed", (at) => appendFileSync(at("compute.ts"), "// mine"), "compute.ts", "old// mine"],
  ["deleted", (at) => rmSync(at("compute.ts")), "compute.ts", ""],
  ["created", (at) => writeFileSync(at("domains.ts"), "mine"), "domains.ts", "mine"],
  ["created", (at) => mkdirSync(at("domains.ts")), "domains.ts", ""],
  ["changed", (at) => appendFileSync(at("Pulumi.yaml"), "# mine"), "Pulumi.yaml", "# mine"],
])("nothing is written if a file was %s since it was read (%#)", async (what, change, name, remaining) => {
  const { at, path, folder } = await project();
  change(at);
  const before = readdirSync(path);
  const work = vi.fn();
  await expect(folder.write(changed, work)).rejects.toThrow(
    new RegExp(`^${at(name)} was ${what} while this command ran\nnothing was imported; run the command again$`),
  );
  expect(work).not.toHaveBeenCalled();
  expect(readdirSync(path)).toEqual(before);
  if (remaining) expect(readFileSync(at(name), "utf8")).toContain(remaining);
  if (name !== "compute.ts") expect(readFileSync(at("compute.ts"), "utf8")).toBe("old");
});

test("all files that were changed since they were read are named", async () => {
  const { at, folder } = await project();
  rmSync(at("compute.ts"));
  writeFileSync(at("domains.ts"), "mine");
  await expect(folder.write(changed, async () => {})).rejects.toThrow(
    `${at("compute.ts")} was deleted while this command ran
${at("domains.ts")} was created while this command ran
nothing was imported; run the command again`,
  );
});

test("of two imports at the same time, the second changes nothing, and its failure keeps what the first has written", async () => {
  const { at, path, folder } = await project();
  const other = await ProjectFolder.at(path);
  await folder.write(new Map([["compute.ts", "of the first"]]), async () => {
    await expect(other.write(changed, async () => {})).rejects.toThrow(
      `${at("compute.ts")} was changed while this command ran`,
    );
  });
  expect(readFileSync(at("compute.ts"), "utf8")).toBe("of the first");
  expect(readdirSync(path).sort()).toEqual(["Pulumi.yaml", "compute.ts"]);
});

test("after an error, files that were changed after they were written are named and not restored", async () => {
  const { at, path, folder } = await project();
  const attempt = folder.write(new Map([...changed, ["dns.ts", "zones"]]), async () => {
    appendFileSync(at("compute.ts"), "// mine");
    rmSync(at("domains.ts"));
    throw new Error("the state cannot be written");
  });
  await expect(attempt).rejects.toThrow(
    `the state cannot be written
${at("compute.ts")} was changed after this command had written it, so it was not restored; remove what the import has added
${at("domains.ts")} was deleted after this command had written it, so it was not restored`,
  );
  expect(readFileSync(at("compute.ts"), "utf8")).toBe("new// mine");
  expect(readdirSync(path).sort()).toEqual(["Pulumi.yaml", "compute.ts"]);
});
