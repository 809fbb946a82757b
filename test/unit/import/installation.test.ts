import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, win32 } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packageSpec } from "../../../import";
import { fileSpec, installedFrom } from "../../../import/installation";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "installation-")));
});
afterEach(() => rmSync(home, { recursive: true }));

function write(file: string, content: unknown = {}): string {
  const path = join(home, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** Where a project in `shop` installs the package from, if the running copy is in the given folder. */
const source = (root: string): string => installedFrom(join(home, "shop"), join(home, root));

test.each([
  ["a tarball", "file:pulumi-cloudinfra-0.1.0.tgz", "file:../app/pulumi-cloudinfra-0.1.0.tgz"],
  ["a path without a scheme", "../pulumi-cloudinfra-0.1.0.tgz", "file:../pulumi-cloudinfra-0.1.0.tgz"],
  ["a registry", "^0.1.0", "^0.1.0"],
  ["a URL", "https://example.org/pulumi-cloudinfra.tgz", "https://example.org/pulumi-cloudinfra.tgz"],
  [
    "a repository",
    "github:pulumi-cloudinfra/pulumi-cloudinfra#main",
    "github:pulumi-cloudinfra/pulumi-cloudinfra#main",
  ],
])("a copy that was installed from %s is installed from there again", (_, declared, expected) => {
  for (const folder of ["", "app/"]) write(`${folder}pulumi-cloudinfra-0.1.0.tgz`);
  write("app/package.json", { devDependencies: { "pulumi-cloudinfra": declared } });
  expect(source("app/node_modules/pulumi-cloudinfra")).toBe(expected);
});

test("npm's record of the packages is used if package.json does not name the package", () => {
  write("lib/cloudinfra.tgz");
  const packages = { "node_modules/pulumi-cloudinfra": { resolved: "file:cloudinfra.tgz" } };
  write("lib/node_modules/.package-lock.json", { packages });
  expect(source("lib/node_modules/pulumi-cloudinfra")).toBe("file:../lib/cloudinfra.tgz");
});

test("a copy in the store of pnpm is installed from the source that its project names", () => {
  write("app/cloudinfra.tgz");
  write("app/package.json", { dependencies: { "pulumi-cloudinfra": "file:./cloudinfra.tgz" } });
  const store = "app/node_modules/.pnpm/pulumi-cloudinfra@file+cloudinfra.tgz/node_modules/pulumi-cloudinfra";
  expect(source(store)).toBe("file:../app/cloudinfra.tgz");
});

test("a copy of unknown origin, or whose tarball was deleted, is installed from its folder", () => {
  expect(source("clone")).toBe("file:../clone");
  expect(source("app/node_modules/pulumi-cloudinfra")).toBe("file:../app/node_modules/pulumi-cloudinfra");
  write("app/package.json", { dependencies: { "pulumi-cloudinfra": "file:deleted.tgz" } });
  expect(source("app/node_modules/pulumi-cloudinfra")).toBe("file:../app/node_modules/pulumi-cloudinfra");
  write("app/package.json", { dependencies: { "pulumi-cloudinfra": "workspace:*" } });
  expect(source("app/node_modules/pulumi-cloudinfra")).toBe("file:../app/node_modules/pulumi-cloudinfra");
});

test("paths that a user names are relative to the current folder, and have to exist", () => {
  write("cloudinfra.tgz");
  expect(packageSpec("cloudinfra.tgz", home, join(home, "shop"))).toBe("file:../cloudinfra.tgz");
  expect(packageSpec(`file://${home}/cloudinfra.tgz`, "/", home)).toBe("file:cloudinfra.tgz");
  expect(packageSpec("..", join(home, "shop"), join(home, "shop"))).toBe("file:..");
  expect(packageSpec("./missing.tgz", home, home)).toBeUndefined();
  expect(packageSpec("0.1.0", home, home)).toBe("0.1.0");
});

test.each([
  ["C:\\work\\shop\\lib\\a.tgz", "C:\\work\\shop", "file:lib/a.tgz"],
  ["C:\\work\\a.tgz", "C:\\work\\shop", "file:../a.tgz"],
  ["C:\\work\\shop", "C:\\work\\shop", "file:."],
  ["D:\\a.tgz", "C:\\work\\shop", "file:D:/a.tgz"],
])("on Windows, the source %s of a project in %s has slashes", (place, folder, expected) => {
  expect(fileSpec(place, folder, win32)).toBe(expected);
});
