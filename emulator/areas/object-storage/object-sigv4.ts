import { createHash, createHmac } from "node:crypto";
import type { DataRequest } from "../../http/data-plane";
import { first } from "../../http/messages";
import { denied, ObjectError } from "./object-protocol";
import { same } from "./object-secrets";

/** Maximum difference between a request's time and the service's clock. */
const SKEW_MS = 15 * 60_000;

/** Value of the header `x-amz-content-sha256` if the signature does not cover the body. */
const UNSIGNED = "UNSIGNED-PAYLOAD";

interface Credential {
  access: string;
  date: string;
  region: string;
}

interface Authorization {
  credential: Credential;
  names: readonly string[];
  signature: string;
}

/**
 * Verifies an `Authorization` header of AWS Signature Version 4
 * (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html) and returns the access key. The
 * body has not arrived yet: `rejectOtherBody` compares it with the signed digest later.
 */
export function signedBy(
  request: Pick<DataRequest, "method" | "query" | "headers"> & { path: string },
  now: number,
  secretOf: (access: string) => string | undefined,
): string {
  const authorization = first(request.headers.authorization) ?? "";
  const { credential, names, signature } = parsed(authorization);
  const at = first(request.headers["x-amz-date"]) ?? "";
  rejectSkew(at, credential.date, now);
  const bare = Object.keys(request.headers).filter((name) => name.startsWith("x-amz-") && !names.includes(name));
  if (!names.includes("host")) bare.push("host");
  if (bare.length > 0) throw denied(`These headers must be signed: ${bare.join(", ")}`);
  const body = first(request.headers["x-amz-content-sha256"]) ?? "";
  rejectForged({ credential, names, signature }, at, digest(canonical(request, names, body)), secretOf);
  return credential.access;
}

/** The query parameters of a URL that an S3 client has signed. */
export const signedUrlParameters = [
  "X-Amz-Algorithm",
  "X-Amz-Credential",
  "X-Amz-Date",
  "X-Amz-Expires",
  "X-Amz-Security-Token",
  "X-Amz-SignedHeaders",
  "X-Amz-Signature",
];

/** Longest validity of a signed URL in seconds: a week. */
const LONGEST_URL = 7 * 24 * 3600;

/** Verifies a URL that an S3 client has signed with AWS Signature Version 4, and returns the access key. */
export function urlSignedBy(
  request: Pick<DataRequest, "method" | "query" | "headers"> & { path: string },
  now: number,
  secretOf: (access: string) => string | undefined,
): string {
  const { query } = request;
  const value = (name: string): string => query.get(`X-Amz-${name}`) ?? "";
  const { credential, names, signature } = parsed(
    `${value("Algorithm")} Credential=${value("Credential")},SignedHeaders=${value("SignedHeaders")},Signature=${value("Signature")}`,
  );
  const at = value("Date");
  const seconds = Number(value("Expires"));
  if (!(Number.isInteger(seconds) && seconds >= 1 && seconds <= LONGEST_URL))
    throw new ObjectError(
      400,
      "AuthorizationQueryParametersError",
      `X-Amz-Expires must be a number of seconds from 1 to ${LONGEST_URL} (a week)`,
    );
  const ends = timeOf(at, credential.date) + seconds * 1000;
  if (ends <= now) throw denied(`The URL expired at ${new Date(ends).toISOString()}`);
  const signed = new URLSearchParams([...query].filter(([name]) => name !== "X-Amz-Signature"));
  const text = canonical({ ...request, query: signed }, names, UNSIGNED);
  rejectForged({ credential, names, signature }, at, digest(text), secretOf);
  return credential.access;
}

/** Throws unless the signature covers the request with this digest. */
function rejectForged(
  { credential, signature }: Authorization,
  at: string,
  request: string,
  secretOf: (access: string) => string | undefined,
): void {
  const secret = secretOf(credential.access);
  if (secret === undefined) throw new ObjectError(403, "InvalidAccessKeyId", "The access key does not exist");
  const scope = `${credential.date}/${credential.region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", at, scope, request].join("\n");
  const steps = [credential.date, credential.region, "s3", "aws4_request", text];
  const expected = steps.reduce<string | Buffer>(
    (key, step) => createHmac("sha256", key).update(step).digest(),
    `AWS4${secret}`,
  );
  if (!same(expected.toString("hex"), signature))
    throw new ObjectError(
      403,
      "SignatureDoesNotMatch",
      "The signature does not match the request and the secret of the key",
    );
}

/**
 * The digest of the body that the request's signature covers; undefined if the body is not signed. Throws for kinds of
 * digests that are not supported.
 */
export function signedDigest(headers: DataRequest["headers"]): string | undefined {
  const header = first(headers["x-amz-content-sha256"]);
  if (header === UNSIGNED) return undefined;
  if (header !== undefined && /^[0-9a-f]{64}$/.test(header)) return header;
  throw new ObjectError(
    400,
    "InvalidRequest",
    `x-amz-content-sha256 must be the SHA-256 of the body or ${UNSIGNED}; bodies in signed chunks are not supported`,
  );
}

export function rejectOtherBody(body: Uint8Array, signed: string | undefined): void {
  if (signed !== undefined && digest(body) !== signed)
    throw new ObjectError(400, "XAmzContentSHA256Mismatch", "The body does not match the signed hash");
}

function parsed(header: string): Authorization {
  const [, rest] = /^AWS4-HMAC-SHA256\s+(.*)$/.exec(header) ?? [];
  const parts = new Map(
    (rest ?? "").split(",").map((part): [string, string] => {
      const [name = "", ...value] = part.trim().split("=");
      return [name, value.join("=")];
    }),
  );
  const [, access = "", date = "", region = ""] =
    /^([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request$/.exec(parts.get("Credential") ?? "") ?? [];
  const names = (parts.get("SignedHeaders") ?? "").split(";").filter(Boolean);
  const signature = parts.get("Signature") ?? "";
  if (!access || names.length === 0 || !signature)
    throw new ObjectError(
      400,
      "AuthorizationHeaderMalformed",
      "Must be AWS4-HMAC-SHA256 with a Credential for the service s3, SignedHeaders and a Signature",
    );
  return { credential: { access, date, region }, names, signature };
}

function rejectSkew(at: string, date: string, now: number): void {
  if (Math.abs(timeOf(at, date) - now) > SKEW_MS)
    throw new ObjectError(
      403,
      "RequestTimeTooSkewed",
      "The time of the request differs from that of the service by more than 15 minutes",
    );
}

/** The time of a signature in milliseconds since 1970. */
function timeOf(at: string, date: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(at) ?? [];
  const [year = Number.NaN, month = 1, ...rest] = parts.map(Number);
  const time = Date.UTC(year, month - 1, ...rest);
  if (Number.isNaN(time) || !at.startsWith(date))
    throw denied("x-amz-date must be a time like 20220101T120000Z, on the day of the credential");
  return time;
}

function canonical(
  { method, path, query, headers }: Pick<DataRequest, "method" | "query" | "headers"> & { path: string },
  names: readonly string[],
  body: string,
): string {
  const parameters = [...query].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const value = (name: string): string => [headers[name] ?? ""].flat().join(",").trim().replace(/\s+/g, " ");
  return [
    method,
    path
      .split("/")
      .map((part) => encoded(decodeURIComponent(part)))
      .join("/"),
    parameters.join("&"),
    ...names.map((name) => `${name}:${value(name)}`),
    "",
    names.join(";"),
    body,
  ].join("\n");
}

/** Percent-encodes all characters except letters, digits and `-._~`, as AWS Signature Version 4 requires. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const digest = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
