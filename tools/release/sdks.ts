import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import { python } from "../install";
import { writeTarball } from "./archive";
import { type Release, sourceDate } from "./release";

/** Packs the npm packages: the provider and the policy pack. npm's tarballs have a fixed time and no owners. */
export function npmPackages({ root, out }: Release): void {
  for (const cwd of [root, join(root, "dist/policies")])
    execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", out], {
      cwd,
      stdio: ["ignore", "ignore", "inherit"],
    });
}

/** Builds the wheel and the source distribution of the Python SDK. */
export async function pythonPackages(release: Release): Promise<void> {
  const interpreter = await python(join(release.root, "tools/release/requirements.txt"));
  // In a copy, because setuptools writes into the source folder.
  const source = join(release.work, "python");
  const built = join(release.work, "python-built");
  cpSync(join(release.root, "sdks/python"), source, { recursive: true });
  execFileSync(interpreter, ["-m", "build", "--no-isolation", "--outdir", built, source], {
    env: { ...process.env, ...sourceDate(release) },
    stdio: "pipe",
  });
  for (const file of readdirSync(built))
    if (file.endsWith(".whl")) cpSync(join(built, file), join(release.out, file));
    else await repack(release, join(built, file), file);
}

/** Writes a source distribution again, because setuptools writes the time of the build into it. */
async function repack({ work, out, time }: Release, tarball: string, name: string): Promise<void> {
  const folder = join(work, "sdist");
  mkdirSync(folder);
  await extract({ file: tarball, cwd: folder });
  await writeTarball(folder, join(out, name), time);
  rmSync(folder, { recursive: true });
}

/** The module of the Go SDK. Its versions are tags of the repository, such as `sdks/go/v0.1.0`. */
export const goModule = "github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go";

/** The name of the module zip in a release. */
export const goModuleFile = (version: string): string => `pulumi-cloudinfra-go-v${version}.zip`;

/** Writes the Go SDK as a module zip, the form in which Go's proxies serve a version of a module, and returns its path. */
export function goModuleZip({ root, version, out }: Pick<Release, "root" | "version" | "out">): string {
  const generator = process.env.CLOUDINFRA_SDKS ?? "";
  const file = join(out, goModuleFile(version));
  execFileSync(generator, ["module", join(root, "sdks/go"), goModule, `v${version}`, file], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return file;
}

/** Writes the sources of the .NET SDK. They are not compiled, because a release does not require the .NET SDK. */
export async function dotnetSources({ root, version, out, time }: Release): Promise<void> {
  const name = `Pulumi.CloudInfra.${version}-sources`;
  await writeTarball(join(root, "sdks/dotnet"), join(out, `${name}.tar.gz`), time, name);
}
