import { webcrypto } from "node:crypto";

const YEARS = 10;
const algorithm = { name: "Ed25519" };

/** What comes before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8 = "302e020100300506032b657004220420";

/**
 * The certificate of a cluster's authority in PEM form, signed by itself. Ed25519 signatures hold no chance, so the
 * same key, name and time make the same bytes. The library is loaded when the first certificate is asked for.
 */
export async function certificateOf(key: string, name: string, created: string): Promise<string> {
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
