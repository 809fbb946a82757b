import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(__dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("every dependency has its reason in docs/decisions/dependencies.md, and nothing else is there", () => {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(read("package.json"));
  const used = new Set(Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }));
  const explained = [...read("docs/decisions/dependencies.md").matchAll(/^- `([^`]+)`/gm)].map(([, name]) => name);
  expect(explained.sort()).toEqual([...used].sort());
});

test("every dependency is of an exact version", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  for (const version of Object.values({ ...dependencies, ...devDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("the lock file has the packages of every platform: `npm ci` refuses one that lacks some", () => {
  const packages: Record<string, { optionalDependencies?: object }> = JSON.parse(read("package-lock.json")).packages;
  const locked = new Set(Object.keys(packages).map((path) => path.split("node_modules/").pop()));
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies));
  expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
});
