import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { newFolder } from "../folder";
import { checked } from "./deployment";

const root = join(__dirname, "../..");
const place = newFolder();
const bin = join(place, "bin");
/** The fake GitHub and the fake registries: a file for each thing that was published. */
const published = join(place, "published");
const origin = join(place, "origin.git");
const { privateKey } = generateKeyPairSync("ed25519");
const git = (...args: string[]) => execFileSync("git", args, { cwd: place, encoding: "utf8", stdio: "pipe" });

/** Each command fails once if the file `fail-NAME` exists, and rejects a file that exists already. */
const once = `put() {
  if [ -e "$PUBLISHED/fail-$1" ]; then rm "$PUBLISHED/fail-$1"; echo "$1: 503 Service Unavailable" >&2; exit 1; fi
  if [ -e "$PUBLISHED/$1" ]; then echo "$1 exists" >&2; exit 1; fi
  touch "$PUBLISHED/$1"
}
`;
const commands = {
  gh: `case "$1 $2" in
    "release view") ls "$PUBLISHED/release" >/dev/null 2>&1 || exit 1; cd "$PUBLISHED"; ls | sed -n 's/^asset-//p' ;;
    "release create") put release ;;
    "release upload") put "asset-$(basename "$4")" ;;
    "release edit") [ "$4" = --draft=false ] && touch "$PUBLISHED/public" ;;
  esac`,
  npm: `case "$1" in
    view) [ -e "$PUBLISHED/$(echo "$2" | tr @ -).tgz" ] && echo "\${2#*@}" || { echo "npm error code E404" >&2; exit 1; } ;;
    publish) put "$(basename "$2")" ;;
  esac`,
  pipx: "exit 0",
  twine: `[ "$1 $2" = "upload --skip-existing" ] || exit 1
    shift 2
    for file; do [ -e "$PUBLISHED/$(basename "$file")" ] || put "$(basename "$file")"; done`,
  unzip: `module="$4/github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go@v1.2.3"
    mkdir -p "$module" && echo "package cloudinfra" > "$module/cloudinfra.go"`,
};

const files = ["a.tar.gz", "release-notes.md", "provenance.intoto.json", "cloudinfra-policies-1.2.3.tgz"].concat(
  ["pulumi-cloudinfra-1.2.3.tgz", "pulumi_cloudinfra-1.2.3-py3-none-any.whl", "pulumi_cloudinfra-1.2.3.tar.gz"].sort(),
);

beforeAll(() => {
  for (const folder of [bin, published]) mkdirSync(folder);
  for (const [name, script] of Object.entries(commands))
    writeFileSync(join(bin, name), `#!/bin/sh\n${once}${script}\n`, { mode: 0o755 });
  git("init", "--quiet", "--bare", origin);
  git("clone", "--quiet", origin, "first");
  mkdirSync(join(place, "first/tools/release"), { recursive: true });
  cpSync(join(root, "tools/release/sign.mts"), join(place, "first/tools/release/sign.mts"));
  const work = ["-C", "first", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  git(...work, "add", ".");
  git(...work, "commit", "--quiet", "--message", "Release");
  git(...work, "tag", "v1.2.3");
  git(...work, "push", "--quiet", "origin", "HEAD", "v1.2.3");
});

/** Runs the commands of the job that publishes in a new checkout, as each attempt does. Returns the failed step. */
async function attempt(name: string): Promise<string | undefined> {
  const folder = join(place, name);
  git("clone", "--quiet", "--branch", "v1.2.3", origin, name);
  const release = join(folder, "release");
  mkdirSync(release);
  for (const file of files) writeFileSync(join(release, file), file.endsWith(".json") ? "{}\n" : file);
  const sum = (file: string) =>
    createHash("sha256")
      .update(readFileSync(join(release, file)))
      .digest("hex");
  writeFileSync(join(release, "checksums.txt"), files.map((file) => `${sum(file)}  ${file}\n`).join(""));
  const { steps } = parse(readFileSync(join(root, ".github/workflows/release.yml"), "utf8")).jobs.publish as {
    steps: { name?: string; run?: string }[];
  };
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    PUBLISHED: published,
    GITHUB_REF_NAME: "v1.2.3",
    RUNNER_TEMP: join(place, `${name}-temp`),
    RELEASE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
  for (const { name: title, run } of steps) {
    if (!run) continue;
    const { code, output } = await checked("bash", ["--norc", "-e", "-c", run], {}, { cwd: folder, env });
    if (code !== 0) return `${title ?? run}: ${output.trim()}`;
  }
  // The attested checksums are those of the signed files.
  execFileSync("sha256sum", ["--check", "--strict", "checksums.txt"], { cwd: release, stdio: "pipe" });
  return undefined;
}

const failNext = (name: string): void => writeFileSync(join(published, `fail-${name}`), "");
const tags = (): string[] => git("ls-remote", "--tags", origin).match(/(?<=refs\/tags\/).*/g) ?? [];

test("a release that failed at any target is completed by running its failed jobs again", async () => {
  failNext("asset-pulumi-cloudinfra-1.2.3.tgz");
  expect(await attempt("attempt-1")).toMatch(/^Publish the release.*503/s);
  expect(readdirSync(published)).not.toContain("public");

  failNext("cloudinfra-policies-1.2.3.tgz");
  expect(await attempt("attempt-2")).toMatch(/^Publish the package.*503/s);

  failNext("pulumi_cloudinfra-1.2.3.tar.gz");
  expect(await attempt("attempt-3")).toMatch(/^Publish the Python SDK.*503/s);

  expect(await attempt("attempt-4")).toBeUndefined();
  expect(await attempt("attempt-5"), "everything exists already").toBeUndefined();

  expect(tags()).toEqual(["sdks/go/v1.2.3", "v1.2.3"]);
  expect(readdirSync(published).sort()).toEqual(
    [
      ...[...files, "checksums.txt"].map((file) => `asset-${file}`),
      ...["cloudinfra-policies-1.2.3.tgz", "pulumi-cloudinfra-1.2.3.tgz"],
      ...["pulumi_cloudinfra-1.2.3-py3-none-any.whl", "pulumi_cloudinfra-1.2.3.tar.gz"],
      ...["public", "release"],
    ].sort(),
  );
});
