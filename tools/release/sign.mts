import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Signs the provenance of a built release in place: `RELEASE_KEY=… node tools/release/sign.mts FOLDER`. The key is a private
 * one (PEM, Ed25519). This file imports only modules of Node, because the code of an installed package could read the key.
 */
const [folder = "release"] = process.argv.slice(2);
const key = process.env.RELEASE_KEY;
if (!key) {
  console.error("release: RELEASE_KEY is not set: set it to a private key (PEM, Ed25519), which signs the provenance.");
  process.exit(2);
}

const NAME = "provenance.intoto.json";
const TYPE = "application/vnd.in-toto+json";
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const file = join(folder, NAME);
const read = JSON.parse(readFileSync(file, "utf8")) as { payload?: string };
// A repeated job can get a file that is signed already.
const statement = read.payload ? Buffer.from(read.payload, "base64") : Buffer.from(JSON.stringify(read));
const privateKey = createPrivateKey(key);
const keyid = sha256(createPublicKey(privateKey).export({ type: "spki", format: "der" }));
// The bytes that a DSSE signature covers: type and content, each with its length.
const covered = Buffer.concat([Buffer.from(`DSSEv1 ${TYPE.length} ${TYPE} ${statement.length} `), statement]);
const sig = sign(null, covered, privateKey).toString("base64");
const envelope = { payloadType: TYPE, payload: statement.toString("base64"), signatures: [{ keyid, sig }] };
writeFileSync(file, `${JSON.stringify(envelope)}\n`);

const checksums = join(folder, "checksums.txt");
const sums = readFileSync(checksums, "utf8");
const line = new RegExp(`^[0-9a-f]{64}(?=  ${NAME.replaceAll(".", "\\.")}$)`, "m");
if (!line.test(sums)) throw new Error(`${checksums} has no line for ${NAME}`);
writeFileSync(checksums, sums.replace(line, sha256(readFileSync(file))));
