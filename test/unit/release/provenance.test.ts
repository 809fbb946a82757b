import { generateKeyPairSync, verify } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generators, platforms } from "../../../tools/release/platforms";
import { preAuthentication, provenance, signed } from "../../../tools/release/provenance";
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

test("with a key, the statement is in an envelope whose signature the public key verifies", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const statement = provenance(release);
  const envelope = JSON.parse(signed(statement, privateKey.export({ type: "pkcs8", format: "pem" }) as string));
  expect(envelope.payloadType).toBe("application/vnd.in-toto+json");
  expect(Buffer.from(envelope.payload, "base64").toString("utf8")).toBe(statement);
  const [{ sig }] = envelope.signatures;
  const verifies = (text: string) => verify(null, preAuthentication(text), publicKey, Buffer.from(sig, "base64"));
  expect(verifies(statement)).toBe(true);
  expect(verifies(statement.replace("1.2.3", "1.2.4"))).toBe(false);
});

test("the signed bytes have type and content with their lengths, as DSSE specifies", () => {
  expect(preAuthentication("é").toString("utf8")).toBe("DSSEv1 28 application/vnd.in-toto+json 2 é");
});

test("without a key, the statement is the file", () => {
  expect(signed("{}", undefined)).toBe("{}\n");
  expect(signed("{}", "")).toBe("{}\n");
});

test("six platforms have an executable, and each has a generator of its version of Node.js", () => {
  expect(platforms.map(({ os, arch }) => `${os}-${arch}`)).toEqual([
    ...["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64"],
  ]);
  expect(new Set(platforms.map(({ node }) => node.version))).toEqual(new Set(generators.map(({ version }) => version)));
  expect(new Set(platforms.map(({ node }) => node.version.split(".")[0])).size).toBe(1);
});
