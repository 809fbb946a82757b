import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { replaceFile } from "../../../stack/text-file";
import { newFolder } from "../../folder";

const root = newFolder();

function files() {
  const folder = mkdtempSync(join(root, "files-"));
  const at = (name: string): string => join(folder, name);
  writeFileSync(at("report"), "a former report");
  return { folder, at };
}

/** Makes each `rename` fail, until the end of the block. */
function failingRename(code: string): Disposable {
  const { rename } = promises;
  const set = (other: typeof rename): void => {
    promises.rename = other;
    syncBuiltinESMExports();
  };
  set(() => Promise.reject(Object.assign(new Error(code), { code })));
  return { [Symbol.dispose]: () => set(rename) };
}

test("a file is replaced as a whole, also after a killed command with the same process id", async () => {
  const { folder, at } = files();
  writeFileSync(at(`report.${process.pid}.part`), "a part");
  const former = openSync(at("report"), "r");
  await replaceFile(at("report"), "new");
  expect(readFileSync(former, "utf8")).toBe("a former report");
  closeSync(former);
  expect(readFileSync(at("report"), "utf8")).toBe("new");
  expect(readdirSync(folder)).toEqual(["report"]);
});

test("a file that can be written but not replaced, such as one that is mounted by itself, is written directly", async () => {
  const { folder, at } = files();
  using _ = failingRename("EBUSY");
  await replaceFile(at("report"), "new");
  expect(readFileSync(at("report"), "utf8")).toBe("new");
  expect(readdirSync(folder)).toEqual(["report"]);
});

test("a full disk keeps the former file", async () => {
  const { folder, at } = files();
  using _ = failingRename("ENOSPC");
  await expect(replaceFile(at("report"), "new")).rejects.toThrow("ENOSPC");
  expect(readFileSync(at("report"), "utf8")).toBe("a former report");
  expect(readdirSync(folder)).toEqual(["report"]);
});

test("a link to a file that does not exist stays a link", async () => {
  const { at } = files();
  symlinkSync(at("target"), at("link"));
  await replaceFile(at("link"), "new");
  expect(lstatSync(at("link")).isSymbolicLink()).toBe(true);
  expect(readFileSync(at("target"), "utf8")).toBe("new");
});

test("a folder is not replaced", async () => {
  const { folder } = files();
  await expect(replaceFile(folder, "new")).rejects.toThrow("EISDIR");
  expect(existsSync(`${folder}.${process.pid}.part`)).toBe(false);
});

test.skipIf(process.platform === "win32")("a pipe is written directly", async () => {
  const { at } = files();
  execFileSync("mkfifo", [at("pipe")]);
  const reader = spawn("cat", [at("pipe")]);
  await Promise.all([expect(text(reader.stdout)).resolves.toBe("new"), replaceFile(at("pipe"), "new")]);
  expect(lstatSync(at("pipe")).isFIFO()).toBe(true);
});

test.skipIf(process.platform !== "linux")("the file to which a device leads is written directly", async () => {
  const { at } = files();
  const [output, { ino }] = [openSync(at("report"), "r+"), statSync(at("report"))];
  await replaceFile(`/dev/fd/${output}`, "new");
  closeSync(output);
  expect(readFileSync(at("report"), "utf8")).toBe("new");
  expect(statSync(at("report")).ino).toBe(ino);
});
