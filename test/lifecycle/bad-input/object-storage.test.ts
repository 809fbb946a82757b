import { expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { certificate } from "../../contract/load-balancers/certificate";
import { refusals } from "./refusals";

test("ObjectStorageBucket", async () => {
  const bucket = (inputs: Bag) => refusals("ObjectStorageBucket", { cluster: "us-east-1", label: "photos", ...inputs });
  expect(await bucket({ label: "Ph" })).toMatchInlineSnapshot(`
    "label: must be at least 3 characters long (given "Ph")
    label: must start with a letter or digit and contain only lower-case letters, digits, dashes and single dots (given "Ph")"
  `);
  expect(await bucket({ cluster: "us-est-1", acl: "public", corsEnabled: 1 })).toMatchInlineSnapshot(`
    "acl: must be "private", "public-read", "authenticated-read", "public-read-write" or "custom" (given "public")
    corsEnabled: must be true or false (given 1)
    cluster: must be "ap-south-1", "eu-central-1", "us-east-1" or "us-southeast-1"; did you mean "us-east-1"? (given "us-est-1")"
  `);
  expect(await bucket({ certificate: { certificate: "abc" } })).toMatchInlineSnapshot(
    `
    "certificate.privateKey: is required
    certificate.certificate: must be a certificate in PEM format, optionally Base64-encoded (given "abc")"
  `,
  );
  const [one, other] = [await certificate("one.example.org"), await certificate("other.example.org")];
  const messages = await bucket({ certificate: { certificate: one.ssl_cert, privateKey: other.ssl_key } });
  expect(messages).toMatchInlineSnapshot(
    `"certificate.privateKey: must be the private key that matches the certificate (given [secret])"`,
  );
  expect(await bucket({ certificate: { certificate: "abc", privateKey: "planted-key" } })).toMatchInlineSnapshot(`
    "certificate.certificate: must be a certificate in PEM format, optionally Base64-encoded (given "abc")
    certificate.privateKey: must be a private key in PEM format, optionally Base64-encoded (given [secret])"
  `);
});

test("ObjectStorageObject", async () => {
  const object = (inputs: Bag) =>
    refusals("ObjectStorageObject", { cluster: "us-east-1", bucket: "photos", name: "cat.jpg", ...inputs });
  expect(await object({})).toMatchInlineSnapshot(`"content: is required unless file or source is set"`);
  expect(await object({ content: "a", file: "b", source: { text: "c" } })).toMatchInlineSnapshot(`
    "file: must be omitted if content is set (given "b")
    ["source"]: must be omitted if content is set (given {"text":"c"})"
  `);
  expect(await object({ file: "/no/such/file" })).toMatchInlineSnapshot(
    `"file: cannot be read: ENOENT: no such file or directory, open '/no/such/file' (given "/no/such/file")"`,
  );
  expect(await object({ source: {} })).toMatchInlineSnapshot(
    `"["source"]: must be a FileAsset, StringAsset or RemoteAsset (given {})"`,
  );
  expect(await object({ source: { path: "/no/such/file" } })).toMatchInlineSnapshot(
    `"["source"]: cannot be read: ENOENT: no such file or directory, open '/no/such/file' (given {"path":"/no/such/file"})"`,
  );
  expect(await object({ name: "a/../b", content: "a", contentType: " ", acl: "all" })).toMatchInlineSnapshot(`
    "name: must not have . or .. between slashes, because URLs cannot contain them (given "a/../b")
    contentType: must contain only characters that are allowed in an HTTP header (given " ")
    acl: must be "private", "public-read", "authenticated-read", "public-read-write" or "custom" (given "all")"
  `);
});

test("ObjectStorageKey", async () => {
  const photos = { cluster: "us-east-1", bucketName: "photos", permissions: "read_only" };
  const key = (inputs: Bag) => refusals("ObjectStorageKey", inputs);
  expect(await key({ label: "" })).toMatchInlineSnapshot(`"label: must not be empty (given "")"`);
  expect(await key({ bucketAccess: [photos, { ...photos, permissions: "write" }] })).toMatchInlineSnapshot(
    `
    "bucketAccess[1].permissions: must be "read_write" or "read_only" (given "write")
    bucketAccess[1]: must not list the bucket us-east-1/photos twice (given {"cluster":"us-east-1","bucketName":"photos","permissions":"write"})"
  `,
  );
  expect(await key({ bucketAccess: [photos, { ...photos, permissions: "read_write" }] })).toMatchInlineSnapshot(
    `"bucketAccess[1]: must not list the bucket us-east-1/photos twice (given {"cluster":"us-east-1","bucketName":"photos","permissions":"read_write"})"`,
  );
});
