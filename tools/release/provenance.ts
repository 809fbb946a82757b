import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn } from "./archive";
import type { Release } from "./release";
import { nodePackages } from "./sbom";

/**
 * The provenance of the files in the release's folder: an in-toto statement that names the files and what they were
 * built from.
 */
export function provenance({ root, version, commit, time, out }: Release): string {
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    repository: { url: string };
  };
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: filesIn(out).map((name) => ({ name, digest: { sha256: sha256(readFileSync(join(out, name))) } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/docs/releasing.md`,
        externalParameters: { command: "make release", version },
        internalParameters: { SOURCE_DATE_EPOCH: time.getTime() / 1000 },
        resolvedDependencies: [
          { uri: `${repository.url}@refs/tags/v${version}`, digest: { gitCommit: commit } },
          ...nodePackages().map(({ name, version, integrity }) => ({
            uri: `pkg:npm/${name}@${version}`,
            digest: { sha512: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex") },
          })),
          { uri: "package-lock.json", digest: { sha256: sha256(readFileSync(join(root, "package-lock.json"))) } },
        ],
      },
      runDetails: { builder: { id: `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/Makefile` } },
    },
  };
  return JSON.stringify(statement);
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
