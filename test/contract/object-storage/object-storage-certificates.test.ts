import { expect } from "vitest";
import { messages, test } from "../cloud";
import { certificate } from "../load-balancers/certificate";
import { proves } from "../proves";
import { bucket, rule } from "./bucket";

/** The body of a request with a self-signed certificate and its key. */
async function pair(until?: string) {
  const { ssl_cert, ssl_key } = await certificate("photos.example.org", until);
  return { certificate: ssl_cert, private_key: ssl_key };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

test("a certificate is stored encrypted, and must be deleted before another one is uploaded", async (one) => {
  proves(rule(6));
  const { send } = one;
  const { path } = await bucket(one);
  const body = await pair();
  expect((await send(`GET ${path}/ssl`)).body).toEqual({ ssl: false });
  expect(await send(`POST ${path}/ssl`, { body })).toMatchObject({ status: 200, body: { ssl: true } });
  expect((await send(`GET ${path}/ssl`)).body).toEqual({ ssl: true });
  const [, secret = ""] = body.private_key.split("\n");
  for (const shown of ["GET /_emulator/state", "GET /_emulator/requests"] as const)
    expect(JSON.stringify((await send(shown)).body)).not.toContain(secret);
  const [row] = (await send("GET /_emulator/state")).body.tables.objectStorageBuckets.rows;
  expect(row.certificate.certificate).not.toContain("CERTIFICATE");

  const other = await pair();
  const rejected = await send(`POST ${path}/ssl`, { body: other });
  expect(messages(rejected)).toEqual([expect.stringContaining("delete it first")]);
  expect(await send(`DELETE ${path}/ssl`)).toMatchObject({ status: 200, body: {} });
  expect((await send(`DELETE ${path}/ssl`)).status).toBe(404);
  const encoded = { certificate: base64(other.certificate), private_key: base64(other.private_key) };
  expect((await send(`POST ${path}/ssl`, { body: encoded })).body).toEqual({ ssl: true });
});

test("a certificate and its key may have a literal \\n instead of each line break", async (one) => {
  const { send } = one;
  const { path } = await bucket(one);
  const { certificate, private_key } = await pair();
  const onOneLine = (text: string) => text.replaceAll("\n", "\\n");
  const body = { certificate: onOneLine(certificate), private_key: onOneLine(private_key) };
  expect(await send(`POST ${path}/ssl`, { body })).toMatchObject({ status: 200, body: { ssl: true } });
});

test("rejects an invalid certificate, an expired one, and one that does not match the key", async (one) => {
  const { send } = one;
  const { path } = await bucket(one);
  const good = await pair();
  const old = await pair("2021-12-31T23:59:59Z");
  const rejected = async (body: object) => messages(await send(`POST ${path}/ssl`, { body }));
  expect(await rejected({ certificate: "abc", private_key: "abc" })).toEqual([
    "certificate: Must be a certificate in PEM format, optionally Base64-encoded",
    "private_key: Must be a private key in PEM format, optionally Base64-encoded",
  ]);
  expect(await rejected({ ...good, private_key: good.certificate })).toHaveLength(1);
  expect(await rejected({ ...good, certificate: good.private_key })).toHaveLength(1);
  expect(await rejected({ ...good, private_key: (await pair()).private_key })).toEqual([
    "private_key: Must be the private key that matches the certificate",
  ]);
  expect(await rejected(old)).toEqual(["certificate: Expired at 2021-12-31T23:59:59"]);
  const torn = good.certificate.replace(/\n.{10}/, "\nAAAAAAAAAA");
  expect(await rejected({ ...good, certificate: torn })).toHaveLength(1);
  expect((await send(`GET ${path}/ssl`)).body).toEqual({ ssl: false });
  const chain = good.certificate + old.certificate;
  expect((await send(`POST ${path}/ssl`, { body: { ...good, certificate: chain } })).body).toEqual({ ssl: true });
});
