import { expect } from "vitest";
import { srv, test } from "./zone";

/** A record of type A with all fields, as in the example of the published API. */
const everything = { priority: 50, weight: 50, port: 80, service: null, protocol: null, tag: null };
const own = { priority: 0, weight: 0, port: 0, service: null, protocol: null, tag: null };

test.each<[type: string, given: object, kept: object]>([
  ["A", { type: "A", name: "www", target: "192.0.2.1", ...everything }, own],
  ["AAAA", { type: "AAAA", target: "2001:db8::1", ...everything, service: "sip", protocol: "tcp", tag: "issue" }, own],
  ["MX", { type: "MX", target: "mail.example.org", ...everything }, { ...own, priority: 50 }],
  ["CAA", { type: "CAA", target: "ca.example.net", ...everything, tag: "issue" }, { ...own, tag: "issue" }],
  ["SRV", { ...srv, tag: "issue" }, { priority: 0, weight: 0, port: 5060, service: "_sip", tag: null }],
])("ignores fields that do not apply to records of type %s, on create and on update", async (one, _, value, stored) => {
  const created = await one.add(value);
  expect(created).toMatchObject({ status: 200, body: stored });
  const changed = await one.change(created.body.id, { ...value, ttl_sec: 300 });
  expect(changed).toMatchObject({ status: 200, body: { ...stored, ttl_sec: 300 } });
  expect((await one.send(`GET ${one.path}/${created.body.id}`)).body).toMatchObject(stored);
});

test("an update that changes the type applies only the fields of the new type", async (one) => {
  const { id } = (await one.add(srv)).body;
  const mail = await one.change(id, { ...everything, type: "MX", target: "mail.example.org" });
  expect(mail).toMatchObject({ status: 200, body: { ...own, type: "MX", priority: 50 } });
});

test("an imported zone may contain fields that do not apply to a record's type", async (one) => {
  const records = [{ type: "A", target: "192.0.2.1", ...everything }];
  const handed = { nameserver: "ns.example.net", domain: "example.net", soa_email: "a@example.net", records };
  expect((await one.send("POST /_emulator/zones", { body: handed })).status).toBe(200);
  const imported = await one.send("POST /domains/import", {
    body: { domain: "example.net", remote_nameserver: "ns.example.net" },
  });
  expect((await one.send(`GET /domains/${imported.body.id}/records`)).body.data).toMatchObject([own]);
});
