import { createPublicKey } from "node:crypto";
import { expect, test } from "vitest";
import { type Cloud, cloud } from "../cloud";
import { debian, machine, messages } from "../compute/instance";
import { proves } from "../proves";

const rule = (number: number): string => `part 2 · Endpoints · Managed · rule ${number}`;
const all = "/managed/credentials";
const login = { label: "Web login", username: "planted-name", password: "planted-password" };

interface Created {
  id: number;
  path: `/${string}`;
  [field: string]: unknown;
}

async function credential({ send }: Cloud, body: object = login): Promise<Created> {
  const created = await send(`POST ${all}`, { body });
  expect(created.body.errors).toBeUndefined();
  return { ...created.body, path: `${all}/${created.body.id}` as const };
}

const dumped = async ({ send }: Cloud) => JSON.stringify((await send("GET /_emulator/state")).body.tables);

test("creates a credential, views and lists it without its secrets, updates and deletes it", async () => {
  await using one = await cloud();
  const { send } = one;
  const { path, ...created } = await credential(one);
  expect(created).toEqual({ id: expect.any(Number), label: "Web login", last_decrypted: null });
  expect((await send(`GET ${path}`)).body).toEqual(created);
  expect((await send(`GET ${all}`)).body).toMatchObject({ results: 1, data: [created] });
  expect((await send(`PUT ${path}`, { body: { label: "Old login" } })).body).toEqual({
    ...created,
    label: "Old login",
  });
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  for (const request of [`GET ${path}`, `DELETE ${path}`, `POST ${path}/revoke`] as const)
    expect((await send(request)).status).toBe(404);
  const { path: other } = await credential(one);
  expect(await send(`POST ${other}/revoke`)).toMatchObject({ status: 200, body: {} });
  expect((await send(`GET ${all}`)).body.results).toBe(0);
});

test("part 2 · Resources · Managed credential: the label is unique; name and password are stored nowhere", async () => {
  await using one = await cloud();
  const { send } = one;
  const { path } = await credential(one);
  const other = await credential(one, { label: "Other", password: "planted-password" });
  const taken = ["label: Label must be unique"];
  expect(messages(await send(`POST ${all}`, { body: login }))).toEqual(taken);
  expect(messages(await send(`PUT ${other.path}`, { body: { label: login.label } }))).toEqual(taken);
  expect((await send(`PUT ${path}`, { body: { label: login.label } })).status).toBe(200);
  expect(await dumped(one)).not.toContain("planted");
  expect(JSON.stringify((await send("GET /_emulator/requests")).body)).not.toContain("planted");
});

test("an update changes only the label; name and password have an operation of their own", async () => {
  proves(rule(1));
  await using one = await cloud();
  const { send } = one;
  const { id, path } = await credential(one);
  expect(messages(await send(`PUT ${path}`, { body: { password: "new", username: "new" } }))).toEqual([
    "password: Is not a known field",
    "username: Is not a known field",
  ]);
  const before = one.world.managedCredentials.get(id);
  await send(`PUT ${path}`, { body: { label: "Other label" } });
  const labelled = one.world.managedCredentials.get(id);
  expect([labelled.username, labelled.password]).toEqual([before.username, before.password]);
  expect(await send(`POST ${path}/update`, { body: { password: "planted-again" } })).toMatchObject({ body: {} });
  const half = one.world.managedCredentials.get(id);
  expect(half.username).toBe(before.username);
  expect(half.password).not.toBe(before.password);
  await send(`POST ${path}/update`, { body: { password: "planted-again", username: "planted-too" } });
  expect(one.world.managedCredentials.get(id).username).not.toBe(before.username);
  expect(await dumped(one)).not.toContain("planted");
  expect(messages(await send(`POST ${path}/update`, { body: { username: "me" } }))).toEqual(["password: Is required"]);
});

test("the account's SSH key is valid, the same at each read, and accepted by instances", async () => {
  proves(rule(2));
  await using one = await cloud();
  await using same = await cloud();
  await using other = await cloud({ seed: 2 });
  const key = async ({ send }: Cloud): Promise<string> => (await send(`GET ${all}/sshkey`)).body.ssh_key;
  const ssh_key = await key(one);
  expect([await key(one), await key(same)]).toEqual([ssh_key, ssh_key]);
  expect(await key(other)).not.toBe(ssh_key);
  const [type, text = ""] = ssh_key.split(" ");
  expect(type).toBe("ssh-ed25519");
  const blob = Buffer.from(text, "base64");
  expect([blob.length, blob.readUInt32BE(0), blob.toString("latin1", 4, 15), blob.readUInt32BE(15)]).toEqual([
    51,
    11,
    "ssh-ed25519",
    32,
  ]);
  const x = blob.subarray(19).toString("base64url");
  const known = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  expect(known.asymmetricKeyType).toBe("ed25519");
  await machine(one, { ...debian, authorized_keys: [ssh_key] });
});

test("deleting a credential removes it from all services", async () => {
  proves(rule(3));
  await using one = await cloud();
  const { send } = one;
  const [deleted, stored] = [await credential(one), await credential(one, { ...login, label: "Kept" })];
  const body = { label: "web", service_type: "url", address: "https://example.org", timeout: 5 };
  const service = (await send("POST /managed/services", { body: { ...body, credentials: [deleted.id, stored.id] } }))
    .body;
  await send(`DELETE ${deleted.path}`);
  expect((await send(`GET /managed/services/${service.id}`)).body.credentials).toEqual([stored.id]);
});

test("part 2 · Resources · Managed credential: last_decrypted is the time of the last use by support staff", async () => {
  await using one = await cloud();
  const { send } = one;
  const { id, path } = await credential(one);
  const idle = await credential(one, { ...login, label: "Idle" });
  const body = { label: "web", service_type: "url", address: "https://example.org", timeout: 5, credentials: [id] };
  const service = (await send("POST /managed/services", { body })).body.id;
  const issue = (await send("POST /_emulator/issues", { body: { services: [service] } })).body.id;
  expect((await send(`GET ${path}`)).body.last_decrypted).toBeNull();
  one.advance(90_000);
  await send("POST /_emulator/issues/resolve", { body: { id: issue } });
  expect((await send(`GET ${path}`)).body.last_decrypted).toBe("2022-01-01T00:01:30");
  expect((await send(`GET ${idle.path}`)).body.last_decrypted).toBeNull();
});

test.each([
  ["label", "x", "Must be at least 2 characters long"],
  ["label", "x".repeat(76), "Must be at most 75 characters long"],
  ["label", "a/b", "Must contain only letters, digits, spaces, periods, dashes and underscores"],
  ["username", "x".repeat(5001), "Must be at most 5000 characters long"],
  ["password", "", "Must not be empty"],
])("rejects a credential whose %s is too short or too long", async (field, value, reason) => {
  proves("part 2 · Limits · limit 1");
  await using one = await cloud();
  expect(messages(await one.send(`POST ${all}`, { body: { ...login, [field]: value } }))).toEqual([
    `${field}: ${reason}`,
  ]);
});

test("accepts a credential's label and name of the maximum length", async () => {
  proves("part 2 · Limits · limit 1");
  await using one = await cloud();
  await credential(one, { label: "xy", password: "p" });
  await credential(one, { label: "x".repeat(75), username: "x".repeat(5000), password: "p" });
});
