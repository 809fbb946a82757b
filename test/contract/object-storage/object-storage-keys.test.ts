import { expect } from "vitest";
import { test } from "../cloud";
import { fieldsIn } from "../matrix/request";
import { proves } from "../proves";
import { as, bucket, code, data, elements, key, rule, signed } from "./bucket";

const access = (bucket_name: string, permissions: string) => ({ cluster: "us-east-1", bucket_name, permissions });

test("creates a key with a secret that is returned once, lists, views, renames and revokes it", async (one) => {
  const { send } = one;
  const created = await send("POST /object-storage/keys", { body: { label: "backup" } });
  expect(created.body).toEqual({
    id: expect.any(Number),
    label: "backup",
    access_key: expect.stringMatching(/^[A-Z0-9]{20}$/),
    secret_key: expect.stringMatching(/^[A-Za-z0-9]{40}$/),
    limited: false,
    bucket_access: null,
  });
  const path = `/object-storage/keys/${created.body.id}` as const;
  const shown = { ...created.body, secret_key: "[REDACTED]" };
  expect((await send(`GET ${path}`)).body).toEqual(shown);
  expect((await send("GET /object-storage/keys")).body).toMatchObject({ results: 1, data: [shown] });
  expect((await send(`PUT ${path}`, { body: { label: "restore" } })).body).toEqual({ ...shown, label: "restore" });
  for (const messages of ["GET /_emulator/state", "GET /_emulator/requests"] as const)
    expect(JSON.stringify((await send(messages)).body)).not.toContain(created.body.secret_key);

  const list = as(one, created.body);
  expect((await list("GET /us-east-1/")).status).toBe(200);
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  expect(await list("GET /us-east-1/").then(code)).toBe("InvalidAccessKeyId");
  const unnamed = (await send("POST /object-storage/keys", { body: {} })).body;
  expect(unnamed.label).toBe(unnamed.access_key);
});

test("a key without bucket_access is unlimited, and bucket_access requires existing buckets with permissions", async (one) => {
  proves(rule(5));
  const { send } = one;
  await bucket(one);
  const rejected = async (...bucket_access: object[]) =>
    fieldsIn(await send("POST /object-storage/keys", { body: { bucket_access } }));
  const photos = access("photos", "read_only");
  expect(await rejected({ ...photos, cluster: "eu-central-1" }, access("none", "read_write"))).toEqual([
    "bucket_access.0.bucket_name",
    "bucket_access.1.bucket_name",
  ]);
  expect(await rejected({ ...photos, cluster: "eu-west-1" })).toEqual(["bucket_access.0.cluster"]);
  expect(await rejected({ ...photos, permissions: "write" })).toEqual(["bucket_access.0.permissions"]);
  expect(await rejected({ bucket_name: "photos", cluster: "us-east-1" })).toEqual(["bucket_access.0.permissions"]);
  expect(one.world.objectStorageKeys.size).toBe(0);
  expect(await key(one, { bucket_access: [] })).toMatchObject({ limited: true, bucket_access: [] });
  expect(await key(one, { bucket_access: [photos] })).toMatchObject({ limited: true, bucket_access: [photos] });
  expect(await key(one)).toMatchObject({ limited: false, bucket_access: null });
});

test("a key that lists a bucket twice has the permissions of both entries", async (one) => {
  await bucket(one);
  const bucket_access = [access("photos", "read_only"), access("photos", "read_write")];
  for (const order of [bucket_access, bucket_access.toReversed()]) {
    const created = await key(one, { bucket_access: order });
    expect(created).toMatchObject({ limited: true, bucket_access: order });
    const request = as(one, created);
    expect((await request("PUT /us-east-1/photos/cat.txt", { body: "meow" })).status).toBe(200);
    expect((await request("GET /us-east-1/photos/cat.txt")).status).toBe(200);
  }
});

test("an unlimited key has all permissions for all buckets", async (one) => {
  proves(rule(5));
  const sent = as(one, await key(one));
  expect((await sent("PUT /us-east-1/photos", { headers: { "x-amz-acl": "public-read" } })).status).toBe(200);
  const name = "/us-east-1/photos/2022/K%C3%A4se%20%281%29.txt";
  expect((await sent(`PUT ${name}`, { body: "cheese", headers: { "content-type": "text/x" } })).status).toBe(200);
  const got = await sent(`GET ${name}`);
  expect([got.status, got.text, got.headers.get("content-type")]).toEqual([200, "cheese", "text/x"]);
  expect((await sent(`HEAD ${name}`)).headers.get("content-length")).toBe("6");
  expect((await sent("HEAD /us-east-1/photos")).status).toBe(200);
  expect((await data(one, `GET ${name}`)).text).toBe("cheese");
  expect((await sent("PUT /us-east-1/photos/own", { body: "x", headers: { "x-amz-acl": "private" } })).status).toBe(
    200,
  );
  expect((await data(one, "GET /us-east-1/photos/own")).status).toBe(403);
  expect(elements(await sent("GET /us-east-1/"), "Name")).toEqual(["photos"]);
  expect((await one.send("GET /object-storage/buckets/us-east-1/photos")).body).toMatchObject({ objects: 2, size: 7 });
  expect(await sent("DELETE /us-east-1/photos").then(code)).toBe("BucketNotEmpty");
  for (const deleted of [name, "/us-east-1/photos/own"]) expect((await sent(`DELETE ${deleted}`)).status).toBe(204);
  expect((await sent("DELETE /us-east-1/photos")).status).toBe(204);
});

