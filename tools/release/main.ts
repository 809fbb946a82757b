import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { filesIn, writeTarball } from "./archive";
import { checkVersion, ReleaseError, releaseNotes } from "./notes";
import { pluginArchives, requireSigner } from "./plugin-archives";
import { provenance, sha256 } from "./provenance";
import type { Release } from "./release";
import { sbom } from "./sbom";
import { dotnetSources, goModuleZip, npmPackages, pythonPackages } from "./sdks";

const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/**
 * Builds all files that a release uploads: `main.js FOLDER`. It expects `make build sdks docs`, and uses the variables
 * VERSION (checked against package.json), PUBLISH=1 (requires a date in CHANGELOG.md) and DIRTY=1 (accepts changes that are
 * not committed). `sign.mts` signs the result.
 */
async function main(folder = join(root, "release")): Promise<void> {
  // Some commands run in other folders.
  const out = resolve(folder);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  checkVersion(process.env.VERSION, version);
  const changes = git("status", "--porcelain");
  if (changes && !process.env.DIRTY)
    throw new ReleaseError(`A release is built from a commit, but these files differ from it:\n${changes}`);
  const { notes, date } = releaseNotes(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version);
  requireSigner();
  if (!date && process.env.PUBLISH) throw new ReleaseError(`CHANGELOG.md has no date for version ${version}.`);
  const time = new Date(Number(git("log", "-1", "--format=%ct")) * 1000);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), "release-"));
  const commit = `${git("rev-parse", "HEAD")}${changes ? "-dirty" : ""}`;
  const release: Release = { root, version, commit, time, out, work };
  try {
    await build(release, notes);
  } finally {
    rmSync(work, { recursive: true });
  }
  for (const name of filesIn(out)) console.log(`${megabytes(join(out, name))}  ${name}`);
}

async function build(release: Release, notes: string): Promise<void> {
  const { version, out, time } = release;
  npmPackages(release);
  await pythonPackages(release);
  goModuleZip(release);
  await dotnetSources(release);
  await pluginArchives(release);
  const site = `docs-${version}`;
  await writeTarball(join(root, "tools/site/dist"), join(out, `${site}.tar.gz`), time, site);
  copyFileSync(join(root, "schema.json"), join(out, "schema.json"));
  writeFileSync(join(out, "release-notes.md"), notes);
  writeFileSync(join(out, "sbom.cdx.json"), sbom(release));
  // The provenance covers all files above, and the checksums cover the provenance too.
  writeFileSync(join(out, "provenance.intoto.json"), `${provenance(release)}\n`);
  const sums = filesIn(out).map((name) => `${sha256(readFileSync(join(out, name)))}  ${name}\n`);
  writeFileSync(join(out, "checksums.txt"), sums.join(""));
}

const megabytes = (file: string): string => `${(statSync(file).size / 1e6).toFixed(1).padStart(6)} MB`;

main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof ReleaseError ? `release: ${error.message}` : error);
  process.exitCode = 1;
});
