import { expect, test } from "vitest";
import { SettingError } from "../../../provider/client/errors";
import { settingsOf } from "../../../provider/client/settings";
import { connected, json, pageOf, serve, TOKEN, volume } from "./scripted";

test("a call sends method, path, token and user agent, and returns the record", async () => {
  const { url, seen } = await serve(() => volume(7));
  const { api } = connected(url, { userAgent: "tests/1" });
  expect(await api.volumes.view({ path: { volumeId: 7 } })).toEqual(volume(7));
  expect(seen[0]).toMatchObject({ method: "GET", path: "/v4/volumes/7" });
  expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, accept: "application/json" });
  expect(seen[0]?.headers["user-agent"]).toMatch(/^pulumi-cloudinfra\/\d+\.\d+\.\d+ node\/.* tests\/1$/);
});

test("sends a body as JSON, without undefined fields", async () => {
  const { url, seen } = await serve(() => volume(7));
  const { api } = connected(url);
  await api.volumes.create({ body: { label: "data", region: "us-east" } });
  expect(seen[0]).toMatchObject({ method: "POST", path: "/v4/volumes", body: { label: "data", region: "us-east" } });
  expect(seen[0]?.headers["content-type"]).toBe("application/json");
});

test("encodes path parameters, and rejects one that would change the path", async () => {
  const { url, seen } = await serve(() => ({ kubeconfig: "" }));
  const { api } = connected(url);
  await api.secrets.view({ path: { name: "private/a b?c" } });
  expect(seen[0]?.path).toBe("/v4/secrets/private%2Fa%20b%3Fc");
  for (const name of ["", ".", ".."]) {
    await expect(api.secrets.view({ path: { name } })).rejects.toThrow(
      `secrets.view: path.name is "${name}", which is not a valid id`,
    );
  }
  expect(seen).toHaveLength(1);
});

test("a beta operation uses the beta path next to the stable one", async () => {
  const { url, seen } = await serve(() => pageOf([]));
  await connected(`${url}/`).api.previews.list();
  expect(seen[0]?.path).toBe("/v4beta/previews");
});

test("sends a filter as ASCII JSON in X-Filter", async () => {
  const { url, seen } = await serve(() => pageOf([]));
  const filter = { label: { "+contains": "Münster" }, "+order_by": "label" };
  await connected(url).api.volumes.list({ query: { page_size: 50 } }, { filter });
  expect(seen[0]?.path).toBe("/v4/volumes?page_size=50");
  expect(seen[0]?.headers["x-filter"]).toMatch(/M\\u00fcnster/);
  expect(JSON.parse(String(seen[0]?.headers["x-filter"]))).toEqual(filter);
});

test("all() reads a list again from which objects were deleted between two pages", async () => {
  const volumes = [1, 2, 3, 4, 5].map((id) => volume(id));
  const { url, seen } = await serve(({ path }) => {
    const page = Number(new URL(path, "http://x").searchParams.get("page"));
    const body = {
      data: volumes.slice((page - 1) * 2, page * 2),
      page,
      pages: Math.ceil(volumes.length / 2),
      results: volumes.length,
    };
    // After the first page, another client deletes an object of that page: the third one moves there.
    if (seen.length === 1) volumes.shift();
    return body;
  });
  const { api } = connected(url);
  const ids = (await Array.fromAsync(api.volumes.list.all())).map(({ id }) => id);
  expect(ids).toEqual([1, 2, 4, 5, 3]);
  expect(seen).toHaveLength(4);
});

test("all() reads page after page, and only as many as are consumed", async () => {
  const numbered = (_: unknown, page: number) => pageOf([volume(page * 2 - 1), volume(page * 2)], page, 3);
  const { url, seen } = await serve(({ path }) =>
    numbered(path, Number(new URL(path, "http://x").searchParams.get("page"))),
  );
  const { api } = connected(url);
  const ids: number[] = [];
  for await (const { id } of api.volumes.list.all()) ids.push(id);
  expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
  expect(seen.map(({ path }) => path)).toEqual([1, 2, 3].map((page) => `/v4/volumes?page_size=100&page=${page}`));

  for await (const { id } of api.volumes.list.all({}, { filter: { label: "x" } })) if (id === 2) break;
  expect(seen).toHaveLength(4);
  expect(seen[3]?.headers["x-filter"]).toBe('{"label":"x"}');

  const pages: number[] = [];
  for await (const { page } of api.volumes.list.pages({ query: { page: 2 } })) pages.push(page);
  expect(pages).toEqual([2, 3]);
});

test("accepts a response with unknown and missing fields (linode/terraform-provider-linode#2161)", async () => {
  const { url } = await serve(() => ({ id: 1, brand_new: { field: true } }));
  expect(await connected(url).api.volumes.view({ path: { volumeId: 1 } })).toEqual({
    id: 1,
    brand_new: { field: true },
  });
});

test("accepts an empty response for an operation without a result", async () => {
  const { url } = await serve(json(200, {}), (_request, response) => void response.writeHead(204).end());
  const { api } = connected(url);
  expect(await api.volumes.delete({ path: { volumeId: 1 } })).toEqual({});
  expect(await api.volumes.delete({ path: { volumeId: 1 } })).toEqual({});
});

test("the types require an operation's inputs and describe its result", async () => {
  const { url } = await serve(() => pageOf([volume(1)]));
  const { api } = connected(url);
  const typed = async () => {
    // @ts-expect-error the path is missing
    await api.volumes.view();
    // @ts-expect-error the size is not text
    await api.volumes.resize({ path: { volumeId: 1 }, body: { size: "20" } });
    // @ts-expect-error a view has no pages
    api.volumes.view.all();
    // @ts-expect-error a volume has no such field
    (await api.volumes.view({ path: { volumeId: 1 } })).colour;
  };
  expect(typed).toBeTypeOf("function");
  const { data } = await api.volumes.list();
  expect(data[0]?.label.length).toBe(6);
});

test.each([
  ["", "must be the http or https URL"],
  ["example.com/v4", "must be the http or https URL"],
  ["ftp://example.com/v4", "must be the http or https URL"],
  ["https://example.com", "must be the http or https URL"],
  ["https://example.com/v4?x=1", "must be the http or https URL"],
  ["https://me:geheim@example.com/v4", "must not contain a username or a password"],
])("rejects the address %j", (url, problem) => {
  const connect = () => settingsOf({ url, token: TOKEN });
  expect(connect).toThrow(SettingError);
  expect(connect).toThrow(`cloudinfra:url ${problem}`);
  expect(connect).not.toThrow("geheim");
});

test("rejects a token that is not valid in a header, without showing it", () => {
  const connect = () => settingsOf({ url: "https://example.com/v4", token: `${TOKEN}\n` });
  expect(connect).toThrow(/^cloudinfra:token contains a space/);
  expect(connect).not.toThrow(TOKEN);
});
