import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { X509CertificateGenerator } from "@peculiar/x509";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** A self-signed certificate and its private key, both in PEM format. */
export async function certificate(
  name: string,
  until = "2031-01-01T00:00:00Z",
): Promise<{ ssl_cert: string; ssl_key: string }> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const created = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date("2021-01-01T00:00:00Z"),
    notAfter: new Date(until),
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return {
    ssl_cert: `${created.toString("pem")}\n`,
    ssl_key: `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, "$&\n")}\n-----END PRIVATE KEY-----\n`,
  };
}
