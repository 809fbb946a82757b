import { sign } from "aws4";
import { expect } from "vitest";
import { test } from "../cloud";
import { as, bucket, code, data, elements, key, signed } from "./bucket";

/** Object names with characters whose URL encoding differs between clients, which changes the request's signature. */
const names = ["a b+c", "100%", "ü/日本.txt", "it's (1)!*", "a=b&c;d,e", "~-._", "dir//twice", "[x]@y$z:w"];

const path = (name: string): string => `/us-east-1/photos/${name.split("/").map(encodeURIComponent).join("/")}`;

test.each(names)("a published client writes, reads, describes and deletes %j", async (one, name) => {
  await bucket(one);
  const sent = as(one, await key(one));
  expect((await sent(`PUT ${path(name)}`, { body: name })).status).toBe(200);
  expect(await sent(`GET ${path(name)}`)).toMatchObject({ status: 200, text: name });
  expect((await sent(`HEAD ${path(name)}`)).headers.get("content-length")).toBe(String(Buffer.byteLength(name)));
  expect((await sent(`DELETE ${path(name)}`)).status).toBe(204);
  expect(await sent(`GET ${path(name)}`).then(code)).toBe("NoSuchKey");
});

test("a published client lists objects with parameters that must be escaped", async (one) => {
  const photos = await bucket(one);
  for (const name of ["a b", "a+b", "c"]) await photos.put(name);
  const sent = as(one, await key(one));
  const list = (query: string) => sent(`GET /us-east-1/photos?list-type=2${query}`);
  expect(elements(await list("&prefix=a%20&max-keys=1"), "Key")).toEqual(["a b"]);
  expect(elements(await list("&prefix=a%2B"), "Key")).toEqual(["a+b"]);
  expect(elements(await list("&prefix="), "Key")).toEqual(["a b", "a+b", "c"]);
});

test("rejects a request whose path or parameters were changed in transit", async (one) => {
  await (await bucket(one)).put("a");
  const headers = signed(one, await key(one), "GET /us-east-1/photos?list-type=2&prefix=a");
  for (const changed of [
    "/us-east-1/photos?list-type=2&prefix=b",
    "/us-east-1/photos?list-type=2",
    "/us-east-1/photos/a",
  ])
    expect(await data(one, `GET ${changed}`, { headers }).then(code), changed).toBe("SignatureDoesNotMatch");
});

test("rejects a URL with an AWS signature in its query, instead of treating it as unsigned", async (one) => {
  await (await bucket(one, "photos", { acl: "public-read" })).put("a");
  const { host } = new URL(one.url);
  const { access_key, secret_key } = await key(one);
  const wanted = { service: "s3", region: "us-east-1", host, path: "/objects/us-east-1/photos/a", signQuery: true };
  const url = sign(wanted, { accessKeyId: access_key, secretAccessKey: secret_key }).path;
  const response = await data(one, `GET http://${host}${url}`);
  expect([response.status, code(response)]).toEqual([501, "NotImplemented"]);
});
