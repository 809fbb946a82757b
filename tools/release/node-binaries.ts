import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { extract } from "tar";
import type { NodePackage } from "./platforms";

/** A Node.js package is not available, or has other bytes than `platforms.ts` expects. */
export class NodePackageError extends Error {}

const cache = join(process.env.CLOUDINFRA_CACHE ?? join(homedir(), ".cache/pulumi-cloudinfra"), "node-packages");

/** The files of a Node.js package, in the cache. */
export interface NodeFiles {
  binary: string;
  licence: string;
}

/** Downloads a Node.js package with npm, checks its bytes, and unpacks it in the cache. */
export async function nodeFiles(wanted: NodePackage): Promise<NodeFiles> {
  const name = `${wanted.name}-${wanted.version}`;
  const folder = join(cache, name);
  if (!existsSync(folder)) await download(wanted, name, folder);
  const binary = ["bin/node", "bin/node.exe"].map((path) => join(folder, "package", path)).find(existsSync);
  if (!binary) throw new NodePackageError(`${name} has no binary in package/bin`);
  return { binary, licence: join(folder, "package/LICENSE") };
}

async function download(wanted: NodePackage, name: string, folder: string): Promise<void> {
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    execFileSync("npm", ["pack", "--silent", "--prefer-offline", `${wanted.name}@${wanted.version}`], {
      cwd: work,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const tarball = join(work, `${name}.tgz`);
    checkIntegrity(name, readFileSync(tarball), wanted.integrity);
    await extract({ file: tarball, cwd: work });
    rmSync(tarball);
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Throws an error unless the bytes have the hash that npm's `integrity` field contains. */
export function checkIntegrity(name: string, bytes: Uint8Array, integrity: string): void {
  const actual = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (actual !== integrity)
    throw new NodePackageError(
      `${name} has the integrity ${actual}, but tools/release/platforms.ts expects ${integrity}`,
    );
}
