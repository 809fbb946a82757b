import { expect } from "vitest";
import { messages } from "../cloud";
import { srv, test } from "./zone";

const resource = "part 3 · Resources · Domain record";

test("creates, views, lists, updates and deletes a record", async (one) => {
  const { send, path, world } = one;
  const created = await one.add({ type: "A", name: "www", target: "192.0.2.1" });
  const time = "2022-01-01T00:00:00";
  expect(created.status).toBe(200);
  expect(created.body).toEqual({
    id: created.body.id,
    ...{ type: "A", name: "www", target: "192.0.2.1", ttl_sec: 0, priority: 0, weight: 0, port: 0 },
    ...{ service: null, protocol: null, tag: null, created: time, updated: time },
  });
  const own = `${path}/${created.body.id}` as const;
  expect((await send(`GET ${own}`)).body).toEqual(created.body);
  one.advance(1000);
  expect((await one.change(created.body.id, { target: "192.0.2.2" })).body).toMatchObject({
    ...{ name: "www", target: "192.0.2.2", created: time, updated: "2022-01-01T00:00:01" },
  });
  expect((await send(`GET ${path}`)).body).toMatchObject({ results: 1, data: [{ target: "192.0.2.2" }] });
  expect(await send(`DELETE ${own}`)).toMatchObject({ status: 200, body: {} });
  const messages = world.events.recent().map(({ action, message }) => `${action} ${message}`);
  expect(messages.slice(0, 3)).toEqual([
    "dns_record_delete A www.example.org",
    "dns_record_update A www.example.org",
    "dns_record_create A www.example.org",
  ]);
});

test("records can be filtered and sorted by their name in the domain", async (one) => {
  await one.add({ type: "A", name: "WWW.example.org", target: "192.0.2.1" });
  await one.add({ type: "AAAA", name: "www", target: "2001:db8::1" });
  await one.add({ type: "A", name: "mail", target: "192.0.2.2" });
  await one.add({ type: "A", target: "192.0.2.3" });
  const targets = async (filter: object) =>
    (await one.send(`GET ${one.path}`, { filter })).body.data.map(({ target }: { target: string }) => target);
  expect(await targets({ name: "www" })).toEqual(["192.0.2.1", "2001:db8::1"]);
  expect(await targets({ "+and": [{ name: "www" }, { name: { "+neq": "mail" } }] })).toHaveLength(2);
  expect(await targets({ name: "" })).toEqual(["192.0.2.3"]);
  expect(await targets({ name: "www.example.org" })).toEqual([]);
  expect(await targets({ name: { "+contains": "ai" } })).toEqual(["192.0.2.2"]);
  expect((await targets({ "+order_by": "name" })).slice(0, 2)).toEqual(["192.0.2.3", "192.0.2.2"]);
});

const ids = { service: null, protocol: null, tag: null };
test.each<[given: object, kept: object]>([
  [{ type: "A", name: "WWW.Example.org.", target: "192.0.2.1" }, { name: "www" }],
  [{ type: "A", name: "www.example.org", target: "192.0.2.1" }, { name: "www" }],
  [{ type: "A", name: "@", target: "192.0.2.1" }, { name: "" }],
  [{ type: "A", name: "example.org", target: "192.0.2.1" }, { name: "" }],
  [
    { type: "A", name: "*.dev", target: "[remote_addr]" },
    { name: "*.dev", target: "127.0.0.1" },
  ],
  [
    { type: "AAAA", target: "2001:0DB8::0001" },
    { name: "", target: "2001:db8::1", ...ids },
  ],
  [{ type: "NS", name: "sub", target: "NS.Example.net." }, { target: "ns.example.net" }],
  [
    { type: "MX", target: "mail.example.org" },
    { priority: 0, target: "mail.example.org" },
  ],
  [
    { type: "MX", target: "" },
    { priority: 0, target: "" },
  ],
  [{ type: "CNAME", name: "blog", target: "blog.example.net." }, { target: "blog.example.net" }],
  [{ type: "TXT", target: "v=spf1 -ALL." }, { target: "v=spf1 -ALL." }],
  [
    { type: "PTR", name: "7.2", target: "Host.example.org." },
    { name: "7.2", target: "host.example.org" },
  ],
  [srv, { name: "_sip._tcp", service: "_sip", protocol: "_tcp", target: "sip.example.org" }],
  [
    { ...srv, service: "_SIP.", protocol: "udp", name: "unused", target: "sip.example.net." },
    { name: "_sip._udp", service: "_sip", protocol: "_udp", target: "sip.example.net" },
  ],
  [
    { type: "CAA", tag: "issue", target: "letsencrypt.org" },
    { name: "", tag: "issue" },
  ],
  [
    { type: "CAA", name: "sub", tag: "issuewild", target: ";" },
    { name: "sub", target: ";" },
  ],
  [{ type: "CAA", tag: "iodef", target: "mailto:ca@example.org" }, { target: "mailto:ca@example.org" }],
])(`${resource}: %j is stored as %j`, async (one, value, stored) => {
  const created = await one.add(value);
  expect(created).toMatchObject({ status: 200, body: stored });
  expect((await one.send(`GET ${one.path}/${created.body.id}`)).body).toEqual(created.body);
});

