import { expect } from "vitest";
import { type Cloud, cloud, messages, restricted, test } from "../cloud";
import { proves } from "../proves";

const endpoints = "part 3 · Endpoints · Domains";
const resource = "part 3 · Resources · Domain";
const master = { domain: "example.org", type: "master", soa_email: "admin@example.org" };

const create = ({ send }: Cloud, body: object = {}, token?: string) =>
  send("POST /domains", { body: { ...master, ...body }, ...(token && { token }) });

async function record({ send }: Cloud, domain: number, body: object): Promise<void> {
  expect((await send(`POST /domains/${domain}/records`, { body })).status).toBe(200);
}

const history = ({ world }: Cloud): string[] => world.events.recent().map(({ action }) => action);

test("creates, views, lists, updates and deletes a domain with its records", async (one) => {
  proves(`${endpoints} · rule 3`);
  const { send } = one;
  const created = await create(one, { description: "Ours", group: "web", tags: ["prod"] });
  expect(created.status).toBe(200);
  expect(created.body).toEqual({
    ...master,
    id: created.body.id,
    ...{ status: "active", description: "Ours", group: "web", tags: ["prod"], master_ips: [], axfr_ips: [] },
    ...{ expire_sec: 0, refresh_sec: 0, retry_sec: 0, ttl_sec: 0 },
  });
  const path = `/domains/${created.body.id}` as const;
  expect((await send(`GET ${path}`)).body).toEqual(created.body);
  expect((await send("GET /domains", { filter: { group: "web" } })).body.results).toBe(1);
  const body = { soa_email: "dns@example.org", axfr_ips: ["2001:0db8::1", "2001:db8::1"], tags: [] };
  expect((await send(`PUT ${path}`, { body })).body).toMatchObject({
    ...{ soa_email: "dns@example.org", axfr_ips: ["2001:db8::1"], tags: [], description: "Ours" },
  });
  await record(one, created.body.id, { type: "TXT", target: "hello" });
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  expect(one.world.domainRecords.size).toBe(0);
});

test.each([
  [0, 0],
  [1, 300],
  [300, 300],
  [301, 3600],
  [14_401, 28_800],
  [2_419_200, 2_419_200],
  [9_999_999, 2_419_200],
])("rounds times up, %i to %i", async (one, value, stored) => {
  proves(`${resource} · rule 1`);
  const times = (value: number) => ({ expire_sec: value, refresh_sec: value, retry_sec: value, ttl_sec: value });
  const created = await create(one, times(value));
  expect(created.body).toMatchObject(times(stored));
  await one.send(`PUT /domains/${created.body.id}`, { body: times(0) });
  const changed = await one.send(`PUT /domains/${created.body.id}`, { body: times(value) });
  expect(changed.body).toMatchObject(times(stored));
});

test(`${resource}: a master requires soa_email and a slave master_ips, also after an update`, async (one) => {
  const { send } = one;
  expect(messages(await create(one, { soa_email: undefined }))).toEqual(["soa_email: Is required for a master domain"]);
  const none = ["master_ips: Must contain at least one server for a slave domain"];
  const slave = { type: "slave", soa_email: undefined };
  expect(messages(await create(one, slave))).toEqual(none);
  const path = `/domains/${(await create(one, { ...slave, master_ips: ["192.0.2.1"] })).body.id}` as const;
  expect(messages(await send(`PUT ${path}`, { body: { master_ips: [] } }))).toEqual(none);
  expect(messages(await send(`PUT ${path}`, { body: { type: "master" } }))).toEqual([
    "soa_email: Is required for a master domain",
  ]);
  const body = { type: "master", soa_email: "admin@example.org" };
  expect((await send(`PUT ${path}`, { body })).body).toMatchObject({ type: "master", master_ips: ["192.0.2.1"] });
});

test("a slave domain has no records of its own", async (one) => {
  const { send } = one;
  const path = `/domains/${(await create(one)).body.id}` as const;
  const added = await send(`POST ${path}/records`, { body: { type: "TXT", target: "hello" } });
  const slave = { type: "slave", master_ips: ["192.0.2.1"] };
  expect(messages(await send(`PUT ${path}`, { body: slave }))).toEqual([
    "type: A slave domain cannot have its own records; delete the records of the domain first (1)",
  ]);
  await send(`DELETE ${path}/records/${added.body.id}`);
  expect((await send(`PUT ${path}`, { body: slave })).body.type).toBe("slave");
  expect(messages(await send(`POST ${path}/records`, { body: { type: "TXT", target: "hello" } }))).toEqual([
    "example.org is a slave domain: its records are copied from its master servers and cannot be changed here",
  ]);
  expect((await send(`GET ${path}/zone-file`)).body).toEqual({ zone_file: [] });
});

