import { createPublicKey } from "node:crypto";
import { expect } from "vitest";
import { type Cloud, cloud, create, messages, test } from "../cloud";
import { debian, machine } from "../compute/instance";
import { proves } from "../proves";

const rule = (number: number): string => `part 2 · Endpoints · Managed · rule ${number}`;
const all = "/managed/credentials";
const login = { label: "Web login", username: "planted-name", password: "planted-password" };

const credential = (one: Cloud, body: object = login) => create(one, all, body);

const dumped = async ({ send }: Cloud) => JSON.stringify((await send("GET /_emulator/state")).body.tables);

test("creates a credential, views and lists it without its secrets, updates and deletes it", async (one) => {
  const { send } = one;
  const { path, ...created } = await credential(one);
  expect(created).toEqual({ id: expect.any(Number), label: "Web login", last_decrypted: null });
  expect((await send(`GET ${path}`)).body).toEqual(created);
  expect((await send(`GET ${all}`)).body).toMatchObject({ results: 1, data: [created] });
  const label = "Old login";
  expect((await send(`PUT ${path}`, { body: { label } })).body).toEqual({ ...created, label });
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  const { path: other } = await credential(one);
  expect(await send(`POST ${other}/revoke`)).toMatchObject({ status: 200, body: {} });
  expect((await send(`GET ${all}`)).body.results).toBe(0);
});

test("part 2 · Resources · Managed credential: the label is unique; name and password are stored nowhere", async (one) => {
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

test("an update changes only the label; name and password have an operation of their own", async (one) => {
  proves(rule(1));
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

test("the account's SSH key is valid, the same at each read, and accepted by instances", async (one) => {
  proves(rule(2));
  await using same = await cloud();
  await using other = await cloud({ seed: 2 });
  const key = async ({ send }: Cloud): Promise<string> => (await send(`GET ${all}/sshkey`)).body.ssh_key;
  const ssh_key = await key(one);
  expect([await key(one), await key(same)]).toEqual([ssh_key, ssh_key]);
  expect(await key(other)).not.toBe(ssh_key);
  const [type, text = ""] = ssh_key.split(" ");
  expect(type).toBe("ssh-ed25519");
  const blob = Buffer.from(text, "base64");
  const parts = [blob.length, blob.readUInt32BE(0), blob.toString("latin1", 4, 15), blob.readUInt32BE(15)];
  expect(parts).toEqual([51, 11, "ssh-ed25519", 32]);
  const x = blob.subarray(19).toString("base64url");
  const known = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  expect(known.asymmetricKeyType).toBe("ed25519");
  await machine(one, { ...debian, authorized_keys: [ssh_key] });
});

test("deleting a credential removes it from all services", async (one) => {
  proves(rule(3));
  const { send } = one;
  const [deleted, stored] = [await credential(one), await credential(one, { ...login, label: "Kept" })];
  const body = { label: "web", service_type: "url", address: "https://example.org", timeout: 5 };
  const service = await create(one, "/managed/services", { ...body, credentials: [deleted.id, stored.id] });
  await send(`DELETE ${deleted.path}`);
  expect((await send(`GET ${service.path}`)).body.credentials).toEqual([stored.id]);
});

test("part 2 · Resources · Managed credential: last_decrypted is the time of the last use by support staff", async (one) => {
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
