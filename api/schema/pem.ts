import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";

/** The fields of a certificate. For a certificate chain, those of its first certificate. */
export interface Certificate {
  /** Common name of the subject. Null for certificates that list their hosts only as alternative names. */
  commonName: string | null;
  /** SHA-1 fingerprint of the certificate, as upper-case hex bytes separated by colons. */
  fingerprint: string;
  publicKey: KeyObject;
  /** Start of the validity period, which ends at `notAfter`. Both are in milliseconds since 1970. */
  notBefore: number;
  notAfter: number;
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g;

/**
 * Reads a PEM certificate or a chain that starts with the server's certificate. Undefined if any part is not a
 * certificate.
 */
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

/** Converts escaped line breaks in PEM text (a backslash and the letter n) to real ones. */
export const pemLines = (text: string): string => text.replaceAll("\\n", "\n");

/**
 * The PEM text of a field, which may contain the PEM text itself or its Base64 encoding. Escaped line breaks are
 * converted.
 */
export const pemOf = (text: string): string =>
  pemLines(text.includes("-----BEGIN") ? text : Buffer.from(text, "base64").toString("utf8"));

/** Canonical form of PEM text, in which line breaks and surrounding whitespace are normalized. */
export const canonicalPem = (text: string): string => pemLines(text).replaceAll("\r", "").trim();
