import { webcrypto } from "node:crypto";
import type { RowOf } from "../../core/store";

/** The URLs of a cluster's API server. Requests to them fail, because the emulator does not run Kubernetes. */
export const endpointsOf = ({ uuid, region }: RowOf<"lkeClusters">): string[] =>
  [443, 6443].map((port) => `https://${uuid}.${region}.lke.cloudinfra.example:${port}`);

export async function kubeconfigOf(cluster: RowOf<"lkeClusters">): Promise<string> {
  const { stringify } = await import("yaml");
  const name = `lke${cluster.id}`;
  const user = `${name}-admin`;
  const context = `${name}-ctx`;
  const authority = await certificateOf(cluster.authority, name, cluster.created);
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    preferences: {},
    clusters: [
      {
        name,
        cluster: {
          "certificate-authority-data": Buffer.from(authority).toString("base64"),
          server: endpointsOf(cluster)[0],
        },
      },
    ],
    users: [{ name: user, user: { "as-user-extra": {}, token: cluster.token } }],
    contexts: [{ name: context, context: { cluster: name, namespace: "default", user } }],
    "current-context": context,
  });
}

const YEARS = 10;
const algorithm = { name: "Ed25519" };

/** PKCS #8 header of an Ed25519 private key (RFC 8410). */
const pkcs8 = "302e020100300506032b657004220420";

/**
 * The self-signed certificate of a cluster's certificate authority in PEM format. The same key, name and time produce
 * the same bytes, because Ed25519 signatures are deterministic. `@peculiar/x509` is loaded on first use, so that the
 * emulator starts fast.
 */
async function certificateOf(key: string, name: string, created: string): Promise<string> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const keys = await keysOf(key);
  const notBefore = new Date(`${created}Z`);
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notBefore.getUTCFullYear() + YEARS);
  const use = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    serialNumber: `01${key.slice(0, 30)}`,
    notBefore,
    notAfter,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(use, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}

async function keysOf(hex: string): Promise<webcrypto.CryptoKeyPair> {
  const { subtle } = webcrypto;
  const privateKey = await subtle.importKey("pkcs8", Buffer.from(pkcs8 + hex, "hex"), algorithm, true, ["sign"]);
  const { x } = await subtle.exportKey("jwk", privateKey);
  const publicKey = await subtle.importKey("jwk", { kty: "OKP", crv: "Ed25519", x: x as string }, algorithm, true, [
    "verify",
  ]);
  return { privateKey, publicKey };
}
