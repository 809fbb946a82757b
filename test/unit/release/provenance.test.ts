import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync, verify } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generators, platforms } from "../../../tools/release/platforms";
import { provenance } from "../../../tools/release/provenance";
import { newFolder } from "../../folder";

const place = newFolder();
const out = join(place, "out");
mkdirSync(out);
writeFileSync(join(out, "b.txt"), "");
writeFileSync(join(out, "a.txt"), "a");
const release = {
  root: join(__dirname, "../../.."),
  version: "1.2.3",
  commit: "c".repeat(40),
  time: new Date("2026-01-02T03:04:05Z"),
  out,
  work: place,
};

test("the provenance names each file by its hash, in order, and what it was built from", () => {
  const statement = JSON.parse(provenance(release));
  expect(statement.subject).toEqual([
    { name: "a.txt", digest: { sha256: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb" } },
    { name: "b.txt", digest: { sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" } },
  ]);
  expect(statement.predicate.buildDefinition.resolvedDependencies[0]).toEqual({
    uri: "git+https://github.com/pulumi-cloudinfra/pulumi-cloudinfra.git@refs/tags/v1.2.3",
    digest: { gitCommit: "c".repeat(40) },
  });
  expect(provenance(release)).toBe(provenance(release));
});

describe("signing the provenance of a built release", () => {
  const statement = '{"subject":"é"}';
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

  /** A folder with an unsigned provenance and its checksum. */
  function built(name: string) {
    const folder = join(place, name);
    mkdirSync(folder);
    const file = (one: string) => readFileSync(join(folder, one), "utf8");
    writeFileSync(join(folder, "provenance.intoto.json"), `${statement}\n`);
    writeFileSync(
      join(folder, "checksums.txt"),
      `${sha256("")}  a.txt\n${sha256(`${statement}\n`)}  provenance.intoto.json\n${sha256("b")}  schema.json\n`,
    );
    const sign = (RELEASE_KEY: string) =>
      execFileSync(process.execPath, [join(release.root, "tools/release/sign.mts"), folder], {
        env: { ...process.env, RELEASE_KEY },
        encoding: "utf8",
        stdio: "pipe",
      });
    return { file, sign };
  }

  test("puts the statement into an envelope whose signature the public key verifies, and corrects its checksum", () => {
    const { file, sign } = built("signed");
    sign(key);
    const envelope = JSON.parse(file("provenance.intoto.json"));
    expect(envelope.payloadType).toBe("application/vnd.in-toto+json");
    expect(Buffer.from(envelope.payload, "base64").toString("utf8")).toBe(statement);
    // DSSE signs type and content with their lengths in bytes: é has two.
    const covered = Buffer.from(`DSSEv1 28 application/vnd.in-toto+json 16 ${statement}`);
    const [{ sig }] = envelope.signatures;
    expect(verify(null, covered, publicKey, Buffer.from(sig, "base64"))).toBe(true);
    expect(file("checksums.txt").split("\n")).toEqual([
      `${sha256("")}  a.txt`,
      `${sha256(file("provenance.intoto.json"))}  provenance.intoto.json`,
      `${sha256("b")}  schema.json`,
      "",
    ]);
  });

  test("writes the same bytes if a job is repeated", () => {
    const { file, sign } = built("repeated");
    sign(key);
    const once = [file("provenance.intoto.json"), file("checksums.txt")];
    sign(key);
    expect([file("provenance.intoto.json"), file("checksums.txt")]).toEqual(once);
  });

  test("fails without a key instead of leaving the statement unsigned", () => {
    const { file, sign } = built("unsigned");
    expect(() => sign("")).toThrow("RELEASE_KEY is not set");
    expect(file("provenance.intoto.json")).toBe(`${statement}\n`);
  });

  test("imports only modules of Node, because the code of a package could read the key", () => {
    const text = readFileSync(join(release.root, "tools/release/sign.mts"), "utf8");
    const imported = [...text.matchAll(/from "([^"]*)"/g)].map(([, name]) => name);
    expect(imported).toEqual(["node:crypto", "node:fs", "node:path"]);
    expect(text).not.toMatch(/require|import\(/);
  });
});

test("six platforms have an executable, and each has a generator of its version of Node.js", () => {
  expect(platforms.map(({ os, arch }) => `${os}-${arch}`)).toEqual([
    ...["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64"],
  ]);
  expect(new Set(platforms.map(({ node }) => node.version))).toEqual(new Set(generators.map(({ version }) => version)));
  expect(new Set(platforms.map(({ node }) => node.version.split(".")[0])).size).toBe(1);
});
