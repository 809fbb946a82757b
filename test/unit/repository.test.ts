import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(__dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("docs/decisions/dependencies.md has a reason for every dependency, and lists no others", () => {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(read("package.json"));
  const used = new Set(Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }));
  const [inPackage = ""] = read("docs/decisions/dependencies.md").split("## Outside of package.json");
  const explained = [...inPackage.matchAll(/^- `([^`]+)`/gm)].map(([, name]) => name);
  expect(explained.sort()).toEqual([...used].sort());
});

const sources = ["", "tools/site/"];

test.each(sources)("every dependency in %spackage.json has an exact version", (folder) => {
  const { dependencies, devDependencies } = JSON.parse(read(`${folder}package.json`));
  for (const version of Object.values({ ...dependencies, ...devDependencies }))
    expect(version).toMatch(/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/);
});

interface Locked {
  dev?: true;
  license?: string;
  hasInstallScript?: true;
  resolved?: string;
  integrity?: string;
}

const locked = (folder: string): [string, Locked][] =>
  Object.entries<Locked>(JSON.parse(read(`${folder}package-lock.json`)).packages)
    .filter(([path]) => path)
    .map(([path, entry]) => [path.split("node_modules/").pop() ?? path, entry]);

/** The packages that npm installs together with this package. */
const installed = () => locked("").filter(([, { dev }]) => !dev);

test("docs/decisions/dependencies.md lists all installed packages by licence", () => {
  const licences = Map.groupBy(installed(), ([, { license = "" }]) => license.replace(/^\(|\)$/g, ""));
  const table = read("docs/decisions/dependencies.md").split("\n## Licences\n")[1] ?? "";
  const listed = [...table.matchAll(/^\| ([^|`]+) \| (`.*`) \|$/gm)].map(([, licence, names = ""]) => [
    licence,
    names.replaceAll("`", "").split(", "),
  ]);
  expect(listed).toEqual(
    [...licences]
      .map(([licence, packages]) => [licence, [...new Set(packages.map(([name]) => name))].sort()])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
});

/**
 * Licenses that are permitted for dependencies: `permissive` for those in the published package, `forTools` for those
 * that only build and test it.
 */
const permissive = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"];
const forTools = [
  ...permissive,
  "BlueOak-1.0.0",
  "CC-BY-3.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "EPL-2.0",
  "MPL-2.0",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
];

test("every licence is allowed: permissive ones for installed packages, also weak copyleft for tools", () => {
  const rejected = (packages: readonly [string, Locked][], allowed: readonly string[]) =>
    packages.flatMap(([name, { license = "none" }]) =>
      license
        .replace(/[()]/g, "")
        .split(/ AND | OR /)
        .every((one) => allowed.includes(one))
        ? []
        : [`${name}: ${license}`],
    );
  expect(rejected(installed(), permissive)).toEqual([]);
  // The package.json of @logdna/tail-file refers to a license file, which contains the MIT license.
  expect(rejected(sources.flatMap(locked), forTools)).toEqual(["@logdna/tail-file: SEE LICENSE IN LICENSE"]);
});

test("no installed package runs a script, except protobufjs, which prints a warning", () => {
  expect(installed().flatMap(([name, { hasInstallScript }]) => (hasInstallScript ? [name] : []))).toEqual([
    "protobufjs",
  ]);
  expect(read("node_modules/protobufjs/scripts/postinstall.js")).not.toMatch(/child_process|https?\b|writeFile|eval/);
  const { scripts } = JSON.parse(read("package.json"));
  expect(Object.keys(scripts).filter((name) => /^(pre|post)|^(install|prepare|dependencies)/.test(name))).toEqual([]);
});

test.each(sources)("every package in %spackage-lock.json has a checksum, and comes from the registry", (folder) => {
  const others = locked(folder).filter(
    ([, { resolved, integrity = "" }]) =>
      !integrity.startsWith("sha512-") || (resolved && !resolved.startsWith("https://registry.npmjs.org/")),
  );
  expect(others.map(([name]) => name)).toEqual([]);
});

test("the lock file contains the packages of every platform, because `npm ci` fails without them", () => {
  const packages: Record<string, { optionalDependencies?: object }> = JSON.parse(read("package-lock.json")).packages;
  const locked = new Set(Object.keys(packages).map((path) => path.split("node_modules/").pop()));
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
});
