import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files that name the version of this package, in addition to package.json, its lock file and generated files. */
export const versioned = [
  "templates/**/*.{md,json,mod,yml}",
  "templates/*/.github/workflows/*.yml",
  "examples/*/{README.md,package.json}",
  "examples/website/{typescript,typescript-native}/package.json",
  "examples/automation/typescript/package.json",
  "examples/{automation,website}/go/go.mod",
  "examples/unattended/{Dockerfile,*.yaml}",
  "docs/{component-libraries,from-pulumi-linode,getting-started,import}.md",
  "docs/guides/{languages,unattended}.md",
];

/** The names of the package, its packed file, its plugin, its image and its Go module, which a version follows. */
const before = String.raw`pulumi-cloudinfra-|"pulumi-cloudinfra": "\^|resource cloudinfra v?|cloudinfra@|example.com/cloudinfra:|sdks/go v`;
const version = String.raw`\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+?)?(?=\.tgz|[\s"]|$)`;
const pattern = new RegExp(`(?<=${before})${version}`, "gm");

/** All versions of this package that a text names. */
export const versionsIn = (text: string): string[] => [...text.matchAll(pattern)].map(([found]) => found);

export const withVersion = (text: string, next: string): string => text.replace(pattern, next);

/** Sets the version in package.json, and in each file that names it. */
function main(next = ""): void {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$/.test(next)) {
    console.error(`VERSION must be a version such as 0.2.0 or 0.2.0-rc.1 (given "${next}")`);
    process.exitCode = 2;
    return;
  }
  const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));
  execFileSync("npm", ["version", next, "--no-git-tag-version", "--allow-same-version"], { cwd: root, stdio: "pipe" });
  for (const name of globSync(versioned, { cwd: root })) {
    const file = join(root, name);
    const text = readFileSync(file, "utf8");
    if (withVersion(text, next) !== text) writeFileSync(file, withVersion(text, next));
  }
}

if (require.main === module) main(process.argv[2]);