test("a limited key can list all buckets and create some, but access only its own", async (one) => {
  proves(rule(5));
  for (const label of ["mine", "look", "other"])
    await (await bucket(one, label, { acl: "public-read" })).put("a", label);
  const bucket_access = [access("mine", "read_write"), access("look", "read_only")];
  const sent = as(one, await key(one, { bucket_access }));
  const statuses = async (label: string) => [
    (await sent(`GET /us-east-1/${label}?list-type=2`)).status,
    (await sent(`GET /us-east-1/${label}/a`)).status,
    (await sent(`PUT /us-east-1/${label}/b`, { body: "b" })).status,
    (await sent(`DELETE /us-east-1/${label}/b`)).status,
  ];
  expect(elements(await sent("GET /us-east-1/"), "Name")).toEqual(["look", "mine", "other"]);
  expect(await statuses("mine")).toEqual([200, 200, 200, 204]);
  expect(await statuses("look")).toEqual([200, 200, 403, 403]);
  expect(await statuses("other")).toEqual([403, 403, 403, 403]);
  expect((await sent("PUT /us-east-1/fresh")).status).toBe(200);
  expect(await statuses("fresh")).toEqual([403, 403, 403, 403]);
  expect((await sent("DELETE /us-east-1/fresh")).status).toBe(403);
  const none = as(one, await key(one, { bucket_access: [] }));
  expect(elements(await none("GET /us-east-1/"), "Name")).toHaveLength(4);
  expect((await none("GET /us-east-1/mine/a")).status).toBe(403);

  await one.send("DELETE /object-storage/buckets/us-east-1/mine?force=true");
  await bucket(one, "mine");
  expect(await statuses("mine")).toEqual([403, 403, 403, 403]);
});

test("S3 lists support prefix, delimiter, pages, and names that must be escaped", async (one) => {
  const photos = await bucket(one);
  for (const name of ["a&b<c>.txt", "dir/1", "dir/2", "z"]) await photos.put(name);
  const sent = as(one, await key(one));
  const list = (query = "") => sent(`GET /us-east-1/photos?list-type=2${query}`);
  const all = await list();
  expect(all.headers.get("content-type")).toBe("application/xml");
  expect(elements(all, "Key")).toEqual(["a&amp;b&lt;c&gt;.txt", "dir/1", "dir/2", "z"]);
  expect(elements(all, "LastModified")[0]).toBe("2022-01-01T00:00:00.000Z");
  const first = await list("&delimiter=%2F&max-keys=2");
  expect([elements(first, "Key"), elements(first, "CommonPrefixes")]).toEqual([
    ["a&amp;b&lt;c&gt;.txt"],
    ["<Prefix>dir/</Prefix>"],
  ]);
  const [token] = elements(first, "NextContinuationToken");
  const second = await list(`&continuation-token=${token}&delimiter=%2F&max-keys=2`);
  expect([elements(second, "Key"), elements(second, "IsTruncated")]).toEqual([["z"], ["false"]]);
  expect(elements(await list("&prefix=dir%2F&start-after=dir%2F1"), "Key")).toEqual(["dir/2"]);
  expect(elements(await list("&encoding-type=url"), "Key")[0]).toBe("a%26b%3Cc%3E.txt");
  expect((await list("&max-keys=many")).status).toBe(400);
  expect(await sent("GET /us-east-1/photos").then(code)).toBe("NotImplemented");
});

test("S3 lists begin with the first name, and contain the owner of each object only on request", async (one) => {
  const photos = await bucket(one);
  await photos.put("1.txt", "one");
  const sent = as(one, await key(one));
  const list = (query: string) => sent(`GET /us-east-1/photos?list-type=2${query}`);
  const contents = (owner: string) =>
    "<Key>1.txt</Key><LastModified>2022-01-01T00:00:00.000Z</LastModified>" +
    `<ETag>&quot;f97c5d29941bfb1b2fdab0874906ab82&quot;</ETag><Size>3</Size>${owner}<StorageClass>STANDARD</StorageClass>`;
  expect(elements(await list(""), "Contents")).toEqual([contents("")]);
  const owned = await list("&fetch-owner=true");
  const [owner] = elements(owned, "Owner");
  expect(owner).toMatch(/^<ID>.+<\/ID>$/);
  expect(elements(owned, "Contents")).toEqual([contents(`<Owner>${owner}</Owner>`)]);
});

