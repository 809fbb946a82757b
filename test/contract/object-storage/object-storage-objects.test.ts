import { createHash } from "node:crypto";
import { expect } from "vitest";
import { type Cloud, cloud, test } from "../cloud";
import { proves } from "../proves";
import { bucket, code, data, rule } from "./bucket";

const text = { headers: { "content-type": "text/plain" } };

/** Inserts objects into the emulator's tables, because these tests are about lists and not about uploads. */
function fill({ world }: Cloud, names: readonly string[], bucket_id = "us-east-1/photos"): void {
  const rest = { bucket_id, size: 1, etag: "e", content_type: "t", last_modified: "2022-01-01T00:00:00", acl: null };
  for (const name of names) world.objectStorageObjects.insert({ ...rest, id: `${bucket_id}/${name}`, name });
  world.objectStorageBuckets.patch(bucket_id, { objects: names.length });
}

test("writes, reads, lists and deletes objects by pre-signed URLs, without changing a byte", async (one) => {
  const { send } = one;
  const photos = await bucket(one);
  const bytes = Buffer.from([...Array(256).keys()]);
  const name = "2022/Käse & 50%+?#.jpg";
  await photos.put(name, bytes, "image/jpeg");
  const got = await data(one, `GET ${await photos.url("GET", name)}`);
  expect(got).toMatchObject({ status: 200, bytes });
  const etag = createHash("md5").update(bytes).digest("hex");
  expect(got.headers.get("content-type")).toBe("image/jpeg");
  expect(got.headers.get("etag")).toBe(`"${etag}"`);
  expect(got.headers.get("last-modified")).toBe("Sat, 01 Jan 2022 00:00:00 GMT");
  const { body } = await send(`GET ${photos.path}/object-list`);
  expect(body).toEqual({
    data: [
      { name, etag, size: 256, last_modified: "2022-01-01T00:00:00", owner: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ],
    next_marker: null,
    is_truncated: false,
  });
  one.advance(60_000);
  await photos.put(name, "smaller");
  expect(await photos.view()).toMatchObject({ objects: 1, size: 7 });
  expect((await send(`GET ${photos.path}/object-list`)).body.data[0].last_modified).toBe("2022-01-01T00:01:00");

  const url = await photos.url("GET", name);
  const deleted = await photos.url("DELETE", name);
  expect((await data(one, `DELETE ${deleted}`)).status).toBe(204);
  expect((await data(one, `DELETE ${deleted}`)).status).toBe(204);
  expect(code(await data(one, `GET ${url}`))).toBe("NoSuchKey");
  expect(await photos.view()).toMatchObject({ objects: 0, size: 0 });
  expect(one.world.objectStorageContents.size).toBe(0);
});

test("a stored web page has an origin of its own, so its scripts cannot use the console", async (one) => {
  const photos = await bucket(one);
  await photos.put("index.html", "<script></script>", "text/html");
  const { headers } = await data(one, `GET ${await photos.url("GET", "index.html")}`);
  expect(headers.get("content-security-policy")).toMatch(/^sandbox(?!.*allow-same-origin)/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("a stored web page loads its own modules, fonts and data only if the bucket has CORS", async (one) => {
  for (const [label, cors_enabled] of [
    ["closed", false],
    ["open", true],
  ] as const) {
    const { url, put } = await bucket(one, label, { cors_enabled });
    await put("module.js", "export {};", "text/javascript");
    const { headers } = await data(one, `GET ${await url("GET", "module.js")}`, { headers: { origin: "null" } });
    expect(headers.get("access-control-allow-origin"), label).toBe(cors_enabled ? "*" : null);
  }
});

test("HEAD confirms that an empty object exists", async (one) => {
  const photos = await bucket(one);
  await photos.put("empty", "");
  const head = await data(one, `HEAD ${await photos.url("HEAD", "empty")}`, text);
  expect(head).toMatchObject({ status: 200, text: "" });
  expect(head.headers.get("etag")).toBe('"d41d8cd98f00b204e9800998ecf8427e"');
});

test("lists support pages by marker, groups by delimiter, and a prefix", async (one) => {
  proves(rule(3));
  const photos = await bucket(one);
  await bucket(one, "other");
  fill(one, ["zzz"], "us-east-1/other");
  const days = Array.from({ length: 60 }, (_, at) => `day-${String(at).padStart(2, "0")}`);
  fill(one, ["a.txt", "z.txt", ...days.flatMap((day) => [`${day}/1`, `${day}/2`]).toReversed()]);
  const page = async (query: string) => (await one.send(`GET ${photos.path}/object-list?${query}`)).body;
  const pages = async (query: string) => {
    const found: string[][] = [];
    for (let marker = ""; ; ) {
      const { data, next_marker, is_truncated } = await page(`${query}&marker=${encodeURIComponent(marker)}`);
      found.push(data.map(({ name }: { name: string }) => name));
      expect(is_truncated).toBe(next_marker !== null);
      if (next_marker === null) return found;
      expect(next_marker).toBe(found.at(-1)?.at(-1));
      marker = next_marker;
    }
  };
  const every = ["a.txt", ...days.flatMap((day) => [`${day}/1`, `${day}/2`]), "z.txt"];
  const all = await pages("page_size=50");
  expect(all.map(({ length }) => length)).toEqual([50, 50, 22]);
  expect(all.flat()).toEqual(every);
  expect((await pages("")).map(({ length }) => length)).toEqual([100, 22]);

  const grouped = await pages("delimiter=/&page_size=25");
  expect(grouped.map(({ length }) => length)).toEqual([25, 25, 12]);
  expect(grouped.flat()).toEqual(["a.txt", ...days.map((day) => `${day}/`), "z.txt"]);
  const nothing = { etag: null, last_modified: null, owner: null, size: null };
  expect((await page("delimiter=/")).data[1]).toEqual({ name: "day-00/", ...nothing });
  expect(await pages("prefix=day-1&page_size=25")).toEqual([every.filter((name) => name.startsWith("day-1"))]);
  expect(await pages("prefix=day-07/&delimiter=/")).toEqual([["day-07/1", "day-07/2"]]);
  expect(await pages("prefix=day-5&delimiter=-0")).toEqual([every.filter((name) => name.startsWith("day-5"))]);
  expect(await pages("prefix=day-5&delimiter=/")).toEqual([days.slice(50).map((day) => `${day}/`)]);
  expect((await page("marker=y")).data).toMatchObject([{ name: "z.txt" }]);
  expect((await page("marker=zz")).data).toEqual([]);
  expect((await page("prefix=none")).data).toEqual([]);
});

test("an object has the ACL of its bucket until its own one is set, which controls anonymous reads", async (one) => {
  const { send } = one;
  const photos = await bucket(one, "photos", { acl: "public-read" });
  const acl = (name: string) => send(`GET ${photos.path}/object-acl?name=${name}`);
  const change = (body: object) => send(`PUT ${photos.path}/object-acl`, { body });
  expect((await acl("cat.jpg")).status).toBe(404);
  expect((await change({ name: "cat.jpg", acl: "private" })).status).toBe(404);
  await photos.put("cat.jpg", "meow");
  const read = async () => (await data(one, "GET /us-east-1/photos/cat.jpg")).status;
  expect((await acl("cat.jpg")).body).toEqual({
    acl: "public-read",
    acl_xml: expect.stringMatching(/AllUsers<\/URI><\/Grantee><Permission>READ</),
  });
  expect(await read()).toBe(200);
  for (const [own, status] of [
    ["private", 403],
    ["public-read-write", 200],
    ["authenticated-read", 403],
    ["public-read", 200],
    ["custom", 403],
  ] as const) {
    expect((await change({ name: "cat.jpg", acl: own })).body).toMatchObject({ acl: own });
    expect((await acl("cat.jpg")).body.acl).toBe(own);
    expect(await read()).toBe(status);
  }
  expect((await acl("cat.jpg")).body.acl_xml).not.toContain("AllUsers");
  await photos.put("cat.jpg", "meow");
  expect((await acl("cat.jpg")).body.acl).toBe("public-read");
});

test("a change of an ACL without the name of the object is invalid, also if it sends back the ACL's XML", async (one) => {
  const photos = await bucket(one, "photos");
  const change = (body: object) => one.send(`PUT ${photos.path}/object-acl`, { body });
  for (const [body, reason] of [
    [{ acl: "private", acl_xml: "x" }, "Is required"],
    [{ acl: "private", acl_xml: "x", name: 5 }, "Must be a string"],
  ] as const)
    expect(await change(body)).toMatchObject({
      status: 400,
      body: { errors: expect.arrayContaining([{ field: "name", reason: expect.stringContaining(reason) }]) },
    });
});

test("rejects an object that is too large for the emulator before it stores any data", async (one) => {
  const photos = await bucket(one);
  const url = await photos.url("PUT", "big");
  const sent = await data(one, `PUT ${url}`, { ...text, body: Buffer.alloc(16 * 1024 * 1024 + 1) });
  expect(sent).toMatchObject({ status: 413, text: expect.stringContaining("16 MiB") });
  const chunk = new Uint8Array(1024 * 1024);
  const streamed = await fetch(url, {
    method: "PUT",
    ...text,
    body: ReadableStream.from(Array(17).fill(chunk)),
    duplex: "half",
  } as RequestInit);
  expect(streamed.status).toBe(413);
  await photos.put("fits", Buffer.alloc(16 * 1024 * 1024));
  expect(await photos.view()).toMatchObject({ objects: 1, size: 16 * 1024 * 1024 });
});

test("the same seed signs the same URL, and a snapshot contains stored objects", async () => {
  await using one = await cloud({ seed: 7 });
  await using two = await cloud({ seed: 7 });
  const photos = await bucket(one);
  await photos.put("a", "content");
  const url = await photos.url("GET", "a");
  const { search } = new URL(url);
  expect(new URL(await (await bucket(two)).url("GET", "a")).search).toBe(search);
  await using three = await cloud({ seed: 8 });
  const state = (await one.send("GET /_emulator/state")).body;
  expect((await three.send("PUT /_emulator/state", { body: state })).status).toBe(200);
  expect((await data(three, `GET /us-east-1/photos/a${search}`)).text).toBe("content");
});
