import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { columns, type Figure } from "./figures";

const root = join(__dirname, "../..");
const PEER = "@pulumi/pulumi";
const MEGABYTE = 1_000_000;
/**
 * Limit of the installed size in MB. Before you raise it for a new dependency, check whether the dependency is worth
 * its size.
 */
const BUDGET = 35;

interface Locked {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The size in MB that `npm install pulumi-cloudinfra` adds to a program that already depends on the Pulumi SDK. */
export function installSizeFigure(): Figure {
  const { own, peers } = installSizes();
  const [value, other] = [sum(own), sum(peers)];
  return { name: "installed size", value, unit: "MB", max: BUDGET, baseline: PEER, other, runs: 1 };
}

/** Installed size in MB of each package: those that the Pulumi SDK requires, and those that this package adds. */
function installSizes(): { own: ReadonlyMap<string, number>; peers: ReadonlyMap<string, number> } {
  const text = readFileSync(join(root, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
  const sizes = new Map<string, number>();
  const add = (from: string, names: Iterable<string>): void => {
    for (const name of names) {
      const path = resolved(packages, from, name);
      if (path === undefined || sizes.has(path) || !existsSync(join(root, path))) continue;
      sizes.set(path, sizeOf(join(root, path)));
      const { dependencies, optionalDependencies } = packages[path] as Locked;
      add(path, Object.keys({ ...dependencies, ...optionalDependencies }));
    }
  };
  add("", [PEER]);
  const peers = new Map(sizes);
  add("", Object.keys(packages[""]?.dependencies ?? {}));
  const added = [...sizes].filter(([path]) => !peers.has(path));
  const own = new Map(added.map(([path, size]) => [path.replaceAll("node_modules/", ""), size]));
  return { own: own.set("pulumi-cloudinfra", packedSize()), peers };
}

/**
 * The folder in which Node.js finds one package from another: in its own `node_modules`, or else in that of a parent
 * folder.
 */
function resolved(packages: Record<string, Locked>, from: string, name: string): string | undefined {
  const path = from ? `${from}/node_modules/${name}` : `node_modules/${name}`;
  if (packages[path] || !from) return packages[path] && path;
  return resolved(packages, from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}

/** Size of a package in bytes. Packages in its folder are not included, because they are counted separately. */
function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) bytes += statSync(path).size / MEGABYTE;
    else if (entry.isDirectory() && entry.name !== "node_modules") bytes += sizeOf(path);
  }
  return bytes;
}

function packedSize(): number {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const [{ unpackedSize }] = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8" })) as [
    { unpackedSize: number },
  ];
  return unpackedSize / MEGABYTE;
}

const sum = (sizes: ReadonlyMap<string, number>): number => [...sizes.values()].reduce((all, one) => all + one, 0);

/** Prints a table of the packages. Small packages have one row together. */
function main(): void {
  const { own, peers } = installSizes();
  const [large, small] = [new Map<string, number>(), new Map<string, number>()];
  for (const [name, size] of own) (size < 0.1 ? small : large).set(name, size);
  const megabytes = (size: number): string => `${size.toFixed(1)} MB`;
  console.log(
    columns([
      ...[...large].sort(([, a], [, b]) => b - a).map(([name, size]) => [name, megabytes(size)]),
      [`${small.size} packages below 0.1 MB`, megabytes(sum(small))],
      ["in all, in addition to @pulumi/pulumi", `${megabytes(sum(own))}, at most ${BUDGET} MB`],
      [`${PEER} and the ${peers.size - 1} packages that it needs`, megabytes(sum(peers))],
    ]),
  );
  if (sum(own) > BUDGET) process.exitCode = 1;
}

if (require.main === module) main();
