import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkVersion, releaseNotes } from "../../../tools/release/notes";
import { versioned, versionsIn, withVersion } from "../../../tools/release/version";

const root = join(__dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const { version } = JSON.parse(read("package.json")) as { version: string };

test("every file that names a version of this package names that of package.json, and `make version` knows the file", () => {
  const tracked = execFileSync("git", ["ls-files", "templates", "examples", "docs", "README.md"], {
    cwd: root,
    encoding: "utf8",
  })
    .trim()
    .split("\n")
    .filter((file) => !file.startsWith("docs/registry/"));
  const naming = tracked.filter((file) => versionsIn(read(file)).length > 0);
  expect(naming.length).toBeGreaterThan(15);
  expect(naming.filter((file) => versionsIn(read(file)).some((found) => found !== version))).toEqual([]);
  expect(globSync(versioned, { cwd: root })).toEqual(expect.arrayContaining(naming));
});

test("a new version replaces only versions of this package", () => {
  const text = `"pulumi-cloudinfra": "file:../pulumi-cloudinfra-0.1.0.tgz", "typescript": "5.9.3"
pulumi plugin install resource cloudinfra 0.1.0 --file x
pulumi package add cloudinfra@0.1.0
image: registry.example.com/cloudinfra:0.1.0
require github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go v0.1.0
require github.com/pulumi/pulumi/sdk/v3 v3.259.0
`;
  expect(
    withVersion(text, "0.2.0-rc.1"),
  ).toBe(`"pulumi-cloudinfra": "file:../pulumi-cloudinfra-0.2.0-rc.1.tgz", "typescript": "5.9.3"
pulumi plugin install resource cloudinfra 0.2.0-rc.1 --file x
pulumi package add cloudinfra@0.2.0-rc.1
image: registry.example.com/cloudinfra:0.2.0-rc.1
require github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go v0.2.0-rc.1
require github.com/pulumi/pulumi/sdk/v3 v3.259.0
`);
  expect(versionsIn(withVersion(text, "0.2.0-rc.1"))).toEqual(Array(5).fill("0.2.0-rc.1"));
});

const changelog = `# Changelog

Text.

## [0.2.0] - 2026-12-01

### Added

- A kind.

## [0.1.0] - Unreleased

- All.
`;

test("the release notes are the section of the version", () => {
  expect(releaseNotes(changelog, "0.2.0")).toEqual({ notes: "### Added\n\n- A kind.\n", date: "2026-12-01" });
  expect(releaseNotes(changelog, "0.1.0")).toEqual({ notes: "- All.\n", date: undefined });
});

test("a version without a section, or another version than that of package.json, is an error that says what to do", () => {
  expect(() => releaseNotes(changelog, "0.3.0")).toThrow(
    'CHANGELOG.md has no section "## [0.3.0]". Its sections are: 0.2.0, 0.1.0.',
  );
  expect(() => checkVersion("0.3.0", "0.2.0")).toThrow(
    "VERSION is 0.3.0, but package.json has 0.2.0. Run `make version VERSION=0.3.0`, commit the changes, and try again.",
  );
  expect(() => checkVersion("0.2.0", "0.2.0")).not.toThrow();
  expect(() => checkVersion("", "0.2.0")).not.toThrow();
});
