import { expect } from "vitest";
import { restricted, test } from "./cloud";
import { proves } from "./proves";
import { volumes } from "./volumes";

const auth = (number: number): string => `part 1 · Authentication · rule ${number}`;

test("requests require a bearer token", async (one) => {
  proves(auth(1));
  const { send } = one;
  for (const token of [null, "unknown"]) expect((await send("GET /volumes", { token })).status).toBe(401);
  expect((await send("GET /volumes", { token: null, headers: { authorization: "Basic abc" } })).status).toBe(401);
  await send("POST /_emulator/tokens", { body: { token: "brief", expires_in: 60 } });
  expect((await send("GET /volumes", { token: "brief" })).status).toBe(200);
  one.advance(60_000);
  expect((await send("GET /volumes", { token: "brief" })).status).toBe(401);
});

test("a token must have each scope of the operation, and read_write includes read_only", async (one) => {
  proves(auth(2));
  const { send } = one;
  const [id] = await volumes(one, 1);
  await send("POST /_emulator/tokens", { body: { token: "reader", scopes: ["volumes:read_only"] } });
  await send("POST /_emulator/tokens", { body: { token: "writer", scopes: ["volumes:read_write"] } });
  const read = await send("GET /volumes", { token: "reader" });
  expect(read.status).toBe(200);
  expect(read.headers.get("x-oauth-scopes")).toBe("volumes:read_only");
  expect(read.headers.get("x-accepted-oauth-scopes")).toBe("volumes:read_only");
  expect((await send("GET /volumes", { token: "writer" })).status).toBe(200);
  const rejected = await send(`POST /volumes/${id}/detach`, { token: "writer" });
  expect(rejected.status).toBe(403);
  expect(rejected.body.errors[0].reason).toContain("computes:read_write");
  expect(rejected.body.errors[0].reason).not.toContain("volumes:read_write");
});

test("kernels, regions and public images require no token", async (one) => {
  proves(auth(3));
  for (const path of ["/regions", "/regions/us-east", "/compute/kernels", "/images", "/compute/types"] as const)
    expect((await one.send(`GET ${path}`, { token: null })).status).toBe(200);
  expect((await one.send("GET /regions", { token: "unknown" })).status).toBe(401);
});

test("a restricted user views and changes only objects with a grant", async (one) => {
  proves(auth(4));
  const { send } = one;
  const [hidden, looked, used] = await volumes(one, 3);
  const entities = { volume: { [looked as number]: "read_only", [used as number]: "read_write" } };
  const token = await restricted(one, { entities });
  expect((await send("GET /volumes", { token })).body).toMatchObject({ results: 2 });
  expect((await send(`GET /volumes/${hidden}`, { token })).status).toBe(404);
  expect((await send(`GET /volumes/${looked}`, { token })).status).toBe(200);
  const label = { label: "other" };
  expect((await send(`PUT /volumes/${looked}`, { token, body: label })).status).toBe(403);
  expect((await send(`PUT /volumes/${used}`, { token, body: label })).status).toBe(200);
  expect((await send(`PUT /volumes/${used}`, { token, body: { tags: ["prod"] } })).status).toBe(403);
  expect(one.world.events.recent()[0]).toMatchObject({ action: "volume_update", username: "guest" });
});
