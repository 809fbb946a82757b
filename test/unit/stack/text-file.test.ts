import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
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
import { describe, expect, test } from "vitest";
import { replaceFile, utf8Problem } from "../../../stack/text-file";
import { newFolder } from "../../folder";

const root = newFolder();

function files() {
  const folder = mkdtempSync(join(root, "files-"));
  const at = (name: string): string => join(folder, name);
  writeFileSync(at("report"), "a former report");
  return { folder, at };
}

/** Replaces a function of the file system, until the end of the block. */
function replaced<Name extends "rename" | "chown" | "chmod" | "writeFile">(
  name: Name,
  by: (typeof promises)[Name],
): Disposable {
  const former = promises[name];
  const set = (other: typeof former): void => {
    promises[name] = other;
    syncBuiltinESMExports();
  };
  set(by);
  return { [Symbol.dispose]: () => set(former) };
}

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

/** A group that files of this user can have, but do not have at first. */
const otherGroup = process.getuid?.() === 0 ? 1 : process.getgroups?.().find((group) => group !== process.getegid?.());

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
  using _ = replaced("rename", failing("EBUSY"));
  await replaceFile(at("report"), "new");
  expect(readFileSync(at("report"), "utf8")).toBe("new");
  expect(readdirSync(folder)).toEqual(["report"]);
});

test("a full disk keeps the former file", async () => {
  const { folder, at } = files();
  using _ = replaced("rename", failing("ENOSPC"));
  await expect(replaceFile(at("report"), "new")).rejects.toThrow("ENOSPC");
  expect(readFileSync(at("report"), "utf8")).toBe("a former report");
  expect(readdirSync(folder)).toEqual(["report"]);
});

describe.skipIf(otherGroup === undefined)("a file of another group", () => {
  function shared() {
    const { folder, at } = files();
    const group = otherGroup as number;
    chownSync(at("report"), -1, group);
    chmodSync(at("report"), 0o640);
    return { folder, file: at("report"), group, former: statSync(at("report")).ino };
  }

  test("keeps its group and its mode, and its new content is private until then", async () => {
    const { file, group, former } = shared();
    const { chmod } = promises;
    const modes: number[] = [];
    using _ = replaced("chmod", async (path, mode) => {
      modes.push(statSync(path).mode & 0o777);
      await chmod(path, mode);
    });
    await replaceFile(file, "new");
    const { gid, mode, ino } = statSync(file);
    expect({ gid, mode: mode & 0o777, modes }).toEqual({ gid: group, mode: 0o640, modes: [0o600] });
    expect(ino).not.toBe(former);
    expect(readFileSync(file, "utf8")).toBe("new");
  });

  test.each(["EPERM", "EINVAL"])("is written directly if the group cannot be given to a file: %s", async (code) => {
    const { folder, file, group, former } = shared();
    using _ = replaced("chown", failing(code));
    await replaceFile(file, "new");
    expect(statSync(file)).toMatchObject({ gid: group, ino: former });
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(readdirSync(folder)).toEqual(["report"]);
  });

  test("keeps its new content next to it if it is only written in part", async () => {
    const { folder, file } = shared();
    using _ = replaced("chown", failing("EPERM"));
    const { writeFile } = promises;
    using __ = replaced("writeFile", async (path, ...rest) => {
      if (path === file) throw Object.assign(new Error("EIO"), { code: "EIO" });
      await writeFile(path, ...rest);
    });
    await expect(replaceFile(file, "new")).rejects.toThrow("EIO");
    const part = readdirSync(folder).find((name) => name !== "report");
    expect(readFileSync(join(folder, String(part)), "utf8")).toBe("new");
  });
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

test.each([
  ["Latin-1", Buffer.from("größe", "latin1"), "line 1, column 3: the byte 0xF6 is not UTF-8"],
  [
    "a byte that begins a character of UTF-8, in a later line",
    Buffer.concat([Buffer.from("größe\n"), Buffer.from("naïve", "latin1")]),
    "line 2, column 3: the byte 0xEF",
  ],
  ["a character that is cut off", Buffer.from("€ 5, €").subarray(0, -1), "line 1, column 6: the byte 0xE2"],
  ["text after a byte order mark", Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff]), "line 1, column 2: the byte 0xFF"],
  ["a replacement character before it", Buffer.from([0xef, 0xbf, 0xbd, 0xe9]), "line 1, column 2: the byte 0xE9"],
])("the first byte that is not UTF-8 is found: %s", (_, bytes, problem) => {
  expect(utf8Problem(bytes)).toContain(problem);
});

test("valid UTF-8 has no such byte, with or without a byte order mark", () => {
  for (const text of ["", "größe €", "\uFEFFa", "\uFFFD"]) expect(utf8Problem(Buffer.from(text))).toBeUndefined();
});
