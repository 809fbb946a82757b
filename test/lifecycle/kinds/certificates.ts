import { createPrivateKey } from "node:crypto";
import { certificate } from "../../contract/load-balancers/certificate";

const pair = async (name: string) => {
  const { ssl_cert, ssl_key } = await certificate(name);
  return { sslCert: ssl_cert, sslKey: ssl_key };
};

/** Certificates for all tests. Their contents do not matter, but they differ from each other. */
export const certificates = Promise.all([pair("example.org"), pair("example.net")] as const);

/** Converts a private key from PKCS #8 to SEC 1, which is the same key in another PEM format. */
export const rewritten = (key: string): string =>
  createPrivateKey(key).export({ type: "sec1", format: "pem" }).toString();
