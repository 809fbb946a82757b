import { createPrivateKey } from "node:crypto";
import { certificate } from "../../contract/load-balancers/certificate";

const pair = async (name: string) => {
  const { ssl_cert, ssl_key } = await certificate(name);
  return { sslCert: ssl_cert, sslKey: ssl_key };
};

/** Made once a run: what a certificate says does not matter here, only which one it is. */
export const certificates = Promise.all([pair("example.org"), pair("example.net")] as const);

/** The same private key in its other PEM form. */
export const rewritten = (key: string): string =>
  createPrivateKey(key).export({ type: "sec1", format: "pem" }).toString();
