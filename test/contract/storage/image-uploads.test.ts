import { request } from "node:http";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { imageUploads, unpackedSize } from "../../../emulator/areas/storage/image-uploads";
import { type Cloud, cloud, history, messages, type TestResponse, test } from "../cloud";
import { debian, machine } from "../compute/instance";
import { proves } from "../proves";

const documents = "part 2 · Endpoints · Images · rule 2";
const limits = "part 2 · Limits · limit 2";
const states = "part 2 · States · Image";

const MB = 1024 ** 2;
const DAY = 24 * 3600 * 1000;
const data = gzipSync(Buffer.alloc(3 * MB + 1, "disk"));

async function announced(one: Cloud, body: object = {}) {
  const created = await one.send("POST /images/upload", { body: { label: "base", region: "us-east", ...body } });
  expect(created.body).toMatchObject({ image: { status: "pending_upload", size: 0, label: "base" } });
  const { id } = created.body.image;
  return {
    id,
    url: created.body.upload_to as string,
    view: async () => (await one.send(`GET /images/${id}`)).body,
  };
}

async function put(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  type = "application/octet-stream",
  method = "PUT",
): Promise<TestResponse> {
  const response = await fetch(url, { method, headers: { "content-type": type }, body });
  const { status, headers } = response;
  return { status, headers, body: await response.json() };
}

test("the data of an image is uploaded by PUT and processed, and the image can be deployed in every region", async (one) => {
  proves(documents);
  const image = await announced(one, { description: "golden" });
  expect(history(one)).toEqual(["image_upload scheduled"]);
  expect(new URL(image.url).host).toBe(new URL(one.url).host);
  expect(await put(image.url, data)).toMatchObject({ status: 200, body: {} });
  expect(await image.view()).toMatchObject({ status: "pending_upload", size: 4, description: "golden" });
  one.advance(15_000);
  const [event] = (await one.send("GET /account/events")).body.data;
  expect(event).toMatchObject({ action: "image_upload", status: "started", username: "emulator" });
  expect(event.entity).toMatchObject({ label: "base", type: "image", url: `/v4/images/${image.id}` });
  expect(event.percent_complete).toBeGreaterThan(40);
  one.settle();
  expect(await image.view()).toMatchObject({ status: "available", size: 4 });
  expect(history(one)).toEqual(["image_upload finished"]);
  for (const region of ["us-east", "eu-west"])
    expect((await machine(one, { ...debian, region, image: image.id })).id).toBeGreaterThan(0);
});

test("rejects incomplete gzip data, and accepts another upload", async (one) => {
  proves(documents);
  const image = await announced(one);
  const small = gzipSync("disk");
  const wrong = Buffer.from(data);
  wrong.writeUInt8(wrong.readUInt8(wrong.length - 5) ^ 1, wrong.length - 5);
  for (const [body, reason] of [
    [Buffer.from("no gzip"), /not a complete gzip file/],
    [data.subarray(0, -1), /not a complete gzip file/],
    [wrong, /not a complete gzip file/],
    [new Uint8Array(0), /not a complete gzip file/],
    [Buffer.concat([small, Buffer.from("more")]), /not a complete gzip file/],
    [Buffer.concat([small, Buffer.from("\0more")]), /continues after the end of the gzip file, at byte \d+$/],
  ] as const) {
    const rejected = await put(image.url, body);
    expect(rejected.status).toBe(400);
    expect(rejected.body.errors[0].reason).toMatch(reason);
  }
  expect(await image.view()).toMatchObject({ status: "pending_upload", size: 0 });
  expect((await put(image.url, Buffer.concat([data, data]))).status).toBe(200);
  expect(await image.view()).toMatchObject({ size: 7 });
});

test("gzip data that decompresses to nothing becomes an available image of 1 MB", async (one) => {
  const image = await announced(one);
  expect((await put(image.url, gzipSync(Buffer.alloc(0)))).status).toBe(200);
  one.settle();
  expect(await image.view()).toMatchObject({ status: "available", size: 1 });
});

