import { expect } from "vitest";
import { type Cloud, type Created, create, history, messages, test } from "../cloud";
import { proves } from "../proves";

const rule = (number: number): string => `part 2 · Endpoints · Managed · rule ${number}`;
const fields = "part 2 · Resources · Managed service";
const all = "/managed/services";
const web = { label: "Web 1.x", service_type: "url", address: "https://example.org/up?x=1", timeout: 30 };

async function service(one: Cloud, body: object = web): Promise<Created & { status(): Promise<string> }> {
  const created = await create(one, all, body);
  return { ...created, status: async () => (await one.send(`GET ${created.path}`)).body.status };
}

const refusals = async ({ send }: Cloud, body: object): Promise<string[]> => {
  const rejected = await send(`POST ${all}`, { body });
  expect(rejected.status).toBe(400);
  return messages(rejected);
};

/** Simulates that monitoring reports a status. */
const found = ({ send }: Cloud, id: number, status: string) =>
  send("POST /_emulator/managed-services", { body: { id, status } });

test("creates, views, lists, updates and deletes a service", async (one) => {
  const { send } = one;
  const created = await send(`POST ${all}`, { body: web });
  expect(created.body).toEqual({
    ...web,
    id: expect.any(Number),
    ...{ status: "pending", body: null, consultation_group: "", credentials: [], notes: null, region: null },
    created: one.world.clock.time(),
    updated: one.world.clock.time(),
  });
  const path = `${all}/${created.body.id}` as const;
  expect((await send(`GET ${path}`)).body).toEqual(created.body);
  await service(one, { ...web, service_type: "tcp", address: "db.example.org:5432" });
  const listed = [created.body, { address: "db.example.org:5432" }];
  expect((await send(`GET ${all}`)).body).toMatchObject({ results: 2, data: listed });
  const declared = { label: "Shop", body: "welcome", consultation_group: "on-call", notes: "be quick", timeout: 1 };
  expect((await send(`PUT ${path}`, { body: declared })).body).toEqual({ ...created.body, ...declared });
  const cleared = { body: null, notes: null };
  expect((await send(`PUT ${path}`, { body: cleared })).body).toMatchObject(cleared);
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
});

test("a service is pending for a minute, then ok, and can be disabled, enabled, and have a problem", async (one) => {
  proves("part 2 · States · Managed service");
  const { send } = one;
  const { id, path, status } = await service(one);
  one.advance(59_999);
  expect(await status()).toBe("pending");
  one.advance(1);
  expect(await status()).toBe("ok");
  expect(messages(await send(`POST ${path}/enable`))).toEqual([
    "The service is ok; only a disabled one can be enabled",
  ]);
  expect((await send(`POST ${path}/disable`)).body).toMatchObject({ id, status: "disabled" });
  expect(messages(await send(`POST ${path}/disable`))).toEqual(["The service is already disabled"]);
  one.advance(600_000);
  expect(await status()).toBe("disabled");
  expect(messages(await found(one, id, "problem"))).toEqual([`id: Service ${id} is disabled and not monitored`]);
  expect((await send(`POST ${path}/enable`)).body).toMatchObject({ id, status: "pending" });
  one.settle();
  expect(await status()).toBe("ok");
  expect((await found(one, id, "problem")).body.status).toBe("problem");
  expect((await found(one, id, "ok")).body.status).toBe("ok");
  expect(history(one)).toEqual([
    "managed_service_create notification",
    "managed_disabled notification",
    "managed_enabled notification",
    "ticket_create notification",
  ]);
});

test("only the latest start of monitoring triggers a first check", async (one) => {
  proves("part 2 · States · Managed service");
  const { path, status } = await service(one);
  one.advance(30_000);
  await one.send(`POST ${path}/disable`);
  await one.send(`POST ${path}/enable`);
  one.advance(30_000);
  expect(await status()).toBe("pending");
  one.advance(30_000);
  expect(await status()).toBe("ok");
});

test("a new service is monitored, and a deleted one is not", async (one) => {
  proves(rule(4));
  const { send } = one;
  const { id, path, status } = await service(one);
  one.settle();
  await found(one, id, "problem");
  await found(one, id, "problem");
  const { data } = (await send("GET /managed/issues")).body;
  expect(data).toMatchObject([{ services: [id], entity: { type: "ticket" } }]);
  await found(one, id, "ok");
  expect(await status()).toBe("ok");
  await found(one, id, "problem");
  expect((await send("GET /managed/issues")).body.results).toBe(2);
  await send(`DELETE ${path}`);
  expect((await found(one, id, "problem")).status).toBe(404);
});

test("an issue is resolved only when all of its services are up again", async (one) => {
  proves(rule(4));
  const [first, second] = [await service(one), await service(one)];
  one.settle();
  await one.send("POST /_emulator/issues", { body: { services: [first.id, second.id] } });
  await found(one, first.id, "ok");
  expect([await first.status(), await second.status()]).toEqual(["ok", "problem"]);
  await found(one, second.id, "ok");
  expect(one.world.managedIssues.by("open", true)).toEqual([]);
});

