import { expect, test } from "vitest";
import { ContractError } from "../../../provider/client/errors";
import { connected, failureOf, json, rejection, type Step, serve } from "./scripted";

const picture = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]);
const path = { pictureId: 7 };

const png: Step = (_request, response) =>
  void response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from(picture));

test("sends bytes unchanged, with their content type", async () => {
  const { url, seen } = await serve(json(200, {}));
  expect(await connected(url).api.pictures.update({ path, body: picture })).toEqual({});
  expect(seen[0]).toMatchObject({ method: "PUT", path: "/v4/pictures/7" });
  expect(seen[0]?.headers["content-type"]).toBe("image/png");
  expect(new Uint8Array(seen[0]?.body as Buffer)).toEqual(picture);
});

test("returns bytes unchanged; the Accept header contains their type, and JSON for errors", async () => {
  const { url, seen } = await serve(png);
  expect(await connected(url).api.pictures.view({ path })).toEqual(picture);
  expect(seen[0]?.headers).toMatchObject({ accept: "image/png, application/json" });
  expect(seen[0]?.headers["content-type"]).toBeUndefined();
});

test("an error response to a request for bytes is an ApiError", async () => {
  const { url } = await serve(rejection(404, "Not found"));
  const error = await failureOf(connected(url).api.pictures.view({ path }));
  expect(error.message).toBe("pictures.view: 404 Not found (picture 7)");
});

test("rejects a response of another content type", async () => {
  const { url } = await serve(json(200, {}));
  const error = await failureOf(connected(url).api.pictures.view({ path }));
  expect(error).toBeInstanceOf(ContractError);
  expect(error.message).toContain("is not image/png");
});

test("rejects a body that is not bytes before sending anything", async () => {
  const { url, seen } = await serve(json(200, {}));
  const { api } = connected(url);
  // @ts-expect-error the body must be bytes
  await expect(api.pictures.update({ path, body: "text" })).rejects.toThrow(
    "pictures.update: body must be a Uint8Array",
  );
  // @ts-expect-error the body is missing
  await expect(api.pictures.update({ path })).rejects.toThrow("must be a Uint8Array");
  expect(seen).toEqual([]);
});

test("the log counts bytes instead of showing them", async () => {
  const { url } = await serve(json(200, {}), png);
  const lines: string[] = [];
  const { api } = connected(url, { log: { debug: (line) => lines.push(line) } });
  await api.pictures.update({ path, body: picture });
  await api.pictures.view({ path });
  expect(lines).toEqual([
    'pictures.update > "[6 bytes]"',
    "pictures.update < {}",
    "pictures.view < 6 bytes that are not JSON",
  ]);
});

test("sends bytes again in a retry", async () => {
  const { url, seen } = await serve(rejection(429, "Slow down", { "retry-after": 1 }), json(200, {}));
  await connected(url).api.pictures.update({ path, body: picture });
  expect(seen.map(({ body }) => new Uint8Array(body as Buffer))).toEqual([picture, picture]);
});
