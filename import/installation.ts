import { existsSync, readFileSync } from "node:fs";
import systemPath, { join, resolve, sep } from "node:path";
import { packageFolder } from "../provider/client/version";

const NAME = "pulumi-cloudinfra";

/**
 * Where a project can install this package from: the place from which the running copy was installed, such as a
 * tarball, or its folder. A version number alone could install another package, because anyone can publish a package
 * under a name that is not in the registry. `folder` is the folder of the project.
 */
export function installedFrom(folder: string, root = packageFolder): string {
  for (const owner of ownersOf(root))
    for (const spec of [declaredIn(owner), lockedIn(owner)]) {
      const usable = spec && packageSpec(spec, owner, folder);
      if (usable) return usable;
    }
  return fileSpec(root, folder);
}

/**
 * The form of a package's source for a package.json in the given folder: paths become relative to that folder. Paths in
 * the source are relative to `base`. Undefined if the source is a missing file, or exists only within its own project.
 */
export function packageSpec(spec: string, base: string, folder: string): string | undefined {
  if (/^(?:workspace|catalog|portal):/.test(spec)) return undefined;
  const path = /^(?:file:|link:)/.test(spec) ? spec.replace(/^\w+:(?:\/\/(?=\/))?/, "") : spec;
  if (path === spec && !/^\.{0,2}[/\\]|^\.{1,2}$|^[a-z]:[/\\]|\.tgz$/i.test(spec)) return spec;
  if (/^https?:/.test(spec)) return spec;
  const place = resolve(base, path);
  return existsSync(place) ? fileSpec(place, folder) : undefined;
}

/** @internal The source of a file or folder for a package.json in `folder`, with slashes on every platform. */
export function fileSpec(place: string, folder: string, path: typeof systemPath = systemPath): string {
  // On Windows, the path to a place on another drive is absolute.
  return `file:${(path.relative(folder, place) || ".").split(path.sep).join("/")}`;
}

/** The folders into whose `node_modules` a package may have been installed, from the closest one outwards. */
function ownersOf(root: string): string[] {
  const parts = root.split(`${sep}node_modules${sep}`);
  return parts.slice(1).map((_, i) => parts.slice(0, parts.length - 1 - i).join(`${sep}node_modules${sep}`));
}

/** The source of the package according to the package.json of a folder. */
function declaredIn(owner: string): string | undefined {
  const { dependencies, devDependencies, optionalDependencies } = json(join(owner, "package.json"));
  return { ...optionalDependencies, ...devDependencies, ...dependencies }[NAME];
}

/** The source of the package according to npm's record of the packages in a folder. */
function lockedIn(owner: string): string | undefined {
  return json(join(owner, "node_modules/.package-lock.json")).packages?.[`node_modules/${NAME}`]?.resolved;
}

interface Installed {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  packages?: Record<string, { resolved?: string }>;
}

function json(file: string): Installed {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