test("a domain can exist only once, in every notation", async (one) => {
  proves(`${endpoints} · rule 5`);
  const { send } = one;
  const { id, domain } = (await create(one, { domain: "Example.ORG" })).body;
  expect(domain).toBe("example.org");
  const taken = ["domain: Domain example.org already exists"];
  const other = (await create(one, { domain: "example.net" })).body.id;
  const body = { domain: "EXAMPLE.org" };
  expect(messages(await create(one, body))).toEqual(taken);
  expect(messages(await send(`PUT /domains/${other}`, { body }))).toEqual(taken);
  expect(messages(await send(`POST /domains/${other}/clone`, { body }))).toEqual(taken);
  expect((await send(`PUT /domains/${id}`, { body })).body.domain).toBe("example.org");
});

test("a clone has the fields and the records of its source", async (one) => {
  proves(`${endpoints} · rule 4`);
  const { send } = one;
  const { id } = (await create(one, { ttl_sec: 300, tags: ["prod"] })).body;
  await record(one, id, { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 3600 });
  await record(one, id, { type: "MX", target: "mail.example.org", priority: 10 });
  one.advance(60_000);
  const copy = await send(`POST /domains/${id}/clone`, { body: { domain: "Example.net" } });
  expect(copy.body).toMatchObject({ ...master, domain: "example.net", ttl_sec: 300, tags: ["prod"] });
  const { data } = (await send(`GET /domains/${copy.body.id}/records`)).body;
  expect(data).toMatchObject([
    { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 3600, created: "2022-01-01T00:01:00" },
    { type: "MX", name: "", target: "mail.example.org", priority: 10 },
  ]);
  await send(`DELETE /domains/${id}`);
  expect((await send(`GET /domains/${copy.body.id}/records`)).body.results).toBe(2);
  expect(history(one).filter((action) => action === "dns_zone_create")).toHaveLength(2);
});

test("a restricted user gets access to a cloned or imported domain, and the clone has no tags", async (one) => {
  const { id } = (await create(one, { tags: ["prod"] })).body;
  const token = await restricted(one, { entities: { domain: { [id]: "read_write" } } });
  expect((await create(one, { domain: "example.net" }, token)).status).toBe(403);
  const copy = await one.send(`POST /domains/${id}/clone`, { body: { domain: "example.net" }, token });
  const copied = await one.send(`GET /domains/${copy.body.id}`, { token });
  expect(copied).toMatchObject({ status: 200, body: { domain: "example.net", tags: [] } });
});

test(`${endpoints}: returns the zone file that was last rendered`, async (one) => {
  const { send } = one;
  const { id } = (await create(one, { soa_email: "j.doe@example.org", refresh_sec: 300 })).body;
  for (const body of [
    { type: "A", target: "192.0.2.1" },
    { type: "AAAA", name: "www", target: "2001:db8::1", ttl_sec: 300 },
    { type: "NS", name: "sub", target: "ns.example.net" },
    { type: "MX", target: "mail.example.org", priority: 10 },
    { type: "CNAME", name: "blog", target: "blog.example.net" },
    { type: "TXT", target: 'say "hi"' },
    { type: "TXT", name: "long", target: "x".repeat(300) },
    { type: "SRV", service: "sip", protocol: "udp", target: "sip", priority: 1, weight: 2, port: 5060 },
    { type: "CAA", tag: "issue", target: "letsencrypt.org" },
  ])
    await record(one, id, body);
  const zone = async (): Promise<string[]> => (await send(`GET /domains/${id}/zone-file`)).body.zone_file;
  const servers = [1, 2, 3, 4, 5].map((number) => `ns${number}.cloudinfra.example.`);
  const rendered = await zone();
  expect(rendered).toEqual([
    `; example.org [${id}]`,
    "$ORIGIN example.org.",
    "$TTL 86400",
    `@ IN SOA ${servers[0]} j\\.doe.example.org. 10 300 14400 1209600 86400`,
    ...servers.map((server) => `@ IN NS ${server}`),
    "@ IN A 192.0.2.1",
    "www 300 IN AAAA 2001:db8::1",
    "sub IN NS ns.example.net.",
    "@ IN MX 10 mail.example.org.",
    "blog IN CNAME blog.example.net.",
    '@ IN TXT "say \\"hi\\""',
    `long IN TXT "${"x".repeat(255)}" "${"x".repeat(45)}"`,
    "_sip._udp IN SRV 1 2 5060 sip.example.org.",
    '@ IN CAA 0 issue "letsencrypt.org"',
  ]);

  const set = (status: string) => send(`PUT /domains/${id}`, { body: { status } });
  expect((await set("disabled")).body.status).toBe("disabled");
  await record(one, id, { type: "TXT", name: "later", target: "unseen" });
  await set("disabled");
  expect(await zone()).toEqual(rendered);
  await set("active");
  expect((await zone()).at(-1)).toBe('later IN TXT "unseen"');
  expect((await create(one, { domain: "example.net", status: "disabled" })).body.status).toBe("disabled");
});