test("monitoring restarts only after a change of what is monitored", async (one) => {
  proves(rule(5));
  const { send } = one;
  const { path, status } = await service(one);
  one.settle();
  await send(`PUT ${path}`, { body: { ...web, label: "Other", notes: "x" } });
  expect(await status()).toBe("ok");
  for (const body of [
    { address: "https://example.com" },
    { timeout: 31 },
    { body: "up" },
    { service_type: "tcp", address: "example.com:443" },
  ]) {
    expect((await send(`PUT ${path}`, { body })).body).toMatchObject({ ...body, status: "pending" });
    one.settle();
  }
  await send(`POST ${path}/disable`);
  expect((await send(`PUT ${path}`, { body: { timeout: 9 } })).body).toMatchObject({ timeout: 9, status: "disabled" });
});

test.each([
  "https://example.org/up",
  "tcp://db.example.org:5432",
  "db.example.org:5432",
  "db.example.org",
  "192.0.2.1",
])(`${fields}: a tcp service can monitor the URL or host %s`, async (one, address) => {
  const tcp = { ...web, service_type: "tcp" };
  expect(await service(one, { ...tcp, address })).toMatchObject({ address, service_type: "tcp" });
  for (const invalid of ["not a host", "https://"])
    expect(await refusals(one, { ...tcp, address: invalid })).toEqual([
      "address: Must be a URL or a host with or without a port",
    ]);
});

test.each(["tcp://example.org:80", "example.org:80", "example.org", "ftp://example.org"])(
  `${fields}: a url service requires an http or https URL, not %s`,
  async (one, address) => {
    const reason = "address: Must be an http or https URL, because service_type is url";
    expect(await refusals(one, { ...web, address })).toEqual([reason]);
    const { path } = await service(one, { ...web, service_type: "tcp", address });
    expect(messages(await one.send(`PUT ${path}`, { body: { service_type: "url" } }))).toEqual([reason]);
  },
);

test(`${fields}: a region is required if the address is a private IP, and may not be set otherwise`, async (one) => {
  const missing = ["region: Is required, because the address to monitor is a private IP address"];
  const needless = ["region: Must be omitted, because the address to monitor is not a private IP address"];
  const typed = (address: string) => ({ ...web, address, service_type: address.startsWith("http") ? "url" : "tcp" });
  for (const address of ["192.168.128.7:80", "http://10.0.0.1/up", "tcp://172.16.0.1:22", "[fd00::1]:22"]) {
    expect(await refusals(one, typed(address))).toEqual(missing);
    expect(await service(one, { ...typed(address), region: "us-east" })).toMatchObject({ address, region: "us-east" });
  }
  for (const address of ["198.51.100.1:80", "https://10.example.org", "http://[2001:db8::1]/", "172.32.0.1:80"]) {
    expect(await refusals(one, { ...typed(address), region: "us-east" })).toEqual(needless);
    expect(await service(one, typed(address))).toMatchObject({ address, region: null });
  }
  const [reason] = await refusals(one, { ...web, address: "http://10.0.0.1", region: "moon" });
  expect(reason).toContain('no region "moon"');
});

test(`${fields}: the region follows a change of the address`, async (one) => {
  const { send } = one;
  const { path } = await service(one);
  const put = (body: object) => send(`PUT ${path}`, { body });
  expect(messages(await put({ address: "http://10.0.0.1" }))).toEqual([
    "region: Is required, because the address to monitor is a private IP address",
  ]);
  expect(messages(await put({ region: "us-east" }))).toEqual([
    "region: Must be omitted, because the address to monitor is not a private IP address",
  ]);
  expect((await put({ address: "http://10.0.0.1", region: "us-east" })).body.region).toBe("us-east");
  const moved = { address: "http://10.0.0.2" };
  expect((await put(moved)).body).toMatchObject({ ...moved, region: "us-east" });
  expect((await put({ region: null })).status).toBe(400);
  expect((await put({ address: "https://example.org" })).body.region).toBeNull();
});

test(`${fields}: fragments are not part of the monitored address`, async (one) => {
  const { path, address, status } = await service(one, { ...web, address: "https://example.org/up?x=1#top" });
  expect(address).toBe("https://example.org/up?x=1");
  one.settle();
  const changed = await one.send(`PUT ${path}`, { body: { address: "https://example.org/up?x=1#bottom" } });
  expect(changed.body.address).toBe(address);
  expect(await status()).toBe("ok");
});

test(`${fields}: rejects unknown credentials and duplicates`, async (one) => {
  const { id } = (await one.send("POST /managed/credentials", { body: { label: "login", password: "pw" } })).body;
  expect(await refusals(one, { ...web, credentials: [id, 7] })).toEqual(["credentials.1: There is no credential 7"]);
  const { path, credentials } = await service(one, { ...web, credentials: [id, id] });
  expect(credentials).toEqual([id]);
  expect((await one.send(`PUT ${path}`, { body: { credentials: [8] } })).status).toBe(400);
  expect((await one.send(`PUT ${path}`, { body: { credentials: [] } })).body.credentials).toEqual([]);
});
