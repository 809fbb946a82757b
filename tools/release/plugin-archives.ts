import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeExecutable } from "../plugin/executable";
import { writeTarball } from "./archive";
import { nodeFiles } from "./node-binaries";
import { ReleaseError } from "./notes";
import { archiveName, executableName, generators, type Platform, platforms } from "./platforms";
import type { Release } from "./release";

/** Builds the executable of each platform, and an archive of it with the licences of everything in it. */
export async function pluginArchives(release: Release): Promise<void> {
  const licences = packageLicences(release.root);
  for (const platform of platforms) {
    const folder = join(release.work, `plugin-${platform.os}-${platform.arch}`);
    mkdirSync(folder, { recursive: true });
    const { binary } = await nodeFiles(platform.node);
    // The packages for Windows contain no licence, so it is the one of the same version for Linux.
    const { binary: generator, licence } = await nodeFiles(generatorOf(platform));
    const file = join(folder, executableName(platform));
    writeExecutable({ node: binary, generator, file, isCompiled: binary === generator });
    if (platform.os === "darwin") sign(file);
    copyFileSync(join(release.root, "LICENSE"), join(folder, "LICENSE"));
    copyFileSync(licence, join(folder, "LICENSE.node"));
    writeFileSync(join(folder, "LICENSE.packages"), licences);
    await writeTarball(folder, join(release.out, archiveName(platform, release.version)), release.time);
    rmSync(folder, { recursive: true });
  }
}

function generatorOf({ node }: Platform) {
  const generator = generators.find(({ version }) => version === node.version);
  if (!generator) throw new Error(`tools/release/platforms.ts lists no generator for Node.js ${node.version}`);
  return generator;
}

/**
 * Signs an executable without an identity. macOS does not start unsigned executables on Apple silicon, and postject makes
 * Node's own signature invalid.
 */
function sign(file: string): void {
  execFileSync("rcodesign", ["sign", file], { stdio: ["ignore", "ignore", "inherit"] });
}

/** Throws an error if the tool that signs executables for macOS is missing, before the long part of a build. */
export function requireSigner(): void {
  try {
    execFileSync("rcodesign", ["--version"], { stdio: "ignore" });
  } catch {
    throw new ReleaseError(
      "rcodesign is missing, which signs executables for macOS. Install it with " +
        "`cargo install apple-codesign --version 0.29.0 --locked --no-default-features --bin rcodesign`.",
    );
  }
}

interface Locked {
  dev?: true;
  version: string;
  license?: string;
}

/** The licence texts of all npm packages that are installed with this one, most of which the bundle contains. */
function packageLicences(root: string): string {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path && !dev && existsSync(join(root, path)))
    .map(([path, { version, license = "" }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      const text = readdirSync(join(root, path))
        .filter((file) => /^(licen[cs]e|notice)/i.test(file))
        .sort()
        .map((file) => readFileSync(join(root, path, file), "utf8").trim());
      return `${[`${name} ${version} (${license})`, ...text].join("\n\n")}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
