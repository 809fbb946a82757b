import { expect } from "vitest";
import { cloud, messages, restricted, type TestResponse, test } from "./cloud";
import { debian, machine } from "./compute/instance";
import { proves } from "./proves";

const volume = { label: "data", region: "us-east" };
const errors = (number: number): string => `part 1 · Errors · rule ${number}`;

test("rejects each condition in the documents without any change", async (one) => {
  proves(errors(3));
  const { send, settle } = one;
  const [web, db] = [await machine(one, { ...debian, region: "us-east" }), await machine(one)];
  const bare = await machine(one, { region: "us-east", type: "g6-nanode-1" });
  const recent = (await send("POST /volumes", { body: volume })).body.id;
  const rejected = async (request: `${"POST" | "DELETE" | "PUT"} /${string}`, body?: object): Promise<string[]> => {
    const before = one.world.changes();
    const response = await send(request, body && { body });
    expect([request, response.status]).toEqual([request, 400]);
    expect(one.world.changes()).toBe(before);
    return messages(response);
  };
  await rejected(`POST /volumes/${recent}/clone`, { label: "copy" });
  await rejected(`POST /volumes/${recent}/resize`, { size: 40 });
  settle();
  await rejected(`POST /volumes/${recent}/attach`, { compute_id: db.id });
  await rejected(`POST /volumes/${recent}/resize`, { size: 10 });
  await rejected("POST /volumes", { label: "more", compute_id: bare.id });
  await send(`POST ${web.path}/shutdown`);
  await rejected(`POST ${web.path}/resize`, { type: "g6-standard-2" });
  expect(await rejected("POST /volumes", { size: 9 })).toHaveLength(2);
});

test("a volume of an instance can be deleted only after the instance's migration", async (one) => {
  proves("part 1 · Endpoints · Volumes · rule 6");
  const { send, settle } = one;
  const web = await machine(one, { ...debian, region: "us-east" });
  const { id } = (await send("POST /volumes", { body: { label: "data", compute_id: web.id } })).body;
  settle();
  await send("POST /_emulator/migration", { body: { compute_id: web.id } });
  expect((await send(`POST ${web.path}/migrate`)).status).toBe(200);
  expect(await web.status()).toBe("migrating");
  expect((await send(`DELETE /volumes/${id}`)).status).toBe(400);
  expect((await send(`POST /volumes/${id}/detach`)).status).toBe(400);
  settle();
  expect((await send(`GET /volumes/${id}`)).body).toMatchObject({ status: "active", compute_id: web.id });
  await send(`POST /volumes/${id}/detach`);
  settle();
  expect((await send(`DELETE /volumes/${id}`)).status).toBe(200);
  expect((await send(`GET /volumes/${id}`)).status).toBe(404);
});

test("each kind of error has its status", async () => {
  proves(errors(4));
  await using one = await cloud({ rateLimits: true });
  const { send } = one;
  await send("POST /_emulator/tokens", { body: { token: "reader", scopes: ["volumes:read_only"] } });
  const guest = await restricted(one);
  const cluster = { label: "main", region: "us-east", k8s_version: "1.20", node_pools: [] };
  const { id } = (await send("POST /lke/clusters", { body: cluster })).body;
  const wanted: [number, TestResponse][] = [
    [400, await send("POST /volumes", { body: {} })],
    [401, await send("GET /volumes", { token: null })],
    [403, await send("POST /volumes", { body: volume, token: "reader" })],
    [403, await send("POST /volumes", { body: volume, token: guest })],
    [404, await send("GET /volumes/1")],
    [404, await send("GET /nowhere")],
    [405, await send("DELETE /volumes")],
    [413, await send("POST /volumes", { body: { label: "x".repeat(2_000_000) } })],
    [415, await send("POST /volumes", { body: "label=x", headers: { "content-type": "text/plain" } })],
    [503, await send(`GET /lke/clusters/${id}/kubeconfig`)],
  ];
  for (const [status, response] of wanted) {
    expect(response.status).toBe(status);
    expect(response.body.errors[0].reason).toBeTypeOf("string");
  }
  one.faults.add({ path: "volumes.list", kind: "status", status: 500 });
  expect((await send("GET /volumes")).body.errors).toHaveLength(1);
});
