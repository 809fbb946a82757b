import { expect } from "vitest";
import { cloud, test } from "./cloud";
import { proves } from "./proves";
import { volumes } from "./volumes";

const shared = "part 1 · Endpoints · Common rules";

test("lists accept page and page_size and return the envelope", async (one) => {
  proves(`${shared} · rule 2`, "part 1 · Limits · limit 1");
  const { send } = one;
  await volumes(one, 27);
  const second = await send("GET /volumes?page=2&page_size=25");
  expect(second.body).toMatchObject({ page: 2, pages: 2, results: 27 });
  expect(second.body.data).toHaveLength(2);
  expect((await send("GET /volumes?page=3&page_size=25")).body).toMatchObject({ data: [], page: 3, results: 27 });
  const wrong = await send("GET /volumes?page=0&page_size=24");
  expect(wrong.status).toBe(400);
  expect(wrong.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(["page", "page_size"]);
  expect((await send("GET /volumes?page=one")).body.errors[0].field).toBe("page");
});

test("query parameters that an operation does not have are ignored", async (one) => {
  const [id] = await volumes(one, 1);
  const plain = await one.send("GET /account");
  for (const query of ["page=1&page_size=100", "page=0&page_size=7", "constructor=1&__proto__=2&toString=3", "a=1&a=2"])
    expect([query, await one.send(`GET /account?${query}`)]).toMatchObject([query, { status: 200, body: plain.body }]);
  for (const query of ["label=data", "constructor=1", "__proto__=1&__proto__=2"])
    expect([query, (await one.send(`GET /volumes?${query}`)).body]).toMatchObject([query, { data: [{ id }], page: 1 }]);
  expect((await one.send(`PUT /volumes/${id}?size=90`, { body: { label: "renamed" } })).body).toMatchObject({
    label: "renamed",
    size: 20,
  });
});

test("an operation without a result returns an empty object", async (one) => {
  proves(`${shared} · rule 3`, "part 1 · Errors · rule 2");
  const [id] = await volumes(one, 1);
  expect(await one.send(`DELETE /volumes/${id}`)).toMatchObject({ status: 200, body: {} });
});

test("an error response contains every problem, by field", async (one) => {
  proves("part 1 · Errors · rule 1");
  const rejected = await one.send("POST /volumes", { body: { label: "1", size: 5, region: "moon", colour: "red" } });
  expect(rejected.status).toBe(400);
  expect(rejected.body.errors).toEqual([
    expect.objectContaining({ field: "label", reason: expect.stringMatching(/^Must start with a letter/) }),
    { field: "size", reason: "Must be at least 10" },
    { field: "colour", reason: "Is not a known field" },
    { field: "region", reason: 'There is no region "moon"; GET /v4/regions lists them' },
  ]);
});

test("a slash at the end of a path is ignored", async ({ send }) => {
  const created = await send("POST /volumes/", { body: { label: "data", region: "us-east" } });
  expect(created.status).toBe(200);
  expect((await send("GET /volumes/?page_size=25")).body).toMatchObject({ results: 1, data: [{ label: "data" }] });
  expect((await send(`GET /volumes/${created.body.id}/`)).body).toEqual(created.body);
  expect((await send("GET /compute/kernels/compute/grub2/")).body.id).toBe("compute/grub2");
  expect((await send("GET /images/compute%2Fdebian11/")).body.id).toBe("compute/debian11");
  expect((await send("GET /v4beta/networking/vlans/")).status).toBe(200);
  expect((await send("PUT /volumes/")).headers.get("allow")).toBe("GET, POST");
  for (const path of ["/v4/", "/v4//", "/volumes//", "/volumes/%2F"] as const)
    expect([path, (await send(`GET ${path}`)).status]).toEqual([path, 404]);
});

test("/v4 and /v4beta return the same; ids with slashes can be plain or encoded", async ({ send }) => {
  proves("part 1 · Versioning · rule 1");
  expect((await send("GET /v4beta/regions")).body).toEqual((await send("GET /v4/regions")).body);
  for (const id of ["compute/grub2", "compute%2Fgrub2"])
    expect((await send(`GET /compute/kernels/${id}`)).body.id).toBe("compute/grub2");
  expect((await send("GET /compute/kernels/compute/none")).status).toBe(404);
  expect((await send("GET /regions")).headers.get("x-spec-version")).toBe("4.108.1");
});

test("X-Filter supports equality, comparisons, and, or, and order; tags match if one of them does", async (one) => {
  const { send } = one;
  await volumes(one, 4);
  const [first] = one.world.volumes.all();
  one.world.volumes.patch(first?.id as number, { tags: ["prod", "web"] });
  const labels = async (filter: unknown) =>
    (await send("GET /volumes", { filter })).body.data.map(({ label }: { label: string }) => label);
  expect(await labels({ label: "data-1" })).toEqual(["data-1"]);
  expect(await labels({ tags: "web" })).toEqual(["data-0"]);
  expect(await labels({ tags: { "+contains": "pro" } })).toEqual(["data-0"]);
  expect(await labels({ tags: { "+neq": "web" } })).toEqual(["data-1", "data-2", "data-3"]);
  expect(await labels({ label: { "+gt": "data-1", "+lte": "data-3" } })).toEqual(["data-2", "data-3"]);
  expect(await labels({ label: { "+gte": "data-2", "+lt": "data-3" } })).toEqual(["data-2"]);
  expect(await labels({ "+or": [{ label: "data-0" }, { label: "data-3" }] })).toEqual(["data-0", "data-3"]);
  expect(await labels({ "+and": [{ tags: "web" }, { label: "data-3" }] })).toEqual([]);
  expect(await labels({ "+order_by": "label", "+order": "desc" })).toEqual(["data-3", "data-2", "data-1", "data-0"]);
});

test("+order without +order_by has no effect", async (one) => {
  await volumes(one, 2);
  const labels = async (filter: object) =>
    (await one.send("GET /volumes", { filter })).body.data.map(({ label }: { label: string }) => label);
  expect(await labels({ "+order": "desc" })).toEqual(["data-0", "data-1"]);
  expect(await labels({ "+order_by": "id", "+order": "desc" })).toEqual(["data-1", "data-0"]);
  expect((await one.send("GET /volumes", { filter: { "+order": "up" } })).status).toBe(400);
});

test("read-only fields in a creation have no effect, and unknown fields are rejected", async (one) => {
  const rules = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
  const body = { label: "web", rules, status: "disabled", id: 1, created: "2000-01-01T00:00:00" };
  const created = await one.send("POST /networking/firewalls", { body });
  expect(created).toMatchObject({ status: 200, body: { label: "web", status: "enabled" } });
  expect(created.body.id).not.toBe(1);
  const rejected = await one.send("POST /volumes", { body: { label: "data", region: "us-east", sise: 20 } });
  expect(rejected.body.errors[0].field).toBe("sise");
});

test("an update without a body is rejected, and one with an empty object changes nothing", async (one) => {
  const [id] = await volumes(one, 1);
  const { status, body } = await one.send(`PUT /volumes/${id}`);
  expect([status, body.errors]).toEqual([
    400,
    [{ reason: "The body is missing: send a JSON object with the fields to change" }],
  ]);
  expect((await one.send(`PUT /volumes/${id}`, { body: {} })).status).toBe(200);
});

test("a fault for an operation that does not exist is rejected with the most similar name", async (one) => {
  const fault = (path: string) => one.send("POST /_emulator/faults", { body: { path, kind: "status" } });
  expect(await fault("volumes.crate")).toMatchObject({
    status: 400,
    body: {
      errors: [{ field: "path", reason: 'There is no operation "volumes.crate"; did you mean "volumes.create"?' }],
    },
  });
  for (const path of ["volumes.create", "volumes.*", "/v4/anything/**"]) expect((await fault(path)).status).toBe(200);
});

test.each([
  [{ size: 20 }, "Cannot filter on size"],
  [{ "+order_by": "size" }, "Cannot filter on size"],
  [{ "+or": [{ foo: 1 }] }, "Cannot filter on foo"],
  [{ "+near": 1 }, "Unknown operator +near"],
  [{ label: { "+like": "a" } }, "Unknown operator +like"],
  [{ "+or": 1 }, "+or must be a list of filters"],
  [{ "+order": "up", "+order_by": "label" }, '+order must be "asc" or "desc"'],
  ["{", "Must be a JSON object"],
  ["[]", "Must be a JSON object"],
])("rejects X-Filter: %j", async (one, filter, reason) => {
  const { status, body } = await one.send("GET /volumes", { filter });
  expect(status).toBe(400);
  expect(body.errors[0]).toEqual({ field: "X-Filter", reason: expect.stringContaining(reason) });
});

test("allows 1,600 requests in two minutes, then returns 429 with Retry-After until the window ends", async () => {
  proves("part 1 · Limits · limit 7");
  await using one = await cloud({ rateLimits: true });
  const { send } = one;
  const first = await send("GET /volumes/1");
  expect(first.headers.get("x-ratelimit-limit")).toBe("1600");
  expect(first.headers.get("x-ratelimit-remaining")).toBe("1599");
  for (let at = 1; at < 1600; at++) await send("GET /volumes/1");
  const rejected = await send("GET /volumes/1");
  expect(rejected.status).toBe(429);
  expect(rejected.headers.get("retry-after")).toBe("120");
  expect(rejected.headers.get("x-ratelimit-remaining")).toBe("0");
  one.advance(120_000);
  expect((await send("GET /volumes/1")).status).toBe(404);
});

test("the same seed and requests produce the same bytes, ten times; another seed produces other ids", async () => {
  const run = async (seed: number) => {
    await using one = await cloud({ seed, pace: "instant", shuffle: true, account: "small" });
    await volumes(one, 5, { tags: ["prod", "web", "blue"] });
    const [cluster] = one.world.lkeClusters.all();
    const reads = [
      "/volumes",
      "/compute/instances",
      "/account/events",
      `/lke/clusters/${cluster?.id}/kubeconfig`,
    ] as const;
    const responses = [];
    for (const path of [...reads, "/_emulator/state"] as const) responses.push((await one.send(`GET ${path}`)).body);
    return JSON.stringify(responses);
  };
  const first = await run(1);
  for (let again = 2; again <= 10; again++) expect((await run(1)) === first).toBe(true);
  expect(await run(2)).not.toBe(first);
});

test("shuffle changes the order of unordered lists at each read, but not the entries of a page", async () => {
  await using one = await cloud({ shuffle: true });
  await volumes(one, 30);
  const read = async () => (await one.send("GET /volumes?page_size=25")).body.data.map(({ id }: { id: number }) => id);
  const [first, second] = [await read(), await read()];
  expect(first).not.toEqual(second);
  expect(first.toSorted()).toEqual(second.toSorted());
});

test("fixed paths take precedence over parameters for all methods: GET of images/upload returns 405", async (one) => {
  const { status, body } = await one.send("GET /images/upload");
  expect([status, body]).toEqual([405, { errors: [{ reason: "Method not allowed: this path accepts POST" }] }]);
});