test.each<[given: object, fields: string[]]>([
  [{}, ["type"]],
  [{ type: "A" }, ["target"]],
  [{ type: "A", target: "2001:db8::1" }, ["target"]],
  [{ type: "A", target: "192.0.2.1." }, ["target"]],
  [{ type: "AAAA", target: "[remote_addr]" }, ["target"]],
  [{ type: "A", target: "192.0.2.1", name: "www.example.net." }, ["name"]],
  [{ type: "A", target: "192.0.2.1", name: "w w" }, ["name"]],
  [{ type: "A", target: "192.0.2.1", name: `${"a".repeat(64)}` }, ["name"]],
  [{ type: "A", target: "192.0.2.1", name: "a".repeat(101) }, ["name"]],
  [{ type: "A", target: "192.0.2.1", priority: 256, weight: 65536, tag: "all" }, ["priority", "weight", "tag"]],
  [{ type: "NS", target: "192.0.2.1" }, ["target"]],
  [{ type: "MX", target: "mail" }, ["target"]],
  [{ type: "MX", target: "", priority: 10 }, ["priority"]],
  [{ type: "MX", target: "", name: "sub" }, ["name"]],
  [{ type: "MX", target: "mail.example.org", priority: 256 }, ["priority"]],
  [{ type: "CNAME", target: "blog.example.net" }, ["name"]],
  [{ type: "CNAME", name: "@", target: "blog.example.net" }, ["name"]],
  [{ type: "TXT", target: "" }, ["target"]],
  [{ type: "SRV", target: "sip" }, ["priority", "weight", "port", "service"]],
  [{ ...srv, port: 65536 }, ["port"]],
  [{ type: "CAA", target: "letsencrypt.org" }, ["tag"]],
  [{ type: "CAA", tag: "issue", target: "letsencrypt.org." }, ["target"]],
  [{ type: "CAA", tag: "iodef", target: "ca@example.org" }, ["target"]],
])(`${resource}: rejects %j because of %j`, async (one, value, fields) => {
  const { status, body } = await one.add(value);
  expect(status).toBe(400);
  expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(fields.sort());
});

test.each([
  [undefined, 0],
  [0, 0],
  [1, 300],
  [1949, 300],
  [1950, 3600],
  [5400, 7200],
  [86_000, 86_400],
  [9_999_999, 2_419_200],
])(`${resource}: rounds ttl_sec %j to the nearest value, %i`, async (one, ttl_sec, stored) => {
  expect((await one.add({ type: "TXT", target: "hello", ttl_sec })).body.ttl_sec).toBe(stored);
});