test("a Null MX is rendered as the root", async (one) => {
  const { id } = (await create(one)).body;
  await record(one, id, { type: "MX", target: "" });
  expect((await one.send(`GET /domains/${id}/zone-file`)).body.zone_file.at(-1)).toBe("@ IN MX 0 .");
});

test("imports a zone whose name server allows the transfer", async (one) => {
  proves(`${endpoints} · rule 2`);
  const { send } = one;
  const body = { domain: "Example.org", remote_nameserver: "NS.example.net" };
  const [rejected] = messages(await send("POST /domains/import", { body }));
  expect(rejected).toContain("remote_nameserver: The name server rejected the transfer of Example.org");
  for (const address of ["96.126.114.97", "96.126.114.98", "2600:3c00::5e", "2600:3c00::5f"])
    expect(rejected).toContain(address);

  const zone = { nameserver: "ns.example.net", domain: "example.org", soa_email: "admin@example.org" };
  const bad = { ...zone, records: [{ type: "SRV", target: "sip.example.org" }] };
  expect(messages(await send("POST /_emulator/zones", { body: bad }))[0]).toMatch(/^records\.0\.\w+: /);
  const records = [{ type: "A", name: "www.example.org.", target: "192.0.2.1", ttl_sec: 400 }];
  await send("POST /_emulator/zones", { body: { ...zone, records: [] } });
  expect((await send("POST /_emulator/zones", { body: { ...zone, records } })).status).toBe(200);
  expect((await send("GET /_emulator/zones")).body.zones).toMatchObject([{ ...zone, records }]);
  const created = await send("POST /domains/import", { body });
  expect(created.body).toMatchObject({ ...master, status: "active" });
  expect((await send(`GET /domains/${created.body.id}/records`)).body.data).toMatchObject([
    { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 300 },
  ]);
  expect(history(one)).toEqual(["dns_zone_import"]);
  expect(messages(await send("POST /domains/import", { body }))).toEqual(["domain: Domain example.org already exists"]);
});

test("the status is the given one, or active by default", async (one) => {
  proves("part 3 · States · Domain");
  const { id, status } = (await create(one)).body;
  expect(status).toBe("active");
  for (const value of ["disabled", "active", "active"])
    expect((await one.send(`PUT /domains/${id}`, { body: { status: value } })).body.status).toBe(value);
  const off = await create(one, { domain: "example.net", status: "disabled" });
  expect(off.body.status).toBe("disabled");
  expect((await one.send(`PUT /domains/${id}`, { body: { status: "gone" } })).status).toBe(400);
});

test("a clone keeps the names of records that look like names of the new domain", async (one) => {
  const { id } = (await create(one)).body;
  for (const name of ["example.net", "www.example.net", "www"])
    await record(one, id, { type: "A", name, target: "192.0.2.1" });
  const copy = await one.send(`POST /domains/${id}/clone`, { body: { domain: "example.net" } });
  const { data } = (await one.send(`GET /domains/${copy.body.id}/records`)).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(["example.net", "www.example.net", "www"]);
});

test("each label of a domain name has at most 63 characters, and no dash at its ends", async (one) => {
  const long = "a".repeat(63);
  for (const domain of [`${long}.example`, `example.${long}`, "example.xn--vermgensberatung-pwb", "_srv.example.org"])
    expect((await create(one, { domain })).status, domain).toBe(200);
  for (const domain of [
    `${long}a.org`,
    `example.${long}a`,
    `a.xn--${"b".repeat(60)}`,
    "-a.example.org",
    "a-.example.org",
  ])
    expect(messages(await create(one, { domain })), domain).toEqual([
      expect.stringContaining(
        "labels of at most 63 letters, digits, dashes or underscores each, without a dash at their ends",
      ),
    ]);
});

test("an account can have a domain whose name is not allowed any more", async (one) => {
  await create(one);
  const [row] = one.world.domains.all();
  one.world.domains.patch(row?.id as number, { domain: "-a.example.org" });
  const snapshot = (await one.send("GET /_emulator/state")).body;
  await using other = await cloud({ load: snapshot });
  expect((await other.send("GET /domains")).body.data).toMatchObject([{ domain: "-a.example.org" }]);
});
