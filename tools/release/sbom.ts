import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generators, type NodePackage, platforms } from "./platforms";
import type { Release } from "./release";

/** The parts of npm's CycloneDX document that are changed here. */
interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string; component: { name: string } };
  components: { "bom-ref": string }[];
  dependencies: { ref: string }[];
}

/**
 * Lists everything that the release contains, as a CycloneDX document: the npm packages by npm itself, and the Node.js
 * binaries of the executables.
 */
export function sbom({ root, time }: Release): string {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const text = execFileSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 1e8 });
  const written: Sbom = JSON.parse(text);
  // Not by npm's `--omit dev`, which also omits packages that both the package and its tools need.
  const installed = installedPackages(root);
  // npm writes a random number, the present time and the name of the folder.
  const document = {
    ...written,
    serialNumber: "",
    metadata: {
      ...written.metadata,
      timestamp: time.toISOString(),
      component: { ...written.metadata.component, name: "pulumi-cloudinfra" },
    },
    dependencies: written.dependencies.filter(({ ref }) => installed.has(ref) || ref.startsWith("pulumi-cloudinfra@")),
    components: [
      ...written.components.filter((component) => installed.has(component["bom-ref"])),
      ...platforms.map(({ node }) => nodeComponent(node)),
    ],
  };
  document.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(document))}`;
  return `${JSON.stringify(document, null, 2)}\n`;
}

interface Locked {
  dev?: boolean;
  version: string;
  dependencies?: Record<string, string>;
}

/** The packages that are installed with this one or with the policy pack, as `name@version`. */
function installedPackages(root: string): Set<string> {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const installed = new Set(Object.entries(packages).flatMap(([path, { dev }]) => (path && !dev ? [path] : [])));
  const add = (path: string): void => {
    if (installed.has(path)) return;
    installed.add(path);
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) add(pathOf(name, path, packages));
  };
  add("node_modules/@pulumi/policy");
  return new Set([...installed].map((path) => `${path.split("node_modules/").at(-1)}@${packages[path]?.version}`));
}

/** Where Node.js finds a dependency of the package at `from`: in its own folder, or in the nearest folder above it. */
function pathOf(name: string, from: string, packages: Readonly<Record<string, Locked>>): string {
  const path = `${from}/node_modules/${name}`;
  if (path in packages) return path;
  const above = from.lastIndexOf("/node_modules/");
  return above < 0 ? `node_modules/${name}` : pathOf(name, from.slice(0, above), packages);
}

const nodeComponent = ({ name, version, integrity }: NodePackage): object => ({
  "bom-ref": `${name}@${version}`,
  type: "application",
  name,
  version,
  scope: "required",
  description: "The Node.js binary in the plugin's executable for one platform",
  purl: `pkg:npm/${name}@${version}`,
  hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex") }],
  licenses: [{ license: { id: "MIT" } }],
});

/** A UUID (version 8, whose content is free) that depends only on the text. */
function uuidOf(text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** All Node.js packages of which a release uses the bytes. */
export const nodePackages = (): NodePackage[] => [
  ...new Map([...platforms.map(({ node }) => node), ...generators].map((one) => [one.integrity, one])).values(),
];
