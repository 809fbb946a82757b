import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";

const YEARS = 10;

/**
 * The certificate of a cluster's authority in PEM form: signed by itself with the Ed25519 key, whose signatures hold no
 * chance, so that the same key, name and time make the same bytes.
 */
export function certificateOf(key: string, name: string, created: string): string {
  const signer = createPrivateKey({
    key: Buffer.concat([pkcs8, Buffer.from(key, "hex")]),
    format: "der",
    type: "pkcs8",
  });
  const spki = createPublicKey(signer).export({ format: "der", type: "spki" });
  const subject = sequence(set(sequence(oid.commonName, der(0x0c, Buffer.from(name)))));
  const begin = new Date(`${created}Z`);
  const end = new Date(begin);
  end.setUTCFullYear(begin.getUTCFullYear() + YEARS);
  const body = sequence(
    context(0, der(0x02, Buffer.of(2))),
    der(0x02, serial(spki)),
    ed25519,
    subject,
    sequence(time(begin), time(end)),
    subject,
    spki,
    context(3, sequence(...extensions(spki))),
  );
  const certificate = sequence(body, ed25519, bits(sign(null, body, signer)));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

/** What an authority needs: that it is one, what its key is for, and the name of the key (RFC 5280, 4.2.1). */
const extensions = (spki: Buffer): Buffer[] => [
  sequence(oid.basicConstraints, yes, octets(sequence(yes))),
  sequence(oid.keyUsage, yes, octets(bits(Buffer.of(0b10000110), 1))),
  sequence(oid.keyIdentifier, octets(octets(createHash("sha1").update(spki.subarray(-32)).digest()))),
];

/** Positive, and of 16 bytes. */
function serial(spki: Buffer): Buffer {
  const bytes = createHash("sha256").update(spki).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8() & 0x3f) | 0x40);
  return bytes;
}

/** Two digits for the year up to 2049, four from then on (RFC 5280, 4.1.2.5). */
function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

/** A value in DER: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const set = (...parts: Buffer[]): Buffer => der(0x31, ...parts);
const octets = (content: Buffer): Buffer => der(0x04, content);
const bits = (content: Buffer, unused = 0): Buffer => der(0x03, Buffer.of(unused), content);
const context = (number: number, content: Buffer): Buffer => der(0xa0 + number, content);
const hex = (digits: string): Buffer => Buffer.from(digits, "hex");

const yes = hex("0101ff");
const oid = {
  commonName: hex("0603550403"),
  basicConstraints: hex("0603551d13"),
  keyUsage: hex("0603551d0f"),
  keyIdentifier: hex("0603551d0e"),
};
const ed25519 = sequence(hex("06032b6570"));
/** What comes before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8 = hex("302e020100300506032b657004220420");