test("the URL accepts binary data by PUT once, and only with its token", async (one) => {
  proves(documents);
  const image = await announced(one);
  const other = await announced(one);
  expect(await put(image.url, data, "application/gzip")).toMatchObject({
    status: 415,
    body: { errors: [{ reason: "The data must be sent with Content-Type: application/octet-stream" }] },
  });
  expect((await put(image.url, data, undefined, "POST")).status).toBe(405);
  expect((await put(image.url.replace(/\?.*/, ""), data)).status).toBe(404);
  expect((await put(image.url.replace(/\?.*/, new URL(other.url).search), data)).status).toBe(404);
  expect((await put(image.url.replace(/\d+\?/, "1?"), data)).status).toBe(404);
  expect((await put(image.url, data)).status).toBe(200);
  expect(messages(await put(image.url, data))).toEqual([
    `Image ${image.id} cannot be uploaded again: its data is complete`,
  ]);
  one.settle();
  expect((await put(image.url, data)).status).toBe(400);
  const token = new URL(image.url).searchParams.get("token") as string;
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify([one.requests.list(), (await one.send("GET /_emulator/state")).body])).not.toContain(token);
});

test("an image of a disk accepts no upload", async (one) => {
  const { url } = await announced(one);
  const [disk] = await (await machine(one)).list("disks");
  const image = (await one.send("POST /images", { body: { disk_id: disk.id } })).body;
  one.settle();
  const number = image.id.replace("private/", "");
  expect((await put(url.replace(/\d+\?/, `${number}?`), data)).status).toBe(404);
});

