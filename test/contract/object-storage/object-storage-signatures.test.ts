import { sign } from "aws4";
import { expect } from "vitest";
import { urlSignedBy } from "../../../emulator/areas/object-storage/object-sigv4";
import { type Cloud, test } from "../cloud";
import { as, bucket, code, data, elements, key, type Pair, signed } from "./bucket";

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
  ]) {
    const rejection = await data(one, `GET ${changed}`, { headers });
    expect(code(rejection), changed).toBe("SignatureDoesNotMatch");
    expect(elements(rejection, "Message")).toEqual([
      "The signature does not match the request and the secret of the key",
    ]);
  }
});

/** The query of a URL that a published client has signed. */
function signedQuery({ url, world }: Cloud, { access_key, secret_key }: Pair, request: string, seconds = 60): string {
  const [method = "", to = ""] = request.split(" ");
  const { host, pathname } = new URL(url.replace(/\/v4$/, `/objects${to}`));
  const at = new Date(world.clock.now()).toISOString().replace(/[-:]|\.\d+/g, "");
  const query = new URLSearchParams({ "X-Amz-Expires": String(seconds), "X-Amz-Date": at });
  const wanted = { service: "s3", region: "us-east-1", method, host, path: `${pathname}?${query}`, signQuery: true };
  const { path = "" } = sign(wanted, { accessKeyId: access_key, secretAccessKey: secret_key });
  return path.slice("/objects".length);
}

test("a URL that a client has signed stores and returns an object without further headers, until it expires", async (it) => {
  await bucket(it);
  const pair = await key(it);
  const sent = await data(it, `PUT ${signedQuery(it, pair, "PUT /us-east-1/photos/a%20b.txt")}`, { body: "hello" });
  expect(sent.status).toBe(200);
  const link = signedQuery(it, pair, "GET /us-east-1/photos/a%20b.txt");
  expect((await data(it, `GET ${link}`)).text).toBe("hello");
  expect((await data(it, `DELETE ${link}`)).status).toBe(403);
  expect((await data(it, `GET ${link.replace("a%20b", "other")}`)).status).toBe(403);
  it.advance(61_000);
  expect((await data(it, `GET ${link}`)).text).toContain("The URL expired at 2022-01-01T00:0");
});

test.each([0, 604_801])("a URL that is signed for %s seconds is rejected", async (it, seconds) => {
  await bucket(it);
  const link = signedQuery(it, await key(it), "GET /us-east-1/photos/a.txt", seconds);
  const rejected = await data(it, `GET ${link}`);
  expect(rejected.status).toBe(400);
  expect(rejected.text).toContain("X-Amz-Expires must be a number of seconds from 1 to 604800 (a week)");
});

test("a signed URL of AWS's own documentation is valid", async () => {
  const query = new URLSearchParams({
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request",
    "X-Amz-Date": "20130524T000000Z",
    "X-Amz-Expires": "86400",
    "X-Amz-SignedHeaders": "host",
    "X-Amz-Signature": "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  });
  const request = { method: "GET", query, headers: { host: "examplebucket.s3.amazonaws.com" }, path: "/test.txt" };
  const secretOf = () => "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  expect(urlSignedBy(request, Date.UTC(2013, 4, 24, 12), secretOf)).toBe("AKIAIOSFODNN7EXAMPLE");
});
