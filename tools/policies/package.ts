import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
  [field: string]: unknown;
  devDependencies: Record<string, string>;
}

const root = join(__dirname, "../../..");
const pack = join(root, "dist/policies");

const own: object = JSON.parse(readFileSync(join(root, "policies/package.json"), "utf8"));
const { version, homepage, repository, license, engines, devDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as Manifest;
const dependencies = { "@pulumi/policy": devDependencies["@pulumi/policy"] };

/** Completes the compiled policy pack in dist/policies to an npm package with the version of this one. */
writeFileSync(
  join(pack, "package.json"),
  `${JSON.stringify({ ...own, version, homepage, repository, license, engines, dependencies, peerDependencies }, undefined, 2)}\n`,
);
for (const file of ["PulumiPolicy.yaml", "README.md"]) copyFileSync(join(root, "policies", file), join(pack, file));
copyFileSync(join(root, "LICENSE"), join(pack, "LICENSE"));