test("accepts only one of two simultaneous uploads", async (one) => {
  proves(documents);
  const image = await announced(one);
  const both = await Promise.all([put(image.url, data), put(image.url, data)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test("after an interrupted upload, the image still waits for its data", async (one) => {
  proves(documents);
  const image = await announced(one);
  await new Promise<void>((resolve) => {
    const headers = { "content-type": "application/octet-stream", "content-length": data.length };
    const sending = request(image.url, { method: "PUT", headers });
    sending.on("error", () => resolve());
    sending.write(data.subarray(0, 100), () => sending.destroy());
    sending.on("close", resolve);
  });
  expect(await image.view()).toMatchObject({ status: "pending_upload", size: 0 });
  expect((await put(image.url, data)).status).toBe(200);
  expect(one.requests.list().map(({ status }) => status)).not.toContain(500);
});

test("rejects uploads to a region with an outage", async (one) => {
  proves(documents);
  one.world.regions.patch("us-east", { status: "outage" });
  const rejected = await one.send("POST /images/upload", { body: { label: "base", region: "us-east" } });
  expect(messages(rejected)).toEqual(["region: Region us-east has an outage"]);
  expect(one.world.imageOrigins.size).toBe(0);
});

test("rejects more than 5 GB before receiving them", async (one) => {
  proves(limits);
  const image = await announced(one);
  const response = (length: number) =>
    new Promise<number | undefined>((resolve) => {
      const headers = { "content-type": "application/octet-stream", "content-length": length };
      const sending = request(image.url, { method: "PUT", headers }, (got) => {
        resolve(got.statusCode);
        sending.destroy();
      });
      sending.on("error", () => resolve(undefined));
      sending.flushHeaders();
      if (length <= 5e9) setImmediate(() => sending.destroy());
    });
  expect(await response(5_000_000_001)).toBe(400);
  expect(await response(5_000_000_000)).toBeUndefined();
  expect(await image.view()).toMatchObject({ status: "pending_upload" });
});

test("counts data without Content-Length as it arrives, both compressed and decompressed", async () => {
  proves(limits);
  const read = (compressed: number, unpacked: number) =>
    unpackedSize(Readable.from([data.subarray(0, 50), data.subarray(50)]), { compressed, unpacked });
  expect(await read(data.length, 3 * MB + 1)).toBe(3 * MB + 1);
  await expect(read(data.length - 1, 3 * MB + 1)).rejects.toThrow(`at most ${data.length - 1} bytes`);
  await expect(read(data.length, 3 * MB)).rejects.toThrow(`at most ${3 * MB} bytes`);
});

test("does not keep a small file that decompresses to gigabytes in memory, and stops at the limit", async () => {
  proves(limits);
  const block = gzipSync(Buffer.alloc(64 * MB));
  let sent = 0;
  const bomb = Readable.from(
    (function* () {
      for (; sent < 1000; sent++) yield block;
    })(),
    { objectMode: false, highWaterMark: 64 * 1024 },
  );
  await expect(unpackedSize(bomb, { compressed: 5e9, unpacked: 256 * MB })).rejects.toThrow("uncompressed");
  expect(sent).toBeLessThan(20);
});

test("an upload without data within 24 hours is cancelled, and its image deleted", async (one) => {
  proves(limits, states);
  const late = await announced(one);
  const intime = await announced(one);
  one.advance(DAY - 1000);
  expect((await put(intime.url, data)).status).toBe(200);
  expect((await late.view()).status).toBe("pending_upload");
  one.advance(1000);
  expect((await one.send(`GET /images/${late.id}`)).status).toBe(404);
  expect((await put(late.url, data)).status).toBe(404);
  one.settle();
  expect((await intime.view()).status).toBe("available");
  expect(history(one)).toEqual(["image_upload failed", "image_upload finished"]);
  one.advance(2 * DAY);
  expect((await intime.view()).status).toBe("available");
});

test("deleting an image cancels its pending upload, and is rejected while the data is processed", async (one) => {
  proves(states);
  const waiting = await announced(one);
  expect((await one.send(`DELETE /images/${waiting.id}`)).status).toBe(200);
  expect((await put(waiting.url, data)).status).toBe(404);
  expect(history(one)).toEqual(["image_upload failed", "image_delete notification"]);
  const sent = await announced(one);
  await put(sent.url, data);
  expect(messages(await one.send(`DELETE /images/${sent.id}`))).toEqual([
    `Image ${sent.id} is being processed; wait until it is available`,
  ]);
  one.settle();
  expect((await one.send(`DELETE /images/${sent.id}`)).status).toBe(200);
  one.advance(DAY);
});

test("deletes an image whose processing fails", async (one) => {
  proves(states);
  one.faults.add({ path: "images.upload", kind: "job-fail" });
  const image = await announced(one);
  await put(image.url, data);
  one.settle();
  expect((await one.send(`GET /images/${image.id}`)).status).toBe(404);
  expect(history(one)).toEqual(["image_upload failed"]);
});

test("processing of an image whose announcement a fault stalls ends once the faults are removed", async (one) => {
  const stall = { path: "images.upload", kind: "job-stall", times: 2 } as const;
  one.faults.add(stall);
  const [early, late] = [await announced(one), await announced(one)];
  await put(early.url, data);
  one.advance(3_600_000);
  expect(await early.view()).toMatchObject({ status: "pending_upload", size: 4 });
  one.faults.clear();
  await put(late.url, data);
  one.settle();
  expect(await early.view()).toMatchObject({ status: "available" });
  expect(await late.view()).toMatchObject({ status: "available" });
});

test("an upload that expires while its data arrives is rejected", async (one) => {
  proves(limits);
  const image = await announced(one);
  const { pathname, searchParams } = new URL(image.url);
  const body = Readable.from(
    (function* () {
      yield data.subarray(0, 50);
      one.world.clock.advance(DAY);
      yield data.subarray(50);
    })(),
  );
  const headers = { "content-type": "application/octet-stream" };
  const request = { method: "PUT", rest: pathname.replace(/.*\//, ""), query: searchParams, headers, body };
  await expect(imageUploads.dataPlane?.handle(one.world, request)).rejects.toMatchObject({ status: 404 });
});

test("an upload has 24 hours at every pace", async () => {
  await using one = await cloud({ pace: "fast" });
  const image = await announced(one);
  one.advance(DAY - 60_000);
  expect((await image.view()).status).toBe("pending_upload");
  one.advance(60_000);
  expect((await one.send(`GET /images/${image.id}`)).status).toBe(404);
});

test("a new image can have an empty description", async (one) => {
  expect((await (await announced(one, { description: "" })).view()).description).toBe("");
});