test("rejects a signature with another secret, request, body or time, and unsigned headers", async (one) => {
  await (await bucket(one)).put("a");
  const pair = await key(one);
  const sent = as(one, pair);
  const get = "GET /us-east-1/photos/a";
  const put = "PUT /us-east-1/photos/b";
  const minutes = (count: number) => one.world.clock.now() + count * 60_000;
  expect(await as(one, { ...pair, secret_key: "guess" })(get).then(code)).toBe("SignatureDoesNotMatch");
  expect(await as(one, { ...pair, access_key: "AKIDNONE" })(get).then(code)).toBe("InvalidAccessKeyId");
  for (const at of [minutes(16), minutes(-16)]) {
    const skewed = await sent(get, { at });
    expect(code(skewed)).toBe("RequestTimeTooSkewed");
    expect(elements(skewed, "Message")).toEqual([
      "The time of the request differs from that of the service by more than 15 minutes",
    ]);
  }
  expect((await sent(get, { at: minutes(-14) })).status).toBe(200);
  const headers = signed(one, pair, get);
  expect(await data(one, "DELETE /us-east-1/photos/a", { headers }).then(code)).toBe("SignatureDoesNotMatch");
  expect(await data(one, put, { headers: signed(one, pair, put, { body: "x" }), body: "y" }).then(code)).toBe(
    "XAmzContentSHA256Mismatch",
  );
  const extra = { ...signed(one, pair, put), "x-amz-acl": "public-read" };
  expect(await data(one, put, { headers: extra, body: "" }).then(code)).toBe("AccessDenied");
  const { Authorization = "" } = headers;
  for (const authorization of [
    "AWS4-HMAC-SHA256 nonsense",
    Authorization.replace("Credential=", "Credential=more/"),
    Authorization.replace("aws4_request", "aws4_request/more"),
  ])
    expect(
      await data(one, get, { headers: { ...headers, Authorization: authorization } }).then(code),
      authorization,
    ).toBe("AuthorizationHeaderMalformed");
  expect((await sent(put, { body: "x", headers: { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" } })).status).toBe(200);
  expect((await sent(put, { headers: { "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER" } })).status).toBe(
    400,
  );
  expect(await sent(put, { body: "x", headers: { "content-md5": "AAAA" } }).then(code)).toBe("BadDigest");
  expect((await one.send("GET /object-storage/buckets/us-east-1/photos")).body).toMatchObject({ objects: 2 });
});

test("rejects S3 features that are not emulated", async (one) => {
  const photos = await bucket(one);
  await photos.put("a", "kept");
  const sent = as(one, await key(one));
  const refusals = [
    await sent("PUT /us-east-1/photos/a?partNumber=1&uploadId=2", { body: "part" }),
    await sent("PUT /us-east-1/photos/a", { headers: { "x-amz-copy-source": "/photos/b" } }),
    await sent("GET /us-east-1/photos?lifecycle="),
    await sent("POST /us-east-1/photos/a", { body: "" }),
    await sent("PUT /us-east-1/photos/a", { headers: { "x-amz-acl": "custom" } }),
    await sent("PUT /us-east-1/Photos"),
    await sent("PUT /us-east-1/photos/a%00b", { body: "" }),
    await sent("GET /us-west-9/"),
    await data(one, "GET /us-east-1/"),
    await data(one, "PUT /us-east-1/free"),
  ];
  expect(refusals.map((rejection) => `${rejection.status} ${code(rejection)}`)).toEqual([
    "501 NotImplemented",
    "501 NotImplemented",
    "501 NotImplemented",
    "405 MethodNotAllowed",
    "400 InvalidArgument",
    "400 InvalidBucketName",
    "400 InvalidObjectName",
    "404 NoSuchBucket",
    "403 AccessDenied",
    "403 AccessDenied",
  ]);
  expect(refusals.slice(0, 4).flatMap((rejection) => elements(rejection, "Message"))).toEqual([
    "These query parameters are not supported for an object: partNumber, uploadId",
    "These query parameters are not supported for an object: x-amz-copy-source",
    "These query parameters are not supported for a bucket: lifecycle",
    "The path of an object accepts GET, HEAD, PUT, DELETE",
  ]);
  expect((await data(one, "GET /us-east-1/photos/%ff")).status).toBe(400);
  one.world.objectStorageTaken.insert({ id: "us-east-1/theirs" });
  expect(await sent("PUT /us-east-1/theirs").then(code)).toBe("BucketAlreadyExists");
  expect((await sent("GET /us-east-1/photos/a")).text).toBe("kept");
});
