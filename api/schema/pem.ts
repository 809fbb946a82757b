import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";

/** What can be read from a certificate, or from the first one of a chain. */
export interface Certificate {
  /** Null where the subject has none: such certificates name their hosts elsewhere. */
  commonName: string | null;
  /** SHA-1 of the certificate: bytes in upper-case hex, with colons. */
  fingerprint: string;
  publicKey: KeyObject;
  /** The moments, in milliseconds since 1970, between which it is valid. */
  notBefore: number;
  notAfter: number;
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g;

/** Reads a PEM certificate or chain, the certificate of the server first; nothing if any part of it is no certificate. */
export function readCertificate(pem: string): Certificate | undefined {
  const found = [...pem.matchAll(block)];
  if (found.length === 0 || found.some(([, label]) => label !== "CERTIFICATE") || pem.replace(block, "").trim())
    return undefined;
  try {
    const [first] = found.map(([one]) => new X509Certificate(one));
    return first && described(first);
  } catch {
    return undefined;
  }
}

/** Whether the text is a private key in PEM form, without a passphrase. */
export const isPrivateKey = (pem: string): boolean => readKey(pem) !== undefined;

/** Whether the text is the private key that belongs to the certificate. */
export function keyMatches({ publicKey }: Pick<Certificate, "publicKey">, keyPem: string): boolean {
  const key = readKey(keyPem);
  return key !== undefined && createPublicKey(key).equals(publicKey);
}

function readKey(pem: string): KeyObject | undefined {
  if (!/^-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/.test(pem.trim())) return undefined;
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function described(certificate: X509Certificate): Certificate {
  const [, commonName = null] = /^CN=(.*)$/m.exec(certificate.subject) ?? [];
  return {
    commonName,
    fingerprint: certificate.fingerprint,
    publicKey: certificate.publicKey,
    notBefore: Number(certificate.validFromDate),
    notAfter: Number(certificate.validToDate),
  };
}

/** The PEM text in a field that may hold it as it is or in Base64 once more. */
export const pemOf = (text: string): string =>
  text.includes("-----BEGIN") ? text : Buffer.from(text, "base64").toString("utf8");

/** PEM as it is: its line breaks can come as the two characters backslash and n. */
export const pemLines = (text: string): string => text.replaceAll("\\n", "\n");

/** The PEM text however its line breaks are written and whatever is left blank around it. */
export const canonicalPem = (text: string): string => pemLines(text).replaceAll("\r", "").trim();