test(`${resource}: a CNAME is the only record of its name`, async (one) => {
  const alias = { type: "CNAME", name: "blog", target: "blog.example.net" };
  const { id } = (await one.add(alias)).body;
  const reason = `name: Record ${id} of type CNAME already has this name; a CNAME record must be the only record with its name`;
  expect(messages(await one.add({ ...alias, name: "Blog.example.org." }))).toEqual([reason]);
  expect(messages(await one.add({ type: "TXT", name: "blog", target: "hello" }))).toEqual([reason]);
  const text = (await one.add({ type: "TXT", name: "www", target: "hello" })).body.id;
  expect(messages(await one.change(text, { name: "blog" }))).toEqual([reason]);
  expect(messages(await one.change(id, { name: "www" }))).toEqual([
    `name: Record ${text} of type TXT already has this name; a CNAME record must be the only record with its name`,
  ]);
  expect((await one.change(id, { target: "other.example.net" })).status).toBe(200);
});

test(`${resource}: a Null MX is the only MX record`, async (one) => {
  const mail = { type: "MX", name: "sub", target: "mail.example.org", priority: 10 };
  const first = (await one.add(mail)).body.id;
  expect(messages(await one.add({ type: "MX", target: "" }))).toEqual([
    `target: A Null MX record must be the only MX record: delete the others first (${first})`,
  ]);
  await one.send(`DELETE ${one.path}/${first}`);
  const none = (await one.add({ type: "MX", target: "" })).body.id;
  for (const target of ["mail.example.org", ""])
    expect(messages(await one.add({ type: "MX", target }))).toEqual([
      `target: Record ${none} is a Null MX; delete it before you add another MX record`,
    ]);
  expect((await one.add({ type: "A", target: "192.0.2.1" })).status).toBe(200);
  expect((await one.change(none, { target: "mail.example.org", priority: 5 })).body).toMatchObject({ priority: 5 });
  expect((await one.add(mail)).status).toBe(200);
});

test(`${resource}: an update is validated with the fields that the record would have`, async (one) => {
  const { id } = (await one.add(srv)).body;
  expect((await one.change(id, { protocol: "udp", name: "unused" })).body).toMatchObject({ name: "_sip._udp" });
  expect(messages(await one.change(id, { service: null }))).toEqual(["service: Is required for a record of type SRV"]);
  const text = await one.change(id, { type: "TXT" });
  expect(text.body).toMatchObject({ type: "TXT", name: "", port: 0, ...ids, target: "sip.example.org" });
  expect((await one.change(id, { type: "SRV" })).body.errors.map(({ field }: { field: string }) => field)).toEqual([
    ...["priority", "weight", "port", "service"],
  ]);
});

test("responses contain the service and protocol of an SRV record with underscores", async (one) => {
  const shown = { name: "_sip._udp", service: "_sip", protocol: "_udp" };
  expect((await one.add({ ...srv, service: "sip", protocol: "udp" })).body).toMatchObject(shown);
  expect((await one.send(`GET ${one.path}`)).body.data).toMatchObject([shown]);
});

test("rejects an SRV record whose name would be longer than 100 characters", async (one) => {
  const longest = "s".repeat(100 - "_._tcp".length);
  const created = await one.add({ ...srv, service: longest });
  expect(created.body).toMatchObject({ name: `_${longest}._tcp` });
  const reason =
    "service: Must be shorter: with the protocol, the name of the record has 101 characters, and at most 100 are allowed";
  expect(messages(await one.add({ ...srv, service: `${longest}s` }))).toEqual([reason]);
  expect(messages(await one.change(created.body.id, { service: `${longest}s` }))).toEqual([reason]);
  expect((await one.send(`GET ${one.path}`)).body.results).toBe(1);
});

test("an update without a name keeps a name that ends with that of the domain", async (one) => {
  const { body } = await one.add({ type: "A", name: "www.example.org.example.org", target: "192.0.2.1" });
  expect(body.name).toBe("www.example.org");
  expect((await one.change(body.id, { ttl_sec: 300 })).body.name).toBe("www.example.org");
  expect((await one.change(body.id, { type: "AAAA", target: "2001:db8::1" })).body.name).toBe("www.example.org");
});

test("only A records replace [remote_addr] with the address of the client", async (one) => {
  expect((await one.add({ type: "A", name: "home", target: "[remote_addr]" })).body.target).toBe("127.0.0.1");
  expect((await one.add({ type: "TXT", name: "home", target: "[remote_addr]" })).body.target).toBe("[remote_addr]");
});
